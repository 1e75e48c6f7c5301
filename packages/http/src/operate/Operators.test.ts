import { randomBytes } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { LogEvent } from '@firn/runtime'
import fastify from 'fastify'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as ApiKey from '../ApiKey.ts'
import * as Refusals from '../Refusals.ts'
import type { Options } from '../TrustedProxies.ts'
import * as UpstreamMetrics from '../UpstreamMetrics.ts'
import * as Operators from './Operators.ts'

const texts = Object.fromEntries(
  [...ApiKey.SCOPES, 'revoked', 'unknown'].map((name) => [name, ApiKey.generate(randomBytes)]),
) as Record<ApiKey.Scope | 'revoked' | 'unknown', string>
const stored = (name: ApiKey.Scope | 'revoked', scopes: readonly ApiKey.Scope[]): ApiKey.StoredKey => ({
  ...{ hint: ApiKey.hint(texts[name]), name, hash: ApiKey.hash(texts[name]), scopes, createdAt: 0 },
  ...{ unitsPerMinute: undefined, unitsPerDay: undefined },
  revokedAt: name === 'revoked' ? 1 : undefined,
})
const KEYS = [...ApiKey.SCOPES.map((scope) => stored(scope, [scope])), stored('revoked', ['admin'])]

const changes: string[] = []
const keys: Operators.KeyStore = {
  list: async () => [],
  create: async ({ name }) => `created ${name}`,
  setScopes: async (keyId, scopes) => void changes.push(`${keyId} ${scopes}`),
  revoke: async (keyId) => void changes.push(`revoke ${keyId}`),
}

const made: Operators.Operators[] = []
const create = (proxies: Options = {}, more: Partial<Operators.OperatorsOptions> = {}) => {
  const operators = Operators.create({
    ...{ parts: [{ keys }], keys: async () => KEYS, version: '0', ...proxies, ...more },
  })
  made.push(operators)
  return operators
}
afterAll(() => {
  for (const one of made) one.close()
})

interface Sent {
  readonly peer?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  readonly url?: string
  readonly body?: string
}

const ask = async (operators: Operators.Operators, sent: Sent = {}) => {
  const { peer = '127.0.0.1', headers = {}, method = 'GET', url = '/operate/log', body = '' } = sent
  const request = { method, url, headers: { host: '127.0.0.1:8700', ...headers }, body }
  const answer = await Operators.answer({ ...request, socket: { remoteAddress: peer } }, operators)
  const json = JSON.parse(answer.body) as Record<string, unknown>
  return { ...answer, json, outcome: answer.status === 200 ? 'served' : json['code'] }
}

const FOREIGN = '203.0.113.9'
const forwarded = (chain: string) => ({ 'x-forwarded-for': chain })
const key = (name: keyof typeof texts) => ({ 'x-data-api-key': texts[name] })

