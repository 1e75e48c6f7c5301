import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Connections } from '@firn/http'
import type { Logger } from '@firn/runtime'
import { until } from '@firn/runtime/testing'
import { afterEach, describe, expect, test } from 'vitest'
import * as CallerLimits from './CallerLimits.ts'
import * as HttpRules from './HttpRules.ts'
import { createListener } from './Listener.ts'
import * as PassThrough from './PassThrough.ts'
import { createRoutes } from './Routes.ts'
import { freePort, post, raw, send } from './testing/http.ts'
import { createUpstream, type Upstream } from './Upstream.ts'

const log: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

type Reply = (
  request: IncomingMessage,
  body: string,
) => { status?: number; type?: string; body?: string; headers?: Record<string, string> } | undefined

/** Starts a fake node that sends the given reply. If the reply is undefined, it never responds. */
async function fakeNode(reply: Reply): Promise<{ url: string; server: Server; asked: string[] }> {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    asked.push(`${request.method} ${request.url} ${body}`)
    const answer = reply(request, body)
    if (answer === undefined) return
    const { status = 200, type = 'application/json', body: text = '', headers = {} } = answer
    response.writeHead(status, { 'content-type': type, 'x-secret': 'hidden', ...headers }).end(text)
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, asked }
}

function upstreamOf(urls: readonly string[], { timeoutMs = 1_000, now = (): number => 0 } = {}): Upstream {
  return createUpstream({ urls, timeoutMs, fetch, now })
}

async function serve(upstream: Upstream | undefined, limits = CallerLimits.NONE): Promise<string> {
  const routes = createRoutes()
  for (const endpoint of ['/rpc', '/ws'])
    routes.add('bc/C', endpoint, PassThrough.create(`/ext/bc/C${endpoint}`, { upstream, log }))
  const times = {
    readTimeoutMs: 600_000,
    readHeaderTimeoutMs: 600_000,
    writeTimeoutMs: 600_000,
    idleTimeoutMs: 600_000,
  }
  const listener = createListener({
    routes,
    rules: HttpRules.create({ nodeId: 'NodeID-me' }),
    connections: Connections.create({ service: 'test', prefix: 'test' }),
    limits,
    ...times,
  })
  closers.unshift(() => listener.close(0))
  return listener.listen(await freePort())
}

describe('request forwarding', () => {
  test('forwards the request and the response byte for byte, including the query', async () => {
    const { url, asked } = await fakeNode(() => ({ body: '{"jsonrpc":"2.0","id":1,"result":"0x1"}\n' }))
    const answer = await post(
      await serve(upstreamOf([`${url}/base/?token=t`])),
      '/ext/bc/C/rpc?x=1',
      '{"id" : 1}',
    )
    expect(asked).toEqual(['POST /base/ext/bc/C/rpc?token=t&x=1 {"id" : 1}'])
    expect(answer.body).toBe('{"jsonrpc":"2.0","id":1,"result":"0x1"}\n')
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'node-id': 'NodeID-me',
      vary: 'Origin',
    })
    expect(answer.headers['x-secret']).toBeUndefined()
  })

  test("forwards the HTTP method and returns the upstream's status", async () => {
    const { url, asked } = await fakeNode(() => ({ status: 405, type: 'text/plain', body: 'no' }))
    const answer = await send(await serve(upstreamOf([url])), { path: '/ext/bc/C/rpc', method: 'GET' })
    expect(asked).toEqual(['GET /ext/bc/C/rpc '])
    expect(answer).toMatchObject({ status: 405, body: 'no' })
  })

  test("forwards a plain request to a websocket path and returns the upstream's response", async () => {
    const { url } = await fakeNode(() => ({ status: 400, headers: { 'Sec-Websocket-Version': '13' } }))
    const answer = await post(await serve(upstreamOf([url])), '/ext/bc/C/ws', '{}')
    expect(answer).toMatchObject({ status: 400, headers: { 'sec-websocket-version': '13' } })
  })

  test('returns an error if there is no upstream', async () => {
    const answer = await post(await serve(undefined), '/ext/bc/C/rpc', '{}')
    expect(answer).toMatchObject({ status: 503, body: expect.stringContaining('needs an upstream') })
  })

  test.each([
    ['{"method":"eth_call","id":1}', 200],
    ['{"method":"eth_sendRawTransaction","id":1}', 502],
    ['[{"id":1,"method" : "eth_call"},{"method":"avax.issueTx","id":2}]', 502],
    ['{"method":"eth_send\\u0052awTransaction","id":1}', 502],
  ])('sends %s to a second upstream only if it reads: status %i', async (body, status) => {
    const lost = await fakeNode(() => undefined)
    const other = await fakeNode(() => ({ body: '{}' }))
    const answer = await post(
      await serve(upstreamOf([lost.url, other.url], { timeoutMs: 200 })),
      '/ext/bc/C/rpc',
      body,
    )
    expect(answer.status).toBe(status)
    expect(other.asked.length).toBe(status === 200 ? 1 : 0)
  })

  test('returns 502 when the upstream times out', async () => {
    const { url } = await fakeNode(() => undefined)
    const answer = await post(await serve(upstreamOf([url], { timeoutMs: 50 })), '/ext/bc/C/rpc', '{}')
    expect(answer).toMatchObject({ status: 502, body: expect.stringContaining('within 50 ms') })
  })
})

