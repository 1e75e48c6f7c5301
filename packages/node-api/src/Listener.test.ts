import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect as connectHttp2, constants } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { Connections } from '@firn/http'
import { InfoMethods, type MethodTable, Schema } from '@firn/rpc'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as HttpRules from './HttpRules.ts'
import { createListener, type Listener } from './Listener.ts'
import { createRoutes } from './Routes.ts'
import * as RpcEndpoint from './RpcEndpoint.ts'
import { createService } from './Service.ts'
import { envelopeExchanges, freePort, headersOf, post, raw, send } from './testing/http.ts'

const NODE_ID = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const HeightMethods = {
  'platform.getHeight': { params: Schema.struct({}), result: Schema.struct({ height: Schema.u64 }) },
} satisfies MethodTable
const EchoMethods = {
  'a.echo': {
    params: Schema.struct({ text: Schema.string }),
    result: Schema.struct({ text: Schema.string }),
  },
} satisfies MethodTable

const routes = createRoutes()
const failures: unknown[] = []
let listener: Listener
let url = ''

beforeAll(async () => {
  const rpc = (service: ReturnType<typeof createService>) => RpcEndpoint.create(service)
  routes.add(
    'info',
    '',
    rpc(createService(InfoMethods, { 'info.getNetworkID': () => ({ networkID: 12345 }) })),
  )
  const height = createService(HeightMethods, { 'platform.getHeight': () => ({ height: 85n }) })
  routes.add('bc/11111111111111111111111111111111LpoYY', '', rpc(height))
  for (const alias of ['P', 'bc/P']) routes.alias('bc/11111111111111111111111111111111LpoYY', alias)
  routes.add('echo', '', rpc(createService(EchoMethods, { 'a.echo': (params) => params })))
  routes.add('bc/L', '/ws', {
    handle: () => undefined,
    upgrade: ({ socket, head }) => void socket.end(`HTTP/1.1 101 Switching Protocols\r\n\r\n${head}`),
  })
  routes.add('defect', '', {
    handle: () => {
      throw new TypeError('defect')
    },
  })
  listener = createListener({
    routes,
    onError: (error) => void failures.push(error),
    rules: HttpRules.create({ nodeId: NODE_ID }),
    connections: Connections.create({ service: 'test', prefix: 'test' }),
    readTimeoutMs: 600_000,
    readHeaderTimeoutMs: 600_000,
    writeTimeoutMs: 600_000,
    idleTimeoutMs: 120_000,
  })
  url = await listener.listen(await freePort())
})
afterAll(() => listener.close(1_000))

test('answers 500 for an endpoint that throws, and goes on', async () => {
  expect((await send(url, { path: '/ext/defect', method: 'GET' })).status).toBe(500)
  expect(failures).toEqual([new TypeError('defect')])
  const body = { jsonrpc: '2.0', id: 1, method: 'info.getNetworkID' }
  expect((await post(url, '/ext/info', body)).status).toBe(200)
})

/** Paths in the recording that this test server does not serve. */
const ABSENT = /^\/ext\/(bc\/(X\/wallet|2|v|C\/avax)|admin)/

describe('recorded HTTP exchanges', () => {
  const cases = envelopeExchanges().filter((exchange) => !ABSENT.test(exchange.path))

  test('loads more than 90 recorded exchanges', () => expect(cases.length).toBeGreaterThan(90))

  test.each(cases.map((exchange, index) => [index, exchange.note, exchange] as const))(
    'replays recorded exchange %i: %s',
    async (_index, _note, exchange) => {
      const { path, httpMethod: method, headers, requestBody: body } = exchange
      const answer = await send(url, { path, method, headers, body })
      expect(answer.body).toBe(exchange.responseBody)
      expect(answer.status).toBe(exchange.status)
      const { date: _date, connection: _connection, ...received } = answer.headers
      expect(received).toEqual(headersOf(exchange))
    },
  )
})

