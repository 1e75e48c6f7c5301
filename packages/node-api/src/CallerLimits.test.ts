import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { Connections, TrustedProxies } from '@firn/http'
import { type MethodTable, Schema } from '@firn/rpc'
import { afterEach, describe, expect, test } from 'vitest'
import * as CallerLimits from './CallerLimits.ts'
import * as Exchange from './Exchange.ts'
import * as HttpRules from './HttpRules.ts'
import { bodyUnits, elementUnits } from './internal/sizes.ts'
import { createListener } from './Listener.ts'
import { createRoutes } from './Routes.ts'
import * as RpcEndpoint from './RpcEndpoint.ts'
import { createService } from './Service.ts'
import { freePort, post, raw, send } from './testing/http.ts'
import * as Units from './Units.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const Methods = {
  'a.cheap': { params: Schema.json, result: Schema.struct({ ran: Schema.u64 }) },
  'a.dear': { params: Schema.json, result: Schema.struct({ ran: Schema.u64 }) },
} satisfies MethodTable

const TIMES = {
  readTimeoutMs: 600_000,
  readHeaderTimeoutMs: 600_000,
  writeTimeoutMs: 600_000,
  idleTimeoutMs: 600_000,
}

/** Starts a server whose callers have 1 unit per second and 100 at once. The clock stands still until it is moved. */
async function start(proxies: TrustedProxies.Options = {}, isLimited = true) {
  const rate = isLimited ? { perSecond: 1, burst: 100 } : undefined
  let time = 0
  let ran = 0n
  const run = () => {
    ran += 1n
    return { ran }
  }
  const units = { 'a.cheap': 1, 'a.dear': 60 }
  const routes = createRoutes()
  const service = createService(Methods, { 'a.cheap': run, 'a.dear': run }, { units })
  routes.add('a', '', RpcEndpoint.create(service))
  routes.add('health', '', { handle: (exchange) => Exchange.text(exchange, 200, 'well') })
  routes.add('metrics', '', {
    units: Units.DOCUMENT,
    handle: (exchange) => Exchange.text(exchange, 200, 'many'),
  })
  routes.add('ws', '', {
    handle: (exchange) => Exchange.text(exchange, 200, ''),
    upgrade: ({ socket }) => void socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  })
  const listener = createListener({
    routes,
    rules: HttpRules.create({ nodeId: 'NodeID-me' }),
    connections: Connections.create({ service: 'test', prefix: 'test' }),
    fallback: (path) =>
      path === '/page' ? { units: 40, handle: (at) => Exchange.text(at, 200, 'page') } : undefined,
    limits: CallerLimits.create({ rate, trusted: TrustedProxies.create(proxies), now: () => time }),
    ...TIMES,
  })
  closers.push(() => listener.close(0))
  const url = await listener.listen(await freePort())
  const call = (method: string, more = '') =>
    post(url, '/ext/a', `{"jsonrpc":"2.0","id":1,"method":"${method}"${more}}`)
  return { url, call, pass: (ms: number) => (time += ms), ran: () => ran }
}

/** Uses up all units of the caller. */
async function exhaust(url: string) {
  const { status } = await post(url, '/ext/a', ' '.repeat(100 * 256 + 768))
  expect(status).toBe(200)
}

const LIMITED = {
  status: 429,
  headers: { 'retry-after': '1' },
  body: 'too many requests; try again in 1 s\n',
}

