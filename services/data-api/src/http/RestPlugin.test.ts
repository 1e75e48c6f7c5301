import { randomBytes } from 'node:crypto'
import { ApiKey } from '@firn/http'
import { type Logger, silentLogger } from '@firn/runtime'
import fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { createAccess } from './admission/Access.ts'
import { createMemoryCounters } from './admission/RateLimit.ts'
import { define, type Endpoint } from './endpoint/Endpoint.ts'
import * as Parameter from './endpoint/Parameter.ts'
import * as Schema from './endpoint/Schema.ts'
import { restPlugin, serverOptions } from './RestPlugin.ts'

const TIMEOUT_MS = 1_000

const list = define({
  method: 'GET',
  operationId: 'getThings',
  path: '/v1/networks/{network}/things:listSome',
  summary: 'Some things',
  tag: 'EVM',
  scope: 'data',
  units: 20,
  pathParameters: { network: Parameter.choice(['mainnet', 'local']) },
  queryParameters: {
    pageSize: Parameter.integer(1, 100, 10),
    txTypes: Parameter.optional(Parameter.choices(['A', 'B'])),
    since: Parameter.optional(Parameter.timestamp),
    addresses: Parameter.optional(
      Parameter.list('words', 2, (text) => (/^\w+$/.test(text) ? text : undefined)),
    ),
  },
  response: Schema.object('Thing', 'A thing', { weight: Schema.number('Weight', 1) }),
  handle: async ({ path, query }) => ({
    body: { weight: 2n ** 64n - 1n, network: path.network, ...query, since: query.since ?? 'none' },
    height: 85n,
    time: 1_795_217_420n,
    isFinal: query.pageSize === 1,
  }),
})

interface Options {
  readonly keys?: readonly ApiKey.StoredKey[]
  readonly endpoints?: readonly Endpoint[]
  readonly log?: Logger
}

async function serve(options: Options = {}) {
  const server = fastify(serverOptions)
  const access = createAccess({
    keys: async () => options.keys ?? [],
    counters: createMemoryCounters(() => 0),
    anonymous: { unitsPerMinute: 2_000, unitsPerDay: 100_000 },
    keyed: { unitsPerMinute: 40, unitsPerDay: 100_000 },
  })
  const endpoints = options.endpoints ?? [list]
  const { log } = options
  await server.register(
    restPlugin({ title: 'Test', version: '0', endpoints, access, timeoutMs: TIMEOUT_MS, log }),
  )
  return server
}

const PATH = '/v1/networks/local/things:listSome'

test('returns parsed parameters, exact numbers and freshness headers', async () => {
  const server = await serve()
  const answer = await server.inject(`${PATH}?pageSize=5&txTypes=A&txTypes=B&addresses=x%2C%20y&other=1`)
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toBe(
    '{"weight":18446744073709551615,"network":"local","pageSize":5,"txTypes":["A","B"],"since":"none","addresses":["x","y"]}',
  )
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-firn-height': '85',
    'x-firn-block-time': '1795217420',
    'ratelimit-remaining': '1980',
  })
})

test.each([
  ['an encoded colon', PATH.replace(':', '%3A')],
  ['an encoded colon in lower case', PATH.replace(':', '%3a')],
])('decodes %s in a path', async (_name, path) => {
  const server = await serve()
  const answer = await server.inject(`${path}?addresses=a%2Cb`)
  expect([answer.statusCode, answer.json().addresses]).toEqual([200, ['a', 'b']])
})

test('matches the action after the colon of a path, even if the colon directly follows a parameter', async () => {
  const path = '/v1/things/{network}:polish'
  const polish = define({
    ...list,
    method: 'POST',
    path,
    queryParameters: {},
    handle: async ({ path }) => ({ body: String(path['network']) }),
  })
  const whole = define({
    ...list,
    path: '/v1/things/{network}',
    queryParameters: {},
    handle: async () => ({ body: 'whole' }),
  })
  const server = await serve({ endpoints: [polish, whole] })
  for (const url of ['/v1/things/local:polish', '/v1/things/local%3Apolish']) {
    const answer = await server.inject({ method: 'POST', url })
    expect([url, answer.statusCode, answer.json()]).toEqual([url, 200, 'local'])
  }
  expect((await server.inject('/v1/things/local')).json()).toBe('whole')
  expect((await server.inject({ method: 'POST', url: '/v1/things/local:break' })).statusCode).toBe(404)
})