describe('access', () => {
  test.each([
    ['a program on this machine', {}, {}, 'served'],
    ['a program on this machine, over IPv6', {}, { peer: '::1', headers: { host: '[::1]:8700' } }, 'served'],
    ['the console of this service', {}, { headers: { origin: 'http://127.0.0.1:8700' } }, 'served'],
    ['another machine', {}, { peer: FOREIGN }, 'OPERATE_CALLER'],
    ['a Unix socket', {}, { peer: '' }, 'OPERATE_CALLER'],
    ['a proxy on this machine', {}, { headers: forwarded(FOREIGN) }, 'OPERATE_CALLER'],
    [
      'another machine that claims to be this one',
      {},
      { peer: FOREIGN, headers: forwarded('127.0.0.1') },
      'OPERATE_CALLER',
    ],
    [
      'a proxy that names its caller only otherwise',
      {},
      { headers: { 'x-real-ip': FOREIGN } },
      'OPERATE_CALLER',
    ],
    [
      'another machine through a counted proxy',
      { proxies: 1 },
      { headers: forwarded(`127.0.0.1, ${FOREIGN}`) },
      'OPERATE_CALLER',
    ],
    [
      'an address that a caller may have forged',
      { proxies: 1 },
      { headers: forwarded('127.0.0.1') },
      'OPERATE_CALLER',
    ],
    [
      'another machine through a trusted proxy',
      { trustedProxies: ['127.0.0.1'] },
      { headers: forwarded(`127.0.0.1, ${FOREIGN}`) },
      'OPERATE_CALLER',
    ],
    [
      'this machine through a proxy on another one',
      { trustedProxies: ['10.0.0.7'] },
      { peer: '10.0.0.7', headers: forwarded('127.0.0.1') },
      'OPERATE_CALLER',
    ],
  ] as const)('from %s', async (_name, proxies, sent: Sent, outcome) => {
    expect((await ask(create(proxies), sent)).outcome).toBe(outcome)
  })

  test.each([
    'evil.example',
    'evil.example:8700',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '',
    '10.0.0.1',
  ])('is refused for the host %j, which a website may have made point to this machine', async (host) => {
    expect((await ask(create(), { headers: { host } })).outcome).toBe('OPERATE_SITE')
  })

  test.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:9999' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('is refused for a page of another origin: %j', async (headers) => {
    expect((await ask(create(), { headers: headers as Record<string, string> })).outcome).toBe('OPERATE_SITE')
  })

  test.each([
    ['admin', 'served'],
    ...ApiKey.CALLER_SCOPES.map((scope) => [scope, 'OPERATE_SCOPE'] as const),
    ['revoked', 'OPERATE_KEY'],
    ['unknown', 'OPERATE_KEY'],
  ] as const)('of another machine with the key %s: %s', async (name, outcome) => {
    const headers = { host: 'firn.example', ...key(name) }
    expect((await ask(create(), { peer: FOREIGN, headers })).outcome).toBe(outcome)
  })

  test('is given to a key for several scopes only if admin is among them', async () => {
    const all = [stored('data', ApiKey.CALLER_SCOPES)]
    const operators = create({}, { keys: async () => all })
    expect((await ask(operators, { peer: FOREIGN, headers: key('data') })).outcome).toBe('OPERATE_SCOPE')
  })

  test('tells callers without a key how to get one, and only those of services that have keys', async () => {
    const message = async (operators: Operators.Operators) =>
      String((await ask(operators, { peer: FOREIGN })).json['message'])
    expect(await message(create())).toMatch(/firn keys create --name <name> --scope admin/)
    expect(await message(create({}, { keys: undefined }))).toMatch(/ssh -L/)
    expect(await message(create({}, { keys: undefined }))).not.toMatch(/keys create/)
  })

  test('is checked before anything of a request is looked at', async () => {
    const sent = {
      peer: FOREIGN,
      method: 'POST',
      url: '/operate/keys',
      body: '{"name":"x","scopes":["admin"]}',
    }
    expect((await ask(create(), sent)).outcome).toBe('OPERATE_CALLER')
    expect((await ask(create(), { ...sent, url: '/operate/nothing' })).outcome).toBe('OPERATE_CALLER')
  })
})

describe('endpoints', () => {
  const post = (url: string, body: unknown) =>
    ask(create(), { method: 'POST', url, body: typeof body === 'string' ? body : JSON.stringify(body) })

  test('create a key, replace its scopes and revoke it', async () => {
    const id = '0123456789abcdef'
    expect((await post('/operate/keys', { name: 'me', scopes: ['data'] })).json).toEqual({
      key: 'created me',
    })
    await post(`/operate/keys/${id}/scopes`, { scopes: ['usage', 'admin'] })
    await post(`/operate/keys/${id}/revoke`, '')
    expect(changes).toEqual([`${id} usage,admin`, `revoke ${id}`])
  })

  test.each([
    ['/operate/keys', '{', /^body: /],
    ['/operate/keys', { name: 'x', scopes: ['root'] }, /^scopes: /],
    ['/operate/keys', { name: 'x', scopes: [] }, /^scopes: /],
    ['/operate/keys', { name: '', scopes: ['data'] }, /^name: expected text of 1 to 100 characters/],
    ['/operate/keys', { name: 'x', scopes: ['data'], more: 1 }, /^more: /],
  ])('reject POST %s with %j', async (url, body, message) => {
    const { status, json } = await post(url, body)
    expect([status, json['message']]).toEqual([400, expect.stringMatching(message)])
  })

  test.each(['/operate', '/operate/nothing', '/operate/peers', '/operate/keys/x/revoke', '/operate/log/..'])(
    'answer 404 for %s',
    async (url) => {
      expect((await ask(create(), { url })).outcome).toBe('OPERATE_ROUTE')
    },
  )

  test('hide the reason of a defect, which is logged', async () => {
    const errors: unknown[] = []
    const log = { info: () => undefined, error: (facts: object) => void errors.push(facts) }
    const failing = { ...keys, list: () => Promise.reject(new Error('secret')) }
    const operators = create({}, { parts: [{ keys: failing }], log })
    const { status, body } = await ask(operators, { url: '/operate/keys' })
    expect([status, body.includes('secret'), errors.length]).toEqual([500, false, 1])
  })

  test('join the data of the services of a process', async () => {
    const peer = { service: 'a', nodeId: 'n', address: 'x', version: '', trackedSubnets: [], lastReceived: 1 }
    const of = (service: string) => ({ peers: async () => ({ peers: [{ ...peer, service }], subnets: [] }) })
    const { json } = await ask(create({}, { parts: [of('a'), {}, of('b')] }), { url: '/operate/peers' })
    expect(json).toEqual({ peers: [peer, { ...peer, service: 'b' }], subnets: [] })
  })
})