describe('limits of callers', () => {
  test('answers 429 with the time to wait, and serves the caller again after it', async () => {
    const { url, call, pass } = await start()
    await exhaust(url)
    expect(await call('a.cheap')).toMatchObject(LIMITED)
    pass(1_000)
    expect(await call('a.cheap')).toMatchObject({ status: 200 })
    expect(await call('a.cheap')).toMatchObject(LIMITED)
    pass(3_000)
    expect((await post(url, '/ext/a', ' '.repeat(4 * 256 + 1_024))).headers['retry-after']).toBe('2')
  })

  test('refuses every kind of request of a limited caller before anything else', async () => {
    const { url } = await start()
    await exhaust(url)
    const paths = [
      '/ext/a',
      '/ext/health',
      '/ext/metrics',
      '/ext/nothing',
      '/page',
      '/',
      '/ext//a',
      '/%zz',
      '/ext/ws',
    ]
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE']) {
        const { status } = await send(url, { path, method, headers: { host: 'elsewhere.example' } })
        expect([method, path, status]).toEqual([method, path, 429])
      }
    }
    const handshake = 'Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
    for (const path of ['/ext/ws', '/ext/a', '/nothing'])
      expect(await raw(url, `GET ${path} HTTP/1.1\r\n${handshake}`)).toMatch(
        /^HTTP\/1.1 429 [\s\S]*Retry-After: 1\r\n/,
      )
    const client = connectHttp2(url)
    const [headers] = await once(client.request({ ':path': '/ext/health' }).end(), 'response')
    client.close()
    expect([headers[':status'], headers['retry-after']]).toEqual([429, '1'])
  })

  test('refuses a long body before it arrives, and one of unknown length before it is parsed', async () => {
    const { url, ran } = await start()
    await post(url, '/ext/a', ' '.repeat(50 * 256))
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const head = 'POST /ext/a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    socket.write(`${head}Content-Length: 2000000\r\n\r\n{`)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 429 [\s\S]*Connection: close/)
    await once(socket, 'close')
    const chunk = `1388\r\n${'['.repeat(5_000)}\r\n`
    const chunked = await raw(url, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(20)}0\r\n\r\n`)
    expect(chunked).toMatch(/^HTTP\/1.1 429 /)
    expect(ran()).toBe(0n)
  })

  test('takes the units of a body of unknown length as it arrives, although it never ends', async () => {
    const { url } = await start()
    const head = 'POST /ext/a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${`1388\r\n${'['.repeat(5_000)}\r\n`.repeat(20)}`)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 429 [\s\S]*Connection: close/)
    await once(socket, 'close')
  })

  test('keeps the connection of a refused request with a short body', async () => {
    const { url } = await start()
    await exhaust(url)
    const head = 'Host: localhost\r\nContent-Type: application/json\r\n'
    const requests = [
      `GET /ext/health HTTP/1.1\r\n${head}\r\n`,
      `POST /ext/a HTTP/1.1\r\n${head}Content-Length: 5000\r\n\r\n${'['.repeat(5_000)}`,
      `GET /nothing HTTP/1.1\r\n${head}\r\n`,
    ]
    const answers = await raw(url, requests.join(''))
    expect(answers.match(/HTTP\/1.1 429 /g)).toHaveLength(3)
    expect(answers).not.toContain('Connection: close')
  })

  test('takes the units of a method before it runs, and of pages', async () => {
    const { url, call, ran } = await start()
    const statuses = []
    for (const method of ['a.dear', 'a.dear', 'a.cheap', 'a.unknown'])
      statuses.push((await call(method)).status)
    expect([statuses, ran()]).toEqual([[200, 429, 200, 200], 2n])
    // 60 units for the first, 1 for each of the others.
    expect([(await send(url, { path: '/page' })).status, (await call('a.cheap')).status]).toEqual([429, 200])
  })

  test('takes units for the elements of parameters, also of a notification', async () => {
    const { url, call, ran } = await start()
    const list = `[${Array(445).fill('1').join()}]`
    // 1 unit for the call, 89 for 891 elements and 4 for the body.
    expect((await call('a.cheap', `,"params":[{"ids":${list},"more":{"ids":${list}}}]`)).status).toBe(200)
    expect((await post(url, '/ext/a', '{"jsonrpc":"2.0","method":"a.dear"}')).status).toBe(429)
    const statuses = []
    for (let i = 0; i < 8; i += 1) statuses.push((await call('a.cheap')).status)
    // The refused notification has taken 1 unit.
    expect([statuses, ran()]).toEqual([[200, 200, 200, 200, 200, 429, 429, 429], 6n])
  })

  test('limits callers by the address that proxies report, and probes by the address of their connection', async () => {
    const { url } = await start({ proxies: 1 })
    const ask = async (path: string, forwarded?: string) => {
      const headers: Record<string, string> = { 'content-type': 'application/json' }
      if (forwarded !== undefined) headers['x-forwarded-for'] = forwarded
      return (await send(url, { path, headers, body: ' '.repeat(60 * 256) })).status
    }
    expect([
      await ask('/ext/a', '1.2.3.4'),
      await ask('/ext/a', '1.2.3.4'),
      await ask('/ext/a', '1.2.3.5'),
    ]).toEqual([200, 429, 200])
    expect(await ask('/ext/a')).toBe(400)
    expect([await ask('/ext/health'), await ask('/ext/metrics')]).toEqual([200, 429])
    const unlimited = await start({ proxies: 1 }, false)
    expect((await unlimited.call('a.cheap')).status).toBe(400)
  })

  test('changes no byte of an answer to a caller within its limit', async () => {
    const [limited, free] = [await start(), await start({}, false)]
    const ask = async ({ url }: { url: string }) => {
      const answers = []
      for (const [path, method, body] of [
        ['/ext/a', 'POST', '{"jsonrpc":"2.0","id":1,"method":"a.cheap"}'],
        ['/ext/a', 'POST', '{'],
        ['/ext/a', 'GET', null],
        ['/ext/health', 'GET', null],
        ['/ext/nothing', 'GET', null],
      ] as const) {
        const answer = await send(url, {
          path,
          method,
          body,
          headers: { 'content-type': 'application/json' },
        })
        answers.push({ ...answer, headers: { ...answer.headers, date: '' } })
      }
      return answers
    }
    expect(await ask(limited)).toEqual(await ask(free))
  })
})

test('has units for every method, so that a busy client uses a fraction of the default rate', () => {
  for (const units of Object.values(Units.METHODS)) expect(units).toBeGreaterThanOrEqual(Units.REQUEST)
  expect(bodyUnits(0)).toBe(0)
  expect([1, 1_024, 1_025, 10_240].map(bodyUnits)).toEqual([0, 0, 1, 36])
  expect(elementUnits({ a: Array(1_000_000).fill({ b: [] }) })).toBe(100_000)
})