describe('cross-origin requests', () => {
  const ask = async (method: string, headers: Record<string, string> = {}, to = url) => {
    const answer = await send(to, {
      path: '/ext/info',
      method,
      headers: { origin: 'https://a.example.com', ...headers },
    })
    return [
      answer.status,
      answer.headers['access-control-allow-origin'],
      answer.headers['access-control-allow-credentials'],
      answer.headers['access-control-allow-methods'],
    ]
  }

  test('sends CORS headers for OPTIONS requests that are not preflights', async () => {
    expect(await ask('OPTIONS')).toEqual([405, '*', 'true', undefined])
    expect(await ask('PUT')).toEqual([405, undefined, undefined, undefined])
  })

  test('accepts a preflight request for the OPTIONS method', async () => {
    const preflight = { 'access-control-request-method': 'OPTIONS' }
    expect(await ask('OPTIONS', preflight)).toEqual([200, '*', 'true', 'OPTIONS'])
  })

  test('allows origins that match a wildcard pattern', async () => {
    const rules = HttpRules.create({ nodeId: NODE_ID, allowedOrigins: ['https://*.Example.com'] })
    const judge = (origin: string) => rules.judge({ method: 'GET', headers: { origin } }).headers.slice(4)
    expect(judge('https://a.example.com')).toEqual([
      'Access-Control-Allow-Origin',
      'https://a.example.com',
      'Access-Control-Allow-Credentials',
      'true',
    ])
    expect(judge('https://example.com')).toEqual([])
  })
})

