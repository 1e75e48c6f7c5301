import { randomBytes } from 'node:crypto'
import fastify from 'fastify'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { createAccess } from './Access.ts'
import * as ApiKey from './ApiKey.ts'
import { define, type Endpoint } from './Endpoint.ts'
import { front, serverOptions } from './Front.ts'
import * as Parameter from './Parameter.ts'
import { createMemoryCounters } from './RateLimit.ts'

const list = define({
  method: 'GET',
  path: '/v1/networks/{network}/things:listSome',
  summary: 'Some things',
  tag: 'Things',
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
  response: Type.Object({ weight: Type.Number() }),
  handle: async ({ path, query }) => ({
    body: { weight: 2n ** 64n - 1n, network: path.network, ...query, since: query.since ?? 'none' },
    height: 85n,
    time: 1_795_217_420n,
    isFinal: query.pageSize === 1,
  }),
})

async function serve(options: { keys?: readonly ApiKey.StoredKey[]; endpoints?: readonly Endpoint[] } = {}) {
  const server = fastify(serverOptions)
  const access = createAccess({
    keys: async () => options.keys ?? [],
    counters: createMemoryCounters(() => 0),
    anonymous: { unitsPerMinute: 2_000, unitsPerDay: 100_000 },
    keyed: { unitsPerMinute: 40, unitsPerDay: 100_000 },
  })
  const endpoints = options.endpoints ?? [list]
  await server.register(front({ title: 'Test', version: '0', endpoints, access, timeoutMs: 1_000 }))
  return server
}

const PATH = '/v1/networks/local/things:listSome'

test('an answer has its parameters read, its numbers exact and says how fresh it is', async () => {
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
  expect(answer.headers['etag']).toBeUndefined()
})

test('an answer that can’t change has a tag, by which it need not be sent again', async () => {
  const server = await serve()
  const { headers } = await server.inject(`${PATH}?pageSize=1`)
  const etag = String(headers['etag'])
  expect(etag).toMatch(/^"[\w-]{22}"$/)
  const again = await server.inject({ url: `${PATH}?pageSize=1`, headers: { 'if-none-match': etag } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test.each([
  ['pageSize=0', 'pageSize: expected a whole number from 1 to 100, got "0"'],
  ['pageSize=101', 'pageSize: expected a whole number from 1 to 100, got "101"'],
  ['pageSize=1.5', 'pageSize: expected a whole number from 1 to 100, got "1.5"'],
  ['pageSize=', 'pageSize: expected a whole number from 1 to 100, got ""'],
  ['pageSize=5&pageSize=6', 'pageSize: expected one value, got 2 of them'],
  ['pagesize=5', '"pagesize": expected the name pageSize, got another spelling'],
  ['txTypes=C', 'txTypes: expected some of A, B, got "C"'],
  ['since=soon', 'since: expected Unix seconds, got "soon"'],
  ['addresses=a,b,c', 'addresses: expected words, separated by commas, at most 2, got "a,b,c"'],
  ['addresses=a%00', 'addresses: expected words, separated by commas, at most 2, got "a\\u0000"'],
])('%s is refused with what is allowed', async (query, message) => {
  const server = await serve()
  const answer = await server.inject(`${PATH}?${query}`)
  const wanted = {
    message: message,
    error: 'Bad Request',
    statusCode: 400,
  }
  expect([answer.statusCode, answer.json()]).toEqual([400, wanted])
})

test.each([
  ['GET', '/v1/networks/mars/things:listSome', 400, 'Bad Request'],
  ['GET', '/v1/nothing', 404, 'Not Found'],
  ['DELETE', PATH, 404, 'Not Found'],
  ['GET', '/v1/networks/%ff/things:listSome', 400, 'Bad Request'],
])('%s %s gives %i in the shape of every error', async (method, url, statusCode, error) => {
  const server = await serve()
  const answer = await server.inject({ method: method as 'GET', url })
  expect([answer.statusCode, answer.json()]).toEqual([
    statusCode,
    { message: expect.stringMatching(/./), error, statusCode },
  ])
})

test('what fails inside is 500, and tells the caller nothing of it', async () => {
  const broken = { ...list, handle: async () => Promise.reject(new TypeError('secret inside')) }
  const server = await serve({ endpoints: [broken] })
  const answer = await server.inject(PATH)
  expect([answer.statusCode, answer.json().error]).toEqual([500, 'Internal Server Error'])
  expect(answer.body).not.toContain('secret')
})

test('keys are told apart: unknown 401, revoked 401, without the scope 403, over the limit 429', async () => {
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

test('the order is route, key, limit, parameters', async () => {
  const server = await serve()
  const wrong = { 'x-data-api-key': 'wrong' }
  expect((await server.inject({ url: '/v1/nothing', headers: wrong })).statusCode).toBe(404)
  expect((await server.inject({ url: `${PATH}?pageSize=0`, headers: wrong })).statusCode).toBe(401)
})

test('the document describes every endpoint with its parameters', async () => {
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

test('browsers may call with a key', async () => {
  const server = await serve()
  const headers = { origin: 'https://app.test', 'access-control-request-method': 'GET' }
  const answer = await server.inject({ method: 'OPTIONS', url: PATH, headers })
  expect(answer.statusCode).toBe(204)
  expect(answer.headers['access-control-allow-headers']).toContain('x-data-api-key')
})