describe('multiple upstreams', () => {
  test('sends requests to the next upstream after a failure, and tries the failed upstream last for a while', async () => {
    const down = await fakeNode(() => ({ status: 503, body: 'bootstrapping' }))
    const up = await fakeNode(() => ({ body: '"up"' }))
    let now = 0
    const upstream = upstreamOf(['http://127.0.0.1:1', down.url, up.url], { now: () => now })
    const ask = async () => new TextDecoder().decode((await upstream.call('/x', new Uint8Array(0))).body)
    expect([await ask(), await ask()]).toEqual(['"up"', '"up"'])
    expect(down.asked.length).toBe(1)
    expect(upstream.health().map(({ healthy, lastError }) => [healthy, lastError])).toEqual([
      [false, expect.stringMatching(/ECONNREFUSED|bad port/)],
      [false, expect.stringContaining('HTTP status 503')],
      [true, undefined],
    ])
    now = 10_000
    expect(await ask()).toBe('"up"')
    expect(down.asked.length).toBe(2)
  })

  test('returns the last response when all upstreams are busy', async () => {
    const busy = await fakeNode(() => ({ status: 503, body: 'busy' }))
    const answer = await upstreamOf(['http://127.0.0.1:1', busy.url]).call('/x', new Uint8Array(0))
    expect(answer.status).toBe(503)
  })

  test('lists every upstream in the error if none of them responds', async () => {
    const lost = upstreamOf(['http://user:secret@127.0.0.1:1?key=secret'])
    const error = await lost.call('/x', new Uint8Array(0)).catch((caught: Error) => caught)
    expect(error).toMatchObject({
      code: 'NODE_UPSTREAM',
      message: expect.stringContaining('127.0.0.1:1: '),
    })
    expect(String(error)).not.toContain('secret')
  })
})

describe('upstream methods', () => {
  test('sends a call that must not run twice to another upstream only if the first one refuses the connection', async () => {
    const lost = await fakeNode(() => undefined)
    const other = await fakeNode(() => ({ body: '{"jsonrpc":"2.0","result":{"txID":"x"},"id":1}' }))
    const issue = (url: string, timeoutMs: number) =>
      upstreamOf([url, other.url], { timeoutMs }).method(
        '/ext/bc/P',
        'platform.issueTx',
        {},
        { isOnce: true },
      )
    await expect(issue(lost.url, 200)).rejects.toMatchObject({
      code: 'NODE_UPSTREAM',
      message: expect.stringContaining('may have taken effect'),
    })
    expect(other.asked).toEqual([])
    const { url, server } = await fakeNode(() => undefined)
    await new Promise((settle) => server.close(settle))
    expect(await issue(url, 10_000)).toEqual({ txID: 'x' })
  })

  const method = async (body: string, status = 200) => {
    const { url, asked } = await fakeNode(() => ({ body, status }))
    const result = upstreamOf([url]).method('/ext/bc/P', 'platform.issueTx', { tx: '0x1', n: 2n ** 64n })
    return { result: await result.catch((error: Error) => error), asked }
  }

  test('returns the result of an upstream method', async () => {
    const { result, asked } = await method('{"jsonrpc":"2.0","result":{"n":18446744073709551616},"id":1}')
    expect(result).toEqual({ n: 2n ** 64n })
    expect(asked).toEqual([
      'POST /ext/bc/P {"jsonrpc":"2.0","id":1,"method":"platform.issueTx","params":{"tx":"0x1","n":18446744073709551616}}',
    ])
  })

  test("returns the upstream's error unchanged", async () => {
    const { result } = await method(
      '{"jsonrpc":"2.0","error":{"code":-7,"message":"no <tx>","data":[1]},"id":1}',
    )
    expect(result).toMatchObject({
      code: 'RPC_REMOTE',
      details: { rpcCode: -7, rpcMessage: 'no <tx>', data: [1] },
    })
  })

  test.each([
    ['404 page not found\n', 404, 'HTTP status 404'],
    ['[]', 200, 'got "[]"'],
    ['{"result":', 200, 'expected JSON'],
  ])("reports the upstream's response %j as invalid", async (body, status, words) => {
    const { result } = await method(body, status)
    expect(result).toMatchObject({
      code: 'NODE_UPSTREAM',
      message: expect.stringContaining(words),
    })
  })
})