test.each([1, 5])(
  'answers 304 with the same headers if the entity tag in the request matches (pageSize %i)',
  async (size) => {
    const server = await serve()
    const url = `${PATH}?pageSize=${size}`
    const { headers } = await server.inject(url)
    const etag = String(headers['etag'])
    const opaque = etag.replace('W/', '')
    for (const header of [etag, opaque, `"other", ${etag}`, '*']) {
      const again = await server.inject({ url, headers: { 'if-none-match': header } })
      expect([header, again.statusCode, again.body]).toEqual([header, 304, ''])
      for (const name of [
        'etag',
        'cache-control',
        'vary',
        'x-firn-height',
        'access-control-expose-headers',
      ]) {
        expect([name, again.headers[name]]).toEqual([name, headers[name]])
      }
    }
    const other = await server.inject({ url, headers: { 'if-none-match': '"other"' } })
    expect([other.statusCode, other.headers['etag']]).toEqual([200, etag])
  },
)

test('sends Vary: Accept-Encoding with compressed responses and with 304 answers', async () => {
  const long = define({
    ...list,
    path: '/v1/long',
    pathParameters: {},
    queryParameters: {},
    handle: async () => ({ body: { text: 'x'.repeat(5_000) } }),
  })
  const server = await serve({ endpoints: [long] })
  const gzip = { 'accept-encoding': 'gzip' }
  const { headers } = await server.inject({ url: '/v1/long', headers: gzip })
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  for (const accepted of [gzip, {}]) {
    const again = { ...accepted, 'if-none-match': String(headers['etag']) }
    const { statusCode, headers: less } = await server.inject({ url: '/v1/long', headers: again })
    expect([statusCode, less['vary'], less['content-encoding']]).toEqual([304, 'accept-encoding', undefined])
  }
})

test.each([
  ['pageSize=0', 'pageSize: expected a whole number from 1 to 100, got "0"'],
  ['pageSize=101', 'pageSize: expected a whole number from 1 to 100, got "101"'],
  ['pageSize=1.5', 'pageSize: expected a whole number from 1 to 100, got "1.5"'],
  ['pageSize=', 'pageSize: expected a whole number from 1 to 100, got ""'],
  ['pageSize=5&pageSize=6', 'pageSize: expected one value, got 2 values'],
  ['pagesize=5', '"pagesize": expected the parameter name "pageSize", got a different spelling'],
  ['txTypes=C', 'txTypes: expected one or more of A, B, got "C"'],
  ['since=soon', 'since: expected a Unix timestamp in seconds, got "soon"'],
  ['addresses=a,b,c', 'addresses: expected at most 2 words, separated by commas, got "a,b,c"'],
  ['addresses=a%00', 'addresses: expected at most 2 words, separated by commas, got "a\\u0000"'],
])('rejects %s with an error that names the allowed values', async (query, message) => {
  const server = await serve()
  const answer = await server.inject(`${PATH}?${query}`)
  const expected = {
    message: message,
    error: 'Bad Request',
    statusCode: 400,
  }
  expect([answer.statusCode, answer.json()]).toEqual([400, expected])
})

test.each([
  ['GET', '/v1/networks/mars/things:listSome', 400, 'Bad Request'],
  ['GET', '/v1/nothing', 404, 'Not Found'],
  ['DELETE', PATH, 404, 'Not Found'],
  ['GET', '/v1/networks/%ff/things:listSome', 400, 'Bad Request'],
])('answers %s %s with the status %i in the common error format', async (method, url, statusCode, error) => {
  const server = await serve()
  const answer = await server.inject({ method: method as 'GET', url })
  expect([answer.statusCode, answer.json()]).toEqual([
    statusCode,
    { message: expect.stringMatching(/./), error, statusCode },
  ])
})