describe('what a process reports', () => {
  test('is the tail of its log from a level, without secrets', async () => {
    const operators = create()
    const secret = texts.admin
    const write = (level: string, message: string, facts: object = {}) =>
      channel(LogEvent.CHANNEL).publish({ time: 5, level, message, facts } satisfies LogEvent.LogEvent)
    write('info', 'started')
    write('WARN', `cannot reach postgres://firn:hunter2@db:5432/firn?password=x with ${secret}`, {
      ...{
        apiKey: 'abc',
        authorization: 'Bearer abc',
        height: 7n,
        url: 'http://u:p@node:9650/ext?token=abc',
      },
      err: new Error(`failed with token=abc and PrivateKey-2ZGgL8Q17xdVr5kKyPPn`),
      request: { headers: { cookie: 'abc' } },
    })
    write('error', 'x'.repeat(5_000))
    const lines = async (query: string) =>
      (await ask(operators, { url: `/operate/log${query}` })).json['lines'] as Operators.LogLine[]
    expect((await lines('')).map(({ level }) => level)).toEqual(['info', 'warn', 'error'])
    expect((await lines('?level=warn&limit=1')).map(({ level }) => level)).toEqual(['error'])
    const [warning, error] = await lines('?level=warn')
    expect(warning?.message).toBe(
      `cannot reach postgres://[hidden]@db:5432/firn?[hidden] with ${secret.slice(0, 11)}[hidden]`,
    )
    expect(warning?.facts).toEqual({
      ...{ apiKey: '[hidden]', authorization: '[hidden]', height: '7', request: '{headers}' },
      url: 'http://[hidden]@node:9650/ext?[hidden]',
      err: 'failed with token=[hidden] and PrivateKey-[hidden]',
    })
    expect(JSON.stringify(warning)).not.toMatch(/hunter2|abc|:p@/)
    expect(error?.message.length).toBeLessThan(2_010)
    for (const query of ['?level=all', '?limit=0', '?limit=1001', '?limit=x'])
      expect((await ask(operators, { url: `/operate/log${query}` })).status).toBe(400)
    for (let count = 0; count < 1_500; count++) write('error', `line ${count}`)
    const all = await lines('?level=error&limit=1000')
    expect([all.length, all[0]?.message, all.at(-1)?.message]).toEqual([1_000, 'line 500', 'line 1499'])
  })

  test('is the health of upstreams and who exceeds limits', async () => {
    const operators = create({}, { now: () => 9_000 })
    let time = 0
    const observe = UpstreamMetrics.create('firn_test', new Registry(), { clock: { now: () => time } })
    for (const [milliseconds, failure] of [[10], [20, 'timeout']] as const) {
      const request = observe({ upstream: 'node:9650', methods: [] })
      time += milliseconds
      request.end(failure)
    }
    Refusals.publish({ service: 'test', caller: '10.0.0.1', limit: 'requests' })
    Refusals.publish({ service: 'test', caller: '10.0.0.1', limit: 'requests' })
    expect((await ask(operators, { url: '/operate/upstreams' })).json['upstreams']).toEqual([
      {
        ...{ service: 'firn_test', upstream: 'node:9650', isHealthy: false, requests: 2, failures: 1 },
        ...{ meanMilliseconds: 11, lastSuccess: 9, lastFailure: 9, lastError: 'timeout' },
      },
    ])
    expect((await ask(operators, { url: '/operate/limits' })).json).toEqual({
      limits: [],
      limited: [
        { service: 'test', caller: '10.0.0.1', limit: 'requests', refusals: 2, firstAt: 9, lastAt: 9 },
      ],
    })
  })
})

describe('routes of a fastify server', () => {
  const server = fastify()
  let url: string
  beforeAll(async () => {
    Operators.addRoutes(server, create())
    url = await server.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => server.close())

  test('answer callers of this machine, and allow no other origin', async () => {
    const answer = await fetch(`${url}/operate/log`)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const body = JSON.stringify({ name: 'me', scopes: ['data'] })
    const headers = { 'content-type': 'application/json' }
    const created = await fetch(`${url}/operate/keys`, { method: 'POST', headers, body })
    expect(await created.json()).toEqual({ key: 'created me' })
    const preflight = await fetch(`${url}/operate/keys`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(403)
    for (const { headers } of [answer, created, preflight])
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  test('reject bodies that a form of another site can send, and bodies that are too large', async () => {
    const post = (type: string, body: string) =>
      fetch(`${url}/operate/keys`, { method: 'POST', headers: { 'content-type': type }, body })
    expect((await post('text/plain', '{}')).status).toBe(415)
    expect((await post('application/json', ' '.repeat(Operators.MAX_BODY + 1))).status).toBe(413)
  })
})