/** Limits of 100 units, and the sum of the units that were taken or charged. */
function countedLimits() {
  let used = 0
  let refused = 0
  const take = (units: number) => {
    if (used + units > 100) {
      refused += 1
      return 10
    }
    used += units
    return 0
  }
  const charge = (units: number) => {
    used += units
  }
  return {
    limits: { find: () => ({ take, charge }) },
    used: () => used,
    refused: () => refused,
    reset: () => (used = 0),
  }
}

describe('limits of forwarded requests', () => {
  test.each([
    ['one call', '{"method":"eth_call"}', 5],
    ['a batch', `[${Array(20).fill('{"method":"eth_call"}').join()}]`, 81],
    ['a batch in another case', `[${Array(20).fill('{"METHOD" : "eth_call"}').join()}]`, 81],
    ['a batch with escaped names', `[${Array(20).fill('{"m\\u0065thod":"eth_call"}').join()}]`, 81],
    ['no call', '', 5],
  ])('takes units for each call of %s', async (_, body, units) => {
    const { url, asked } = await fakeNode(() => ({ body: '{}' }))
    const { limits, used } = countedLimits()
    const server = await serve(upstreamOf([url]), limits)
    expect((await post(server, '/ext/bc/C/rpc', body)).status).toBe(200)
    expect([used(), asked.length]).toEqual([units, 1])
  })

  test('refuses a batch that costs more than is left', async () => {
    const { url, asked } = await fakeNode(() => ({ body: '{}' }))
    const server = await serve(upstreamOf([url]), countedLimits().limits)
    const batch = `[${Array(25).fill('{"method":"eth_call"}').join()}]`
    expect([(await post(server, '/ext/bc/C/rpc', batch)).status, asked]).toEqual([429, []])
  })
})

describe('websocket forwarding', () => {
  const upgrade = (url: string, later?: string) =>
    raw(
      url,
      'GET /ext/bc/C/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n\r\nfrom near',
      300,
      later,
    )

  test('tunnels a websocket between the client and the upstream', async () => {
    const { url, server } = await fakeNode(() => ({}))
    server.on('upgrade', (request, socket, head) => {
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers['sec-websocket-key']}\r\n\r\n`,
      )
      socket.write(head)
      socket.on('data', (chunk: Buffer) => socket.write(`far has ${chunk}`))
      closers.unshift(() => socket.destroy())
    })
    const text = await upgrade(await serve(upstreamOf([url])), ', and later')
    expect(text).toContain('101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: k\r\n')
    expect(text).toContain('far has from near')
    expect(text.endsWith('far has , and later')).toBe(true)
  })

  test('holds what a client sends back until it has the units, and takes units in both directions', async () => {
    const { url, server } = await fakeNode(() => ({}))
    const received: string[] = []
    server.on('upgrade', (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
      socket.on('data', (chunk: Buffer) => received.push(String(chunk)))
      closers.unshift(() => socket.destroy())
    })
    const { limits, used, refused, reset } = countedLimits()
    const { port } = new URL(await serve(upstreamOf([url]), limits))
    const socket = connect(Number(port), '127.0.0.1')
    closers.unshift(() => socket.destroy())
    const head =
      'GET /ext/bc/C/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
    socket.write(head)
    await once(socket, 'data')
    socket.write('a'.repeat(64 * 128))
    await until(() => expect(received.join('').length).toBe(64 * 128))
    expect(used()).toBe(1 + 64)
    socket.write('b'.repeat(64 * 128))
    await until(() => expect(refused()).toBeGreaterThan(2))
    expect(received.join('').length).toBeLessThan(128 * 128)
    reset()
    await until(() => expect(received.join('').length).toBe(128 * 128))
  })

  test("forwards the upstream's rejection of a websocket", async () => {
    const { url } = await fakeNode(() => ({ status: 400, body: 'not here' }))
    const text = await upgrade(await serve(upstreamOf([url])))
    expect(text).toContain('HTTP/1.1 400 Bad Request')
    expect(text).toContain('not here')
  })

  test('rejects a websocket if no upstream is configured or reachable', async () => {
    expect(await upgrade(await serve(upstreamOf(['http://127.0.0.1:1'])))).toContain('502 Bad Gateway')
    expect(await upgrade(await serve(undefined))).toContain('400 Bad Request')
  })
})