test("caches answers while the endpoint's version is unchanged, and computes answers without a version each time", async () => {
  let block = 1
  const calls = { kept: 0, live: 0 }
  const count = (name: 'kept' | 'live') => async () => ({ body: ++calls[name] })
  const common = { ...list, pathParameters: {}, queryParameters: {} }
  const endpoints = [
    define({ ...common, path: '/v1/kept', handle: count('kept'), version: async () => String(block) }),
    define({ ...common, path: '/v1/live', handle: count('live') }),
  ]
  const server = await serve({ endpoints })
  const ask = async (url: string) => (await server.inject(url)).json()
  const started = vi.spyOn(globalThis, 'setTimeout')
  const ended = vi.spyOn(globalThis, 'clearTimeout')
  expect([await ask('/v1/kept'), await ask('/v1/kept'), await ask('/v1/kept?a=b')]).toEqual([1, 1, 2])
  const timers = started.mock.results.flatMap(({ value }, i) =>
    started.mock.calls[i]?.[1] === TIMEOUT_MS ? [value as unknown] : [],
  )
  expect(timers, 'timers are started only to compute an answer').toHaveLength(2)
  for (const timer of timers) expect(ended, 'and end with it').toHaveBeenCalledWith(timer)
  expect([await ask('/v1/live'), await ask('/v1/live')]).toEqual([1, 2])
  block++
  expect(await ask('/v1/kept')).toBe(3)
})

test('returns 500 without details for internal errors', async () => {
  const broken = { ...list, handle: async () => Promise.reject(new TypeError('secret inside')) }
  const error = vi.fn()
  const server = await serve({ endpoints: [broken], log: { ...silentLogger, error } })
  const answer = await server.inject(`${PATH}?pageSize=5`)
  expect([answer.statusCode, answer.json().error]).toEqual([500, 'Internal Server Error'])
  expect(answer.body).not.toContain('secret')
  const facts = {
    requestId: answer.headers['x-request-id'],
    method: 'GET',
    path: PATH,
    code: 'DATA_INTERNAL',
  }
  const err = expect.objectContaining({ message: 'secret inside' })
  expect(error.mock.calls).toEqual([[{ ...facts, err }, 'request failed']])
})

test('returns 401 for unknown and revoked keys, 403 for a missing scope, and 429 over the limit', async () => {
  const make = (more: Partial<ApiKey.StoredKey>) => {
    const key = ApiKey.generate(randomBytes)
    const base = { hint: ApiKey.hint(key), name: 'n', hash: ApiKey.hash(key), createdAt: 0 }
    const none = { unitsPerMinute: undefined, unitsPerDay: undefined, revokedAt: undefined }
    return { key, stored: { ...base, ...none, scopes: ['data'] as const, ...more } }
  }
  const [good, other, old] = [make({}), make({ scopes: ['usage'] }), make({ revokedAt: 1 })]
  const server = await serve({ keys: [good, other, old].map(({ stored }) => stored) })
  const ask = async (key: string, name = 'x-data-api-key') =>
    (await server.inject({ url: PATH, headers: { [name]: key } })).statusCode
  expect(await ask(ApiKey.generate(randomBytes))).toBe(401)
  expect(await ask('anything')).toBe(401)
  expect(await ask(old.key)).toBe(401)
  expect(await ask(other.key)).toBe(403)
  expect(await ask(good.key, 'x-glacier-api-key')).toBe(200)
  expect(await ask(good.key)).toBe(200)
  const spent = await server.inject({ url: PATH, headers: { 'x-data-api-key': good.key } })
  expect(spent.statusCode).toBe(429)
  expect(spent.headers).toMatchObject({ 'retry-after': '60', 'ratelimit-remaining': '0' })
})

test('reports a mistyped key differently from an unknown key', async () => {
  const server = await serve()
  const ask = async (key: string) =>
    (await server.inject({ url: PATH, headers: { 'x-data-api-key': key } })).body
  const key = ApiKey.generate(randomBytes)
  expect(await ask(key)).toContain('unknown API key; check that it belongs to this service')
  const mistyped = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A')
  expect(await ask(mistyped)).toContain('invalid length or checksum')
})

test('checks the route before the key, and the key before the parameters', async () => {
  const server = await serve()
  const wrong = { 'x-data-api-key': 'wrong' }
  expect((await server.inject({ url: '/v1/nothing', headers: wrong })).statusCode).toBe(404)
  expect((await server.inject({ url: `${PATH}?pageSize=0`, headers: wrong })).statusCode).toBe(401)
})

