import { randomBytes } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { ApiKey, Refusals } from '@firn/http'
import { LogEvent } from '@firn/runtime'
import { UpstreamMetrics } from '@firn/tracing'
import fastify from 'fastify'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as LocalAccess from './LocalAccess.ts'
import * as Operators from './Operators.ts'

const TOKEN = 'firnop_test'
const local = LocalAccess.create(TOKEN, { now: () => 0, random: randomBytes })

const changes: string[] = []
const keys: Operators.KeyStore = {
  list: async () => [],
  create: async ({ name }) => `created ${name}`,
  setScopes: async (keyId, scopes) => void changes.push(`${keyId} ${scopes}`),
  revoke: async (keyId) => void changes.push(`revoke ${keyId}`),
}

const made: Operators.Operators[] = []
const create = (more: Partial<Operators.OperatorsOptions> = {}) => {
  const operators = Operators.create({ parts: [{ keys }], local, version: '0', ...more })
  made.push(operators)
  return operators
}
afterAll(() => {
  for (const one of made) one.close()
})

interface Sent {
  readonly method?: string
  readonly url?: string
  readonly body?: string
}

const ask = async (operators: Operators.Operators, sent: Sent = {}) => {
  const { method = 'GET', url = '/operate/log', body = '' } = sent
  const headers = { host: '127.0.0.1:8700', [Operators.TOKEN_HEADER]: TOKEN }
  const socket = { remoteAddress: '127.0.0.1' }
  const answer = await Operators.answer({ method, url, headers, socket, body }, operators)
  const json = JSON.parse(answer.body) as Record<string, unknown>
  return { ...answer, json, outcome: answer.status === 200 ? 'served' : json['code'] }
}

describe('endpoints', () => {
  const post = (url: string, body: unknown) =>
    ask(create(), { method: 'POST', url, body: typeof body === 'string' ? body : JSON.stringify(body) })

  test('creates a key, replaces its scopes and revokes it', async () => {
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
  ])('rejects POST %s with %j', async (url, body, message) => {
    const { status, json } = await post(url, body)
    expect([status, json['message']]).toEqual([400, expect.stringMatching(message)])
  })

  test.each(['/operate', '/operate/nothing', '/operate/peers', '/operate/keys/x/revoke', '/operate/log/..'])(
    'answers 404 for %s',
    async (url) => {
      expect((await ask(create(), { url })).outcome).toBe('OPERATE_ROUTE')
    },
  )

  test('logs the reason of a defect, and does not return it', async () => {
    const errors: unknown[] = []
    const log = { info: () => undefined, error: (facts: object) => void errors.push(facts) }
    const failing = { ...keys, list: () => Promise.reject(new Error('secret')) }
    const operators = create({ parts: [{ keys: failing }], log })
    const { status, body } = await ask(operators, { url: '/operate/keys' })
    expect([status, body.includes('secret'), errors.length]).toEqual([500, false, 1])
  })

  test('joins the data of the services of a process', async () => {
    const peer = { service: 'a', nodeId: 'n', address: 'x', version: '', trackedSubnets: [], lastReceived: 1 }
    const of = (service: string) => ({ peers: async () => ({ peers: [{ ...peer, service }], subnets: [] }) })
    const { json } = await ask(create({ parts: [of('a'), {}, of('b')] }), { url: '/operate/peers' })
    expect(json).toEqual({ peers: [peer, { ...peer, service: 'b' }], subnets: [] })
  })
})

describe('what a process reports', () => {
  test('is the tail of its log from a level, without secrets', async () => {
    const operators = create()
    const secret = ApiKey.generate(randomBytes)
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
    const operators = create({ now: () => 9_000 })
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
  const SIGNED_IN = { [Operators.TOKEN_HEADER]: TOKEN }
  const server = fastify()
  let url: string
  beforeAll(async () => {
    Operators.addRoutes(server, create())
    url = await server.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => server.close())

  test('answers operators, and allows no other origin', async () => {
    const answer = await fetch(`${url}/operate/log`, { headers: SIGNED_IN })
    expect((await fetch(`${url}/operate/log`)).status).toBe(401)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const body = JSON.stringify({ name: 'me', scopes: ['data'] })
    const headers = { ...SIGNED_IN, 'content-type': 'application/json' }
    const created = await fetch(`${url}/operate/keys`, { method: 'POST', headers, body })
    expect(await created.json()).toEqual({ key: 'created me' })
    const preflight = await fetch(`${url}/operate/keys`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(401)
    for (const { headers } of [answer, created, preflight])
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  test('rejects bodies that a form of another site can send, and bodies that are too large', async () => {
    const post = (type: string, body: string) =>
      fetch(`${url}/operate/keys`, { method: 'POST', headers: { ...SIGNED_IN, 'content-type': type }, body })
    expect((await post('text/plain', '{}')).status).toBe(415)
    expect((await post('application/json', ' '.repeat(Operators.MAX_BODY + 1))).status).toBe(413)
  })
})