describe('large bodies', () => {
  const called = (params: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"info.getNetworkID","params":${params}}`
  const ANSWER = '{"jsonrpc":"2.0","result":{"networkID":"12345"},"id":1}\n'
  const answer = async (body: string) => {
    const { status, body: text } = await post(url, '/ext/info', body)
    return [status, text]
  }

  test('accepts a request body of 60 MB', async () => {
    expect(await answer(called(`{"x":"${'a'.repeat(60 * 2 ** 20)}"}`))).toEqual([200, ANSWER])
  })

  test('accepts 9,998 nesting levels below the parameters but rejects 9,999', async () => {
    const nested = (depth: number) => called(`{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`)
    expect(await answer(nested(9_998))).toEqual([200, ANSWER])
    const [status, text] = await answer(nested(9_999))
    expect(status).toBe(200)
    expect(text).toContain(`"code":-32700,"message":"invalid character '[' exceeded max depth"`)
  })

  test('rejects a request body of more than 128 MiB', async () => {
    const [status] = await answer(called(`{"x":"${'a'.repeat(128 * 2 ** 20)}"}`))
    expect(status).toBe(413)
    expect(await answer(called('{}'))).toEqual([200, ANSWER])
  })
})

describe('paths', () => {
  const status = async (path: string) => (await send(url, { path, method: 'GET' })).status

  test.each([
    ['/ext/in%66o', 405],
    ['/ext/info%20', 404],
    ['/ext/info/', 404],
    ['/ext/info?a=/../b', 405],
    ['/ext/%zz', 400],
    ['/ext/P', 405],
    ['/ext/p', 404],
    ['http://elsewhere/ext/info', 405],
  ])('responds to the path %s with status %i', async (path, expected) =>
    expect(await status(path)).toBe(expected),
  )

  test.each([
    ['/ext//info?x=1', '/ext/info?x=1'],
    ['/ext/./a%20b/%2e%2e/info/', '/ext/info/'],
    ['//ext/info', '/ext/info'],
    ['/ext//%c3%A9(1)', '/ext/%C3%A9%281%29'],
  ])('redirects %s to %s', async (path, location) => {
    const sent = await raw(url, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    expect(sent).toContain('301 Moved Permanently')
    expect(sent).toContain(`Location: ${location}\r\n`)
  })

  test('serves a path alias as soon as the alias is added', async () => {
    expect(await status('/ext/over/there')).toBe(404)
    routes.alias('info', 'over/there')
    expect(await status('/ext/over/there')).toBe(405)
  })

  test('keeps the route of a short target, but not of a long one, which takes memory', async () => {
    const find = vi.spyOn(routes, 'find')
    const long = `/ext/info?${'x'.repeat(100_000)}`
    for (const path of ['/ext/info?short', '/ext/info?short', long, long])
      expect(await status(path)).toBe(405)
    expect(find).toHaveBeenCalledTimes(3)
    find.mockRestore()
  })
})

describe('responses', () => {
  const echo = (text: string) =>
    post(url, '/ext/echo', { jsonrpc: '2.0', id: 1, method: 'a.echo', params: { text } })

  test('sends a Content-Length for up to 2048 bytes and chunks longer responses', async () => {
    const fixed = (await echo('')).body.length
    expect((await echo('x'.repeat(2048 - fixed))).headers['content-length']).toBe('2048')
    const longer = await echo('x'.repeat(2049 - fixed))
    expect(longer.headers['content-length']).toBeUndefined()
    expect(longer.headers['transfer-encoding']).toBe('chunked')
    const wide = await echo('é'.repeat(1024))
    expect(wide.headers['transfer-encoding']).toBe('chunked')
    expect(JSON.parse(wide.body)).toMatchObject({ result: { text: 'é'.repeat(1024) } })
  })

  test('sends complete responses when the cached result is stored as bytes', async () => {
    const kept = new TextEncoder().encode(`{"result":"${'y'.repeat(100_000)}","id":`)
    const memory = { find: () => kept, begin: () => undefined }
    routes.add('kept', '', RpcEndpoint.create(createService(EchoMethods, {}, { memory })))
    const answers = await Promise.all([7, 8].map((id) => post(url, '/ext/kept', { id })))
    expect(answers.map(({ body }) => body.slice(-9))).toEqual([',"id":7}\n', ',"id":8}\n'])
    expect(answers[0]?.body.length).toBe(kept.length + 3)
  })

  test('sends no Connection header on a keep-alive connection', async () => {
    const answer = await raw(url, 'GET /ext/info HTTP/1.1\r\nHost: localhost\r\n\r\n', 100)
    expect(answer.toLowerCase()).not.toContain('connection:')
    expect(answer.toLowerCase()).not.toContain('keep-alive')
  })

  test('responds to pipelined requests in order', async () => {
    const request = (id: number) => {
      const body = `{"jsonrpc":"2.0","id":${id},"method":"info.getNetworkID"}`
      return `POST /ext/info HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    }
    const answers = await raw(url, request(1) + request(2) + request(3))
    expect([...answers.matchAll(/"id":(\d)/g)].map(([, id]) => id)).toEqual(['1', '2', '3'])
  })

  const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'
  const byHeader = 'Avalanche-Api-Route: P\r\n'
  test.each([
    { to: 'an invalid request line', request: 'HELLO\r\n\r\n', status: 400 },
    { to: 'a missing host', request: 'GET /ext/info HTTP/1.1\r\n\r\n', status: 400 },
    {
      to: 'a route header with a disallowed host',
      request: `GET / HTTP/1.1\r\nHost: a\r\n${byHeader}\r\n`,
      status: 403,
    },
    {
      to: 'an unknown route header',
      request: `GET / HTTP/1.1\r\nHost: [::1]\r\n${byHeader}\r\n`,
      status: 404,
    },
    {
      to: 'an optional upgrade to HTTP/2',
      request: `GET /ext/info HTTP/1.1\r\nHost: [::1]\r\n${upgrade}\r\n`,
      status: 405,
    },
  ])('responds to a request for $to with status $status', async ({ request, status }) => {
    expect(await raw(url, request)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })
})