test.each([
  ['a successful request', PATH, {}, 200],
  ['a request with an invalid parameter', `${PATH}?pageSize=0`, {}, 400],
  ['a request that fails', '/v1/broken', {}, 500],
])(
  'sends headers with the cost and the remaining units in the response to %s',
  async (_name, url, headers, status) => {
    const broken = define({
      ...list,
      path: '/v1/broken',
      pathParameters: {},
      handle: async () => Promise.reject(new TypeError('x')),
    })
    const server = await serve({ endpoints: [list, broken] })
    const answer = await server.inject({ url, headers })
    expect([answer.statusCode, answer.headers]).toMatchObject([
      status,
      {
        'x-compute-units': '20',
        'ratelimit-policy': '2000;w=60, 100000;w=86400',
        'ratelimit-limit': '2000',
        'ratelimit-remaining': '1980',
        'ratelimit-reset': '60',
      },
    ])
  },
)

test("documents each endpoint's cost and scope and the response headers", async () => {
  const server = await serve()
  const { paths, components } = (await server.inject('/openapi.json')).json()
  const { get } = paths['/v1/networks/{network}/things:listSome']
  expect(get).toMatchObject({ 'x-compute-units': 20, 'x-scope': 'data' })
  const limited = [get.responses['200'], components.responses.TooManyRequests]
  for (const { headers } of limited) expect(Object.keys(headers)).toContain('ratelimit-remaining')
  expect(get.responses['429']).toEqual({ $ref: '#/components/responses/TooManyRequests' })
  expect(Object.keys(get.responses['200'].headers)).toEqual(expect.arrayContaining(['etag', 'x-firn-height']))
})

test('documents the parameters of an endpoint', async () => {
  const server = await serve()
  const document = (await server.inject('/openapi.json')).json()
  expect(document.openapi).toBe('3.1.0')
  const [path] = Object.keys(document.paths)
  expect(path).toBe('/v1/networks/{network}/things:listSome')
  const { parameters } = document.paths[String(path)].get
  expect(
    parameters.map(({ name, required }: { name: string; required: boolean }) => [name, required]),
  ).toEqual(
    expect.arrayContaining([
      ['network', true],
      ['pageSize', false],
    ]),
  )
})

test('allows browsers to send a key', async () => {
  const server = await serve()
  const headers = { origin: 'https://app.test', 'access-control-request-method': 'GET' }
  const answer = await server.inject({ method: 'OPTIONS', url: PATH, headers })
  expect(answer.statusCode).toBe(204)
  for (const name of ['x-data-api-key', 'if-none-match']) {
    expect(answer.headers['access-control-allow-headers']).toContain(name)
  }
})

test.each([
  ['a successful request', `${PATH}?pageSize=1`],
  ['a request with an invalid parameter', `${PATH}?pageSize=0`],
  ['a request for an unknown path', '/v1/nothing'],
  ['a request for a malformed path', '/v1/networks/%ff/things:listSome'],
])('exposes every response header to scripts of any origin in the response to %s', async (_name, url) => {
  const server = await serve()
  const { headers } = await server.inject({ url, headers: { origin: 'https://app.test' } })
  expect(headers['access-control-allow-origin']).toBe('*')
  const exposed = String(headers['access-control-expose-headers']).split(', ')
  const own = Object.keys(headers).filter((name) => /^(ratelimit|x-|etag|retry)/.test(name))
  expect(exposed).toEqual(expect.arrayContaining([...own, 'retry-after', 'ratelimit-reset']))
})

test('answers 503 with the time limit when a request takes too long', async () => {
  const waiting: Endpoint = {
    ...list,
    operationId: 'wait',
    path: '/v1/wait',
    pathParameters: {},
    queryParameters: {},
    timeoutMs: 20,
    handle: ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  }
  const answer = await (await serve({ endpoints: [waiting] })).inject('/v1/wait')
  expect(answer.statusCode).toBe(503)
  expect(answer.headers['retry-after']).toBe('1')
  expect(answer.json()).toMatchObject({
    message: 'the request took longer than 0.02 s; request less data at once or try again later',
  })
})
