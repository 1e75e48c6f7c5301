import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { until } from '@firn/runtime/testing'
import { BypassTokens, type UsageStore } from '@firn/service-store'
import { openUsage } from '@firn/service-store/testing'
import { database } from '@firn/sql/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createBypassToken } from './admission/BypassTokens.ts'
import type { GatewayOptions } from './Gateway.ts'
import { type Behaviour, fakeNode, well } from './testing/fakeNode.ts'
import { call, creditsOf, openGateway, type PostOptions, type TestGateway } from './testing/gateways.ts'

let usage: UsageStore
let open: TestGateway[] = []
beforeAll(async () => {
  usage = await openUsage()
})
afterEach(async () => {
  for (const gateway of open) await gateway.close()
  open = []
  await database(usage).deleteFrom('usage').execute()
})
afterAll(() => usage.close())

async function start(behaviours: readonly Behaviour[] = [well], more: Partial<GatewayOptions> = {}) {
  const gateway = await openGateway(behaviours, usage, more)
  open.push(gateway)
  return gateway
}

const status =
  (code: number, headers: Record<string, string> = {}): Behaviour =>
  (_body, response) =>
    void response.writeHead(code, headers).end('trouble')
const answering =
  (text: string): Behaviour =>
  (_body, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(text)
const errorOf = (text: string) => JSON.parse(text).error

describe('calls over HTTP', () => {
  test('forwards a call to the node, and returns the answer byte for byte', async () => {
    const text = ' {"jsonrpc" : "2.0","id":1.0,"result":123456789012345678901234567890}\n\n'
    const { post, nodes, counted, usage } = await start([answering(text)])
    const body = '{ "id":1.0, "method":"eth_call","params":[1e400] }'
    expect(await post(body)).toMatchObject({ status: 200, text })
    expect(nodes[0]?.bodies).toEqual([body])
    expect(await counted()).toEqual({ 'eth_call 200': 1 })
    expect(await creditsOf(usage)).toBe(25)
  })

  test('accepts each name of a chain, with or without a trailing slash', async () => {
    const { post } = await start()
    for (const path of ['/rpc/43114', '/rpc/C', '/rpc/C/', '/rpc/C?x=1']) {
      expect((await post(call('eth_call'), { path })).status).toBe(200)
    }
    for (const path of ['/rpc/1', '/rpc', '/', '/rpc/43114/a/b', '/rpc/__proto__']) {
      expect((await post(call('eth_call'), { path })).status).toBe(404)
    }
  })

  test("counts each call of a batch under the status of the call's own answer", async () => {
    const { post, counted } = await start([
      answering(
        '[{"id":2,"error":{"code":-32601}},{"id":"a","error":{"code":3}},{"id":1,"result":{"id":2}}]',
      ),
    ])
    // The node formats the id 2.0 in another way.
    const batch = `[${call('eth_call', 1)},{"id":2.0,"method":"eth_feeConfig"},${call('eth_estimateGas', 'a')}]`
    expect((await post(batch)).status).toBe(200)
    expect(await counted()).toEqual({ 'eth_call 200': 1, 'eth_estimateGas 200': 1, 'eth_feeConfig 404': 1 })
    expect(await creditsOf(usage)).toBe(110)
  })

  test('returns an empty answer to a notification', async () => {
    const { post } = await start([status(204)])
    expect(await post('{"method":"eth_call"}')).toMatchObject({ status: 204, text: '' })
  })

  test('sends consecutive calls over one connection to the node', async () => {
    const { post, nodes } = await start()
    for (let i = 0; i < 20; i++) await post(call('eth_call'))
    // The probe uses one connection, and all calls share the other one.
    expect(nodes[0]?.connections()).toBe(2)
  })
})

describe('request bodies', () => {
  test.each([
    ['that is not JSON', '{', 400, -32_700],
    ['that is not a call', '{"id":1}', 400, -32_600],
    ['that is compressed', gzipSync(call('eth_call')), 400, -32_700],
    ['with the same id twice', `[${call('eth_call')},${call('eth_call')}]`, 400, -32_600],
    ['with deep nesting', `{"method":"eth_call","params":${'['.repeat(200_000)}`, 400, -32_700],
    [
      'with too many calls',
      `[${Array.from({ length: 101 }, (_, id) => call('eth_call', id))}]`,
      413,
      -32_600,
    ],
    ['that is too large', ' '.repeat(1_048_577), 413, -32_600],
  ])('rejects a body %s without forwarding it', async (_, body, code, rpc) => {
    const { post, nodes, counted } = await start()
    const answer = await post(body)
    expect([answer.status, errorOf(answer.text).code]).toEqual([code, rpc])
    expect(nodes[0]?.bodies).toEqual([])
    expect(await counted()).toEqual({ [`unknown ${code}`]: 1 })
  })

  test('answers a call to a denied method as a node without the method would', async () => {
    const { post, nodes, counted } = await start()
    const answer = await post(call('admin_peers', 'me'))
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      200,
      {
        jsonrpc: '2.0',
        id: 'me',
        error: { code: -32_601, message: 'the method admin_peers is not available' },
      },
    ])
    const batch = await post(`[${call('eth_call', 1)},{"method":"eth_chainId"},${call('eth_sign', 2)}]`)
    expect(JSON.parse(batch.text).map(({ id }: { id: number }) => id)).toEqual([1, 2])
    expect(nodes[0]?.bodies).toEqual([])
    expect(await counted()).toEqual({ 'eth_call 403': 1, 'eth_chainId 403': 1, 'unknown 403': 2 })
  })

  test('answers pipelined requests on one connection in order', async () => {
    const { url } = await start()
    const { port } = new URL(url)
    const socket = connect(Number(port), '127.0.0.1')
    const request = (id: number) => {
      const body = call('eth_call', id)
      return `POST /rpc/C HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    }
    socket.write(Array.from({ length: 50 }, (_, id) => request(id)).join(''))
    let text = ''
    socket.on('data', (data) => {
      text += data
    })
    await until(() =>
      expect(text.match(/"id":\d+/g)).toEqual(Array.from({ length: 50 }, (_, id) => `"id":${id}`)),
    )
    socket.destroy()
  })
})

describe('callers', () => {
  // So slow that a busy machine does not earn another call during a test.
  const rate = { perSecond: 0.01, burst: 100 }

  test('rejects a caller above its rate limit with 429 and Retry-After, without a request to the node', async () => {
    const { post, nodes, counted } = await start([well], { limits: { rate } })
    const answers = []
    for (let i = 0; i < 8; i++) answers.push(await post(call('eth_call', i)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429, 429, 429])
    expect(answers[7]?.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(errorOf(answers[7]?.text ?? '').code).toBe(-32_005)
    expect(nodes[0]?.bodies.length).toBe(4)
    expect(await counted()).toEqual({ 'eth_call 200': 4, 'unknown 429': 4 })
  })

  test('disconnects a caller that ignores refusals, and admits the caller again after a while', async () => {
    let time = 1_800_000_000_000
    const limits = { refusals: { perSecond: 20, burst: 5 } }
    const { post } = await start([well], { limits, now: () => time })
    const ask = async () => {
      try {
        return (await post('{')).status
      } catch {
        return 'nothing'
      }
    }
    const answers = []
    for (let i = 0; i < 20; i++) answers.push(await ask())
    expect(answers.slice(0, 5)).toEqual([400, 400, 400, 400, 400])
    expect(answers.slice(5)).toContain('nothing')
    time += 60_000
    expect((await post(call('eth_call'))).status).toBe(200)
  })

  test("applies a bypass token's own limit, or no limit if the token has none, until the token is revoked", async () => {
    const make = (name: string, creditsPerSecond?: number) =>
      createBypassToken(usage, { name, creditsPerSecond }, randomBytes, 1)
    const [free, slow] = [await make('free'), await make('slow', 5)]
    const gateway = await start([well], { limits: { rate }, now: () => 1_800_000_000_000 })
    const statuses = async (options: PostOptions) => {
      const all = []
      for (let i = 0; i < 6; i++) all.push((await gateway.post(call('eth_call', i), options)).status)
      return all.filter((one) => one === 200).length
    }
    expect((await gateway.post(call('eth_call'), { path: `/rpc/43114/${free}x` })).status).toBe(401)
    expect(await statuses({ path: `/rpc/43114/${free}` })).toBe(6)
    expect(await statuses({ headers: { 'x-bypass-token': slow } })).toBe(2)
    expect(await statuses({})).toBe(3)
    await gateway.flush()
    const rows = await database(usage)
      .selectFrom('usage')
      .select('token')
      .distinct()
      .orderBy('token')
      .execute()
    expect(rows.map(({ token }) => token)).toEqual(['', 'free', 'slow'])
    await BypassTokens.revoke(usage, 'free', 2n)
    await until(async () =>
      expect((await gateway.post(call('eth_call'), { path: `/rpc/C/${free}` })).status).not.toBe(200),
    )
  })

  test.each([
    ['no proxy', {}, [4, 0, 0]],
    ['one proxy', { proxies: 1 }, [4, 4, 0]],
    ['a trusted proxy', { trustedProxies: ['127.0.0.0/8'] }, [4, 4, 0]],
    ['an untrusted proxy', { trustedProxies: ['10.0.0.0/8'] }, [4, 0, 0]],
  ])(
    'gives no additional credits for a forged x-forwarded-for header behind %s',
    async (_name, proxies, allowed) => {
      const { post } = await start([well], { limits: { rate }, ...proxies })
      const statuses = async (address: string) => {
        const all = []
        for (let i = 0; i < 6; i++) {
          const headers = { 'x-forwarded-for': `6.6.6.${i}, ${address}` }
          all.push((await post(call('eth_call', i), { headers })).status)
        }
        return all.filter((one) => one === 200).length
      }
      const counts = [
        await statuses('1.2.3.4'),
        await statuses('2001:db8::1'),
        // This address belongs to the same /64 as the previous one.
        await statuses('2001:db8::ffff:2'),
      ]
      expect(counts).toEqual(allowed)
    },
  )

  test('refuses requests that did not pass all proxies, but not probes', async () => {
    const gateway = await start([well], { proxies: 2 })
    for (const forwarded of [undefined, '127.0.0.1', 'x, 127.0.0.1']) {
      const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
      for (const path of ['/rpc/C', '/nothing']) {
        const answer = await gateway.post(call('eth_chainId'), { path, headers })
        expect([answer.status, JSON.stringify(answer)]).toEqual([
          400,
          expect.stringContaining('x-forwarded-for: expected'),
        ])
      }
    }
    for (const path of ['/health', '/metrics']) {
      expect((await fetch(new URL(path, gateway.url))).status).toBe(200)
    }
  })

  test('charges the size of a body before it is parsed, and refuses a longer one before it is read', async () => {
    const { url, post } = await start([well], { limits: { rate: { perSecond: 0.001, burst: 100 } } })
    const invalid = (kib: number) => '['.repeat(kib * 1_024)
    // 1 credit for the request, and 24 for what exceeds 4 KiB.
    const first = await post(invalid(100))
    expect([first.status, first.headers.get('ratelimit-remaining')]).toEqual([400, '75'])
    // The limit decides before the parser can: the body is not JSON either.
    expect((await post(invalid(400))).status).toBe(429)
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const answer = once(socket, 'data')
    socket.write(`POST /rpc/C HTTP/1.1\r\nhost: x\r\ncontent-length: ${400 * 1_024}\r\n\r\n[`)
    expect(String(await answer)).toMatch(/^HTTP\/1.1 429 /)
    socket.destroy()
    const chunked = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(invalid(400)))
        controller.close()
      },
    })
    const stream = { method: 'POST', body: chunked, duplex: 'half' } as RequestInit
    expect((await fetch(`${url}/rpc/C`, stream)).status).toBe(429)
  })

  test('charges requests for unknown chains and tokens, and sends rate-limit headers', async () => {
    const { post } = await start([well], { limits: { rate: { perSecond: 0.001, burst: 4 } } })
    const paths = ['/rpc/none', `/rpc/C/${'A'.repeat(43)}`, '/nothing', '/rpc/none', '/rpc/none']
    const answers = []
    for (const path of paths) answers.push(await post(call('eth_chainId'), { path }))
    expect(
      answers.map(({ status, headers }) => [
        status,
        headers.get('ratelimit-limit'),
        headers.get('ratelimit-remaining'),
      ]),
    ).toEqual([
      [404, '4', '3'],
      [401, '4', '2'],
      [404, '4', '1'],
      [404, '4', '0'],
      [429, '4', '0'],
    ])
    expect(Number(answers[4]?.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('allows browsers to call from any origin', async () => {
    const { url } = await start()
    const answer = await fetch(`${url}/rpc/C`, { method: 'OPTIONS' })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  })

  test('disconnects a caller that sends one byte at a time', async () => {
    const { url, nodes } = await start([well], { limits: { requestMs: 500 } })
    const slow = [
      'POST /rpc/C HTTP/1.1\r\nhost: x\r\nx: ',
      'POST /rpc/C HTTP/1.1\r\nhost: x\r\ncontent-length: 999\r\n\r\n{',
    ]
    for (const beginning of slow) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(beginning)
      const timer = setInterval(() => socket.write(' '), 50)
      await new Promise((resolve) => socket.once('close', resolve))
      clearInterval(timer)
    }
    expect(nodes[0]?.bodies).toEqual([])
  })

  test('stops reading from the node while the caller does not read, and then disconnects the caller', async () => {
    let sent = 0
    let isClosed = false
    const endless: Behaviour = (_body, response) => {
      response.writeHead(200)
      response.write('{')
      const write = () => {
        while (!response.destroyed && sent < 200_000_000) {
          sent += 65_536
          if (!response.write('x'.repeat(65_536))) return
        }
      }
      response.on('drain', write).once('close', () => {
        isClosed = true
      })
      write()
    }
    const { url, counted } = await start([endless], { limits: { idleMs: 1_000, answerBytes: 1_000_000_000 } })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const body = call('eth_call')
    socket.write(`POST /rpc/C HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    socket.pause()
    await until(() => expect(isClosed).toBe(true))
    expect(sent).toBeLessThan(30_000_000)
    socket.destroy()
    await until(async () => expect(await counted()).toEqual({ 'eth_call 499': 1 }))
  })

  test('cancels the request to the node when the caller disconnects', async () => {
    const [arrived, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { url, counted } = await start([
      (_body, response) => {
        response.once('close', () => ended.resolve())
        arrived.resolve()
      },
    ])
    const stop = new AbortController()
    const answer = fetch(`${url}/rpc/C`, { method: 'POST', body: call('eth_call'), signal: stop.signal })
    await arrived.promise
    stop.abort()
    await expect(answer).rejects.toThrow()
    await ended.promise
    await until(async () => expect(await counted()).toEqual({ 'eth_call 499': 1 }))
  })
})

describe('nodes', () => {
  test.each<[string, Behaviour]>([
    ['reports that it is overloaded', status(429, { 'retry-after': '30' })],
    ['reports that it is not ready', status(503)],
    ['fails', status(500)],
    ['does not know the path', status(404)],
    ['returns an HTML page', answering('<html></html>')],
    ['returns an empty answer', answering('')],
    ['closes the connection', (_body, response) => void response.destroy()],
    ['never answers', () => undefined],
    ['announces too large an answer', status(200, { 'content-length': '99999999999' })],
  ])('avoids a node that %s while another node answers', async (_, behaviour) => {
    // The clock does not advance, so a failed node is not tried again.
    const more = { limits: { answerMs: 3_000 }, now: () => 1_800_000_000_000 }
    const { post, nodes, counted } = await start([behaviour, well], more)
    for (let i = 0; i < 6; i++) expect((await post(call('eth_call', i))).status).toBe(200)
    // A node may receive a body twice, because a call is sent again if its connection breaks.
    expect(nodes.map(({ bodies }) => new Set(bodies).size)).toEqual([1, 6])
    expect(await counted()).toEqual({ 'eth_call 200': 6 })
  })

  test('does not send a transaction to a second node if the first node may have accepted it', async () => {
    const { post, nodes } = await start([(_body, response) => void response.destroy(), well])
    const answers = []
    for (let i = 0; i < 2; i++) answers.push(await post(call('eth_sendRawTransaction', i, ['0x'])))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 502])
    expect(nodes.map(({ bodies }) => bodies.length)).toEqual([1, 1])
  })

  test('sends no requests to a node before the time in its Retry-After header, and returns the delay to callers', async () => {
    const { post, nodes, counted } = await start([status(429, { 'retry-after': '30' })])
    const answers = [await post(call('eth_call')), await post(call('eth_call'))]
    expect(answers.map(({ status }) => status)).toEqual([503, 503])
    expect(Number(answers[1]?.headers.get('retry-after'))).toBeGreaterThan(25)
    expect(nodes[0]?.bodies.length).toBe(1)
    expect(await counted()).toEqual({ 'eth_call 503': 2 })
  })

  test.each<[string, Behaviour]>([
    [
      'closes the connection during its answer',
      (_body, response) => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write('{"result":"')
        setTimeout(() => response.destroy(), 50)
      },
    ],
    [
      'never ends its answer',
      (_body, response) => {
        response.writeHead(200)
        response.write('{"result":"')
        const write = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        }
        response.on('drain', write)
        write()
      },
    ],
  ])('closes the connection to the caller if the node %s', async (_, behaviour) => {
    const { post, counted } = await start([behaviour], { limits: { answerBytes: 2_000_000 } })
    await expect(post(call('eth_call'))).rejects.toThrow()
    await until(async () => expect(await counted()).toEqual({ 'eth_call 502': 1 }))
  })

  test('aborts an answer that exceeds the total time limit', async () => {
    const { post, counted } = await start(
      [
        (_body, response) => {
          response.writeHead(200)
          const timer = setInterval(() => response.write('{'), 20)
          response.once('close', () => clearInterval(timer))
        },
      ],
      // A busy machine may need a second until the answer begins.
      { limits: { totalMs: 3_000 } },
    )
    await expect(post(call('eth_call'))).rejects.toThrow()
    await until(async () => expect(await counted()).toEqual({ 'eth_call 504': 1 }))
  })

  test('serves calls with the remaining nodes if one node is unreachable', async () => {
    const gone = await fakeNode()
    await gone.close()
    const gateway = await openGateway([gone, await fakeNode()], usage)
    open.push(gateway)
    for (let i = 0; i < 4; i++) expect((await gateway.post(call('eth_call'))).status).toBe(200)
    const health = await fetch(`${gateway.url}/health`)
    expect(await health.json()).toEqual({ status: 'up', chains: [{ chainId: '43114', nodes: 2, up: 1 }] })
  })

  test('sends no calls to a node that serves a different chain', async () => {
    const node = await fakeNode()
    const gateway = await openGateway([], usage, { chains: [{ names: ['1'], urls: [node.url] }] })
    open.push(gateway)
    expect((await gateway.post(call('eth_call'), { path: '/rpc/1' })).status).toBe(503)
    expect([node.bodies, gateway.warnings]).toEqual([[], ['node serves a different chain']])
    expect((await fetch(`${gateway.url}/health`)).status).toBe(503)
    await node.close()
  })

  test('sends all filter calls of a caller to the same node', async () => {
    const { post, nodes } = await start([well, well, well])
    for (let i = 0; i < 9; i++) await post(call('eth_getFilterChanges', i, ['0x1']))
    expect(nodes.map(({ bodies }) => bodies.length).sort()).toEqual([0, 0, 9])
  })
})

test('exposes metrics of requests, connections and nodes', async () => {
  const { url, post } = await start()
  await post(call('eth_call'))
  const text = await (await fetch(`${url}/metrics`)).text()
  expect(text).toContain('firn_gateway_requests_total{chain="43114",status="200"} 1')
  expect(text).toMatch(/firn_gateway_node_up\{chain="43114",node="127.0.0.1:\d+"\} 1/)
  // The probe at the start also counts as a request to the node.
  expect(text).toMatch(
    /firn_gateway_upstream_request_seconds_count\{upstream="127.0.0.1:\d+",outcome="ok"\} 2/,
  )
})