describe('websocket upgrades', () => {
  const upgrade = (path: string, host = 'localhost') =>
    raw(
      url,
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nfirst bytes`,
    )

  test('passes an upgraded connection and its first bytes to the endpoint', async () =>
    expect(await upgrade('/ext/bc/L/ws')).toMatch(/^HTTP\/1.1 101 .*first bytes$/s))
  test('rejects a websocket upgrade on a path without websockets or with a disallowed host', async () => {
    expect(await upgrade('/ext/info')).toContain('400 Bad Request')
    expect(await upgrade('/ext/none')).toContain('404 page not found')
    expect(await upgrade('/ext/bc/L/ws', 'evil.example')).toContain('invalid host specified')
  })
})

describe('HTTP/2 without TLS', () => {
  const ask = (headers: Record<string, string>, body = '') =>
    new Promise<{ headers: Record<string, unknown>; body: string }>((resolve, reject) => {
      const session = connectHttp2(url)
      session.on('error', reject)
      const stream = session.request({ ':method': 'POST', 'content-type': 'application/json', ...headers })
      let text = ''
      let received = {}
      stream.on('response', (given) => {
        received = { ...given }
      })
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      stream.on('end', () => {
        session.close()
        resolve({ headers: received, body: text })
      })
      stream.end(body)
    })

  test('serves HTTP/2 clients that connect with prior knowledge', async () => {
    const answer = await ask({ ':path': '/ext/P' }, '{"jsonrpc":"2.0","id":1,"method":"platform.getHeight"}')
    expect(answer.body).toBe('{"jsonrpc":"2.0","result":{"height":"85"},"id":1}\n')
    expect(answer.headers).toMatchObject({ ':status': 200, 'node-id': NODE_ID, vary: 'Origin' })
  })

  test('rejects HTTP/2 requests with a disallowed host', async () => {
    const answer = await ask({ ':path': '/ext/P', ':authority': 'evil.example' })
    expect(answer.headers[':status']).toBe(403)
  })

  test('closes idle HTTP/2 connections, even in the middle of a frame', async () => {
    const own = createListener({
      routes,
      rules: HttpRules.create({ nodeId: NODE_ID }),
      connections: Connections.create({ service: 'test', prefix: 'test' }),
      readTimeoutMs: 600_000,
      readHeaderTimeoutMs: 600_000,
      writeTimeoutMs: 600_000,
      idleTimeoutMs: 100,
    })
    const { hostname: host, port } = new URL(await own.listen(await freePort()))
    await new Promise<void>((settle) => {
      const socket = connect({ host, port: Number(port), allowHalfOpen: true }, () => {
        socket.end('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\0\0\x04\0\0\0\0\0', 'latin1')
      })
      socket.on('error', () => undefined)
      socket.resume().on('close', () => settle())
      socket.on('end', () => socket.destroy())
    })
    await own.close(0)
  })

  test('ends an HTTP/2 request whose body does not arrive in time, and keeps the connection', async () => {
    const own = createListener({
      routes,
      rules: HttpRules.create({ nodeId: NODE_ID }),
      connections: Connections.create({ service: 'test', prefix: 'test' }),
      ...{ readTimeoutMs: 100, readHeaderTimeoutMs: 100, writeTimeoutMs: 600_000, idleTimeoutMs: 600_000 },
    })
    const session = connectHttp2(await own.listen(await freePort()))
    const headers = { ':method': 'POST', ':path': '/ext/P', 'content-type': 'application/json' }
    const slow = session.request(headers).resume()
    const drip = setInterval(() => slow.write(' '), 10)
    slow.on('error', () => undefined)
    await new Promise<void>((settle) => slow.once('close', () => settle()))
    clearInterval(drip)
    expect(slow.rstCode).toBe(constants.NGHTTP2_CANCEL)
    const next = session.request({ ':path': '/ext/P' })
    const status = await new Promise((settle) =>
      next.once('response', (headers) => settle(headers[':status'])),
    )
    expect(status).toBe(405)
    session.destroy()
    await own.close(0)
  })

  test('keeps serving after a client sends an invalid HTTP/2 preface', async () => {
    await raw(url, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nnonsense that is no frame at all, and long enough')
    await raw(url, 'PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n')
    expect((await ask({ ':path': '/ext/P' })).headers[':status']).toBe(200)
  })
})

test('returns 431 for request headers of 1 MiB', async () => {
  const answer = await raw(url, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(2 ** 20)}\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1\.1 431 /)
})

test('sends the response after the client has closed its sending side', async () => {
  const { hostname: host, port } = new URL(url)
  const text = await new Promise<string>((settle) => {
    let received = ''
    const socket = connect({ host, port: Number(port), allowHalfOpen: true }, () => {
      const body = '{"jsonrpc":"2.0","id":1,"method":"info.getNetworkID"}'
      const type = 'Content-Type: application/json'
      socket.end(
        `POST /ext/info HTTP/1.1\r\nHost: localhost\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
    })
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('end', () => {
      socket.destroy()
      settle(received)
    })
  })
  expect(text).toContain('"networkID":"12345"')
})

test('keeps serving after a connection breaks in the middle of a request body', async () => {
  const { hostname: host, port } = new URL(url)
  await new Promise<void>((settle) => {
    const socket = connect({ host, port: Number(port) }, () => {
      socket.write('POST /ext/info HTTP/1.1\r\nHost: a.b\r\nContent-Length: 100\r\n\r\n{"json')
      setTimeout(() => socket.resetAndDestroy(), 20)
    })
    socket.on('close', () => settle())
  })
  expect((await post(url, '/ext/info', '{')).status).toBe(200)
})

test('closes the server without waiting for connections that send nothing', async () => {
  const own = createListener({
    routes,
    rules: HttpRules.create({ nodeId: NODE_ID }),
    connections: Connections.create({ service: 'test', prefix: 'test' }),
    readTimeoutMs: 600_000,
    readHeaderTimeoutMs: 600_000,
    writeTimeoutMs: 600_000,
    idleTimeoutMs: 120_000,
  })
  const base = await own.listen(await freePort())
  const idle = connect({ host: '127.0.0.1', port: Number(new URL(base).port) })
  idle.on('error', () => undefined)
  await new Promise((settle) => idle.on('connect', settle))
  await own.close(50)
  await expect(post(base, '/ext/info', '{')).rejects.toThrow()
})

test('closes a connection whose request is incomplete after the read timeout', async () => {
  const own = createListener({
    routes,
    rules: HttpRules.create({ nodeId: NODE_ID }),
    connections: Connections.create({ service: 'test', prefix: 'test' }),
    readTimeoutMs: 300,
    readHeaderTimeoutMs: 200,
    writeTimeoutMs: 600_000,
    idleTimeoutMs: 120_000,
  })
  const base = await own.listen(await freePort())
  const started = [
    'POST /ext/info HTTP/1.1\r\nHost: a',
    'POST /ext/info HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 9\r\n\r\n{',
  ]
  const answers = await Promise.all(['', ...started].map((text) => raw(base, text, 60_000)))
  expect(answers.map((text) => text.slice(0, 12))).toEqual(['', '', 'HTTP/1.1 415'])
  await own.close(0)
})

test('completes a request in progress on a keep-alive connection when the server closes', async () => {
  const slow = createRoutes()
  const started = Promise.withResolvers<() => void>()
  slow.add('slow', '', {
    handle: ({ response }) => started.resolve(() => response.writeHead(200).end('done')),
  })
  const own = createListener({
    routes: slow,
    rules: HttpRules.create({ nodeId: NODE_ID }),
    connections: Connections.create({ service: 'test', prefix: 'test' }),
    readTimeoutMs: 600_000,
    readHeaderTimeoutMs: 600_000,
    writeTimeoutMs: 600_000,
    idleTimeoutMs: 120_000,
  })
  const base = await own.listen(await freePort())
  const answer = raw(base, 'GET /ext/slow HTTP/1.1\r\nHost: localhost\r\n\r\n', 20_000)
  const respond = await started.promise
  const closed = own.close(120_000)
  respond()
  await closed
  expect(await answer).toContain('done')
})

test('responds to a request that arrives while the server closes, then closes the connection', async () => {
  const own = createListener({
    routes,
    rules: HttpRules.create({ nodeId: NODE_ID }),
    connections: Connections.create({ service: 'test', prefix: 'test' }),
    readTimeoutMs: 600_000,
    readHeaderTimeoutMs: 600_000,
    writeTimeoutMs: 600_000,
    idleTimeoutMs: 120_000,
  })
  const base = await own.listen(await freePort())
  const half = 'GET /ext/info HTTP/1.1\r\nHost: localhost\r\n'
  const accepted = Promise.withResolvers<Socket>()
  const onSocket = (message: unknown) => accepted.resolve((message as { socket: Socket }).socket)
  subscribe('net.server.socket', onSocket)
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(base).port) })
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write(half)
  const atServer = await accepted.promise
  unsubscribe('net.server.socket', onSocket)
  await expect.poll(() => atServer.bytesRead).toBe(half.length)
  const ended = new Promise((settle) => socket.on('close', settle))
  const closed = own.close(120_000)
  socket.write('\r\n')
  await Promise.all([closed, ended])
  expect(text).toContain('Connection: close')
})
