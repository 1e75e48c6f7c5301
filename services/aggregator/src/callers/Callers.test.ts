import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OperatorSocket } from '@firn/http'
import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, GO_PATH, message, PATH, setUp } from '../testing/app.ts'

afterEach(closeAll)

const LIMIT = 3
type Settings = NonNullable<NonNullable<Parameters<typeof setUp>[0]>['configuration']>

/** Sends one more request than the limit allows, each with different headers. Returns the statuses. */
async function exhaust(settings: Settings, headersOf: (attempt: number) => Record<string, string>) {
  const { post } = await setUp({ configuration: { rateLimitPerMinute: LIMIT, ...settings } })
  const statuses = []
  for (let i = 0; i <= LIMIT; i++) statuses.push((await post({ message }, { headers: headersOf(i) })).status)
  return statuses
}

const ALL_SERVED = [200, 200, 200, 200]
const LIMITED = [200, 200, 200, 429]

describe('rate limit by address', () => {
  // The connection of the test comes from 127.0.0.1.
  it.each<[string, Settings]>([
    ['without proxies', {}],
    ['behind one proxy', { proxies: 1 }],
    ['behind a trusted proxy', { trustedProxies: ['127.0.0.1'] }],
  ])(
    'counts requests with a forged x-forwarded-for header against one rate limit %s',
    async (_name, settings) => {
      const forged = (i: number) => ({ 'x-forwarded-for': `6.6.6.${i}, 203.0.113.9` })
      expect(await exhaust(settings, forged)).toEqual(LIMITED)
    },
  )

  it('ignores the x-forwarded-for header of a peer that is not a trusted proxy', async () => {
    const forged = (i: number) => ({ 'x-forwarded-for': `203.0.113.${i}` })
    expect(await exhaust({ trustedProxies: ['10.0.0.0/8'] }, forged)).toEqual(LIMITED)
  })

  it('shares one rate limit among all IPv6 addresses of a /64 network, but not with other networks', async () => {
    const near = (i: number) => ({ 'x-forwarded-for': `2001:db8:0:1::${i}` })
    const far = (i: number) => ({ 'x-forwarded-for': `2001:db8:0:${i}::1` })
    expect(await exhaust({ proxies: 1 }, near)).toEqual(LIMITED)
    expect(await exhaust({ proxies: 1 }, far)).toEqual(ALL_SERVED)
  })
})

describe('rate limit of an IPv6 /48', () => {
  it('is 16 times the limit of a /64, and counts each message of a batch', async () => {
    const { post } = await setUp({ configuration: { proxies: 1, rateLimitPerMinute: LIMIT } })
    const from = (address: string, body: object, url = PATH) =>
      post(body, { url, headers: { 'x-forwarded-for': address } })
    const networks = Array.from({ length: 16 }, (_, i) => `2001:db8:0:${i}::1`)
    for (const address of networks)
      for (let i = 0; i < LIMIT; i++) expect((await from(address, { message })).status).toBe(200)
    const { status, headers } = await from('2001:db8:0:ff::1', { message })
    expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true])
    expect((await from('2001:db8:1::1', { message })).status).toBe(200)
    expect((await from('203.0.113.9', { message })).status).toBe(200)
    const batch = { messages: Array.from({ length: LIMIT }, () => ({ message })) }
    for (const address of networks)
      expect((await from(address.replace('db8', 'db9'), batch, `${PATH}:batch`)).status).toBe(200)
    expect((await from('2001:db9:0:ff::1', { message })).status).toBe(429)
  })
})

describe('a request that did not pass all proxies', () => {
  it.each([PATH, GO_PATH, '/nothing', '/docs', '/openapi.json'])(
    'is refused at %s, whatever its header claims',
    async (url) => {
      const { post, server } = await setUp({ configuration: { proxies: 2 } })
      for (const headers of [{}, { 'x-forwarded-for': '127.0.0.1' }, { 'x-forwarded-for': 'x, 127.0.0.1' }]) {
        const answers = [await post({ message }, { url, headers }), await server.inject({ url, headers })]
        for (const answer of answers) {
          const { status, body } =
            'statusCode' in answer ? { status: answer.statusCode, body: answer.json() } : answer
          expect([status, JSON.stringify(body)]).toEqual([
            400,
            expect.stringContaining('x-forwarded-for: expected'),
          ])
        }
      }
    },
  )

  it('is served at /health and /metrics, which answer probes directly', async () => {
    const { server } = await setUp({ configuration: { proxies: 2 } })
    for (const url of ['/health', '/metrics']) expect((await server.inject(url)).statusCode).not.toBe(400)
  })
})

describe('rate limit of rejected requests', () => {
  it.each(['/docs', '/docs/', '/docs/js/scalar.js', '/docs/none', '/openapi.json'])(
    'counts requests for %s',
    async (url) => {
      const { server } = await setUp({ configuration: { rateLimitPerMinute: 1 } })
      expect((await server.inject('/docs')).statusCode).toBe(301)
      expect((await server.inject(url)).statusCode).toBe(429)
    },
  )

  it("counts requests with guessed API keys against the address's rate limit", async () => {
    const { server, post } = await setUp({ configuration: { rateLimitPerMinute: LIMIT, apiKeys: ['right'] } })
    const guess = (i: number) => post({ message }, { headers: { 'x-data-api-key': `guess ${i}` } })
    for (let i = 0; i < LIMIT; i++) {
      const { status, headers } = await guess(i)
      expect([status, headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual([
        401,
        String(LIMIT),
        String(LIMIT - 1 - i),
      ])
    }
    expect((await guess(LIMIT)).status).toBe(429)
    expect((await server.inject({ method: 'POST', url: PATH })).statusCode).toBe(429)
    expect((await post({ message }, { headers: { 'x-data-api-key': 'right' } })).status).toBe(200)
  })

  it('counts requests for unknown paths against the rate limit', async () => {
    const { server } = await setUp({ configuration: { rateLimitPerMinute: LIMIT } })
    const statuses = []
    for (let i = 0; i <= LIMIT; i++) {
      const { statusCode, headers } = await server.inject(`/nothing/${i}`)
      expect(headers['ratelimit-limit']).toBe(String(LIMIT))
      statuses.push(statusCode)
    }
    expect(statuses).toEqual([404, 404, 404, 429])
  })
})

describe('default rate limit', () => {
  type Caller = Readonly<Record<string, string>>
  /** Returns the limit that a response announces; undefined if the caller has none. */
  async function limitOf(
    url: string,
    settings: Settings = {},
    headers: Caller = {},
    remoteAddress = '127.0.0.1',
  ) {
    const { post } = await setUp({ configuration: settings })
    const response = await post({ message }, { url, headers, remoteAddress })
    return response.headers['ratelimit-limit']
  }

  const KEYED = { apiKeys: ['right'] }
  const RIGHT = { 'x-data-api-key': 'right' }

  it('applies to every caller that is only an address, because a proxy on this machine has the same one', async () => {
    for (const address of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])
      expect(await limitOf(GO_PATH, {}, {}, address)).toBe('600')
  })

  it('does not apply to programs on this machine that use the route of the Go service with a key', async () => {
    for (const address of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])
      expect(await limitOf(GO_PATH, KEYED, RIGHT, address)).toBeUndefined()
    expect(await limitOf(PATH, KEYED, RIGHT)).toBe('600')
    expect(await limitOf(GO_PATH, KEYED, RIGHT, '10.0.0.1')).toBe('600')
    expect(await limitOf(GO_PATH, KEYED, { ...RIGHT, via: '1.1 proxy' })).toBe('600')
  })

  it('does not apply to callers that --unlimited-callers names, with any limit', async () => {
    const settings = { unlimitedCallers: ['127.0.0.1', '10.0.0.0/8'], rateLimitPerMinute: 7 }
    for (const address of ['127.0.0.1', '10.9.9.9', '::ffff:10.0.0.1'])
      for (const url of [GO_PATH, PATH]) expect(await limitOf(url, settings, {}, address)).toBeUndefined()
    expect(await limitOf(GO_PATH, settings, {}, '127.0.0.2')).toBe('7')
    expect(await limitOf(GO_PATH, settings, { 'x-forwarded-for': '10.0.0.1' })).toBe('7')
    expect(await limitOf(GO_PATH, settings, { origin: 'https://app.test' })).toBe('7')
    const behind = { ...settings, proxies: 1 }
    expect(await limitOf(GO_PATH, behind, { 'x-forwarded-for': '127.0.0.1, 10.0.0.1' })).toBeUndefined()
    expect(await limitOf(GO_PATH, behind, { 'x-forwarded-for': '10.0.0.1, 203.0.113.9' })).toBe('7')
  })

  it('does not apply on the operator socket', async () => {
    const { server } = await setUp({ configuration: { rateLimitPerMinute: 7 } })
    await server.ready()
    const folder = mkdtempSync(join(tmpdir(), 'firn-callers-'))
    const socketPath = join(folder, 'operator.sock')
    const socket = await OperatorSocket.serve(server.server, socketPath)
    const limit = (headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        const sent = request({ socketPath, path: GO_PATH, method: 'POST', headers }, (answer) => {
          answer.resume()
          resolve(answer.headers['ratelimit-limit'])
        })
        sent.on('error', reject).end(JSON.stringify({ message }))
      })
    expect([await limit({}), await limit({ forwarded: 'for=203.0.113.9' })]).toEqual([undefined, '7'])
    await socket?.close()
    rmSync(folder, { recursive: true })
  })

  it('applies to callers from elsewhere, and to requests that a proxy may have forwarded', async () => {
    expect(await limitOf(GO_PATH, {}, {}, '10.0.0.1')).toBe('600')
    expect(await limitOf(GO_PATH, { proxies: 1 }, { 'x-forwarded-for': '127.0.0.1' })).toBe('600')
    expect(await limitOf(GO_PATH, { trustedProxies: ['10.0.0.0/8'] })).toBe('600')
    for (const name of ['x-forwarded-for', 'X-Forwarded-Host', 'Forwarded', 'Via', 'X-Real-IP']) {
      expect(await limitOf(GO_PATH, KEYED, { ...RIGHT, [name]: '127.0.0.1' })).toBe('600')
    }
  })

  it('applies to scripts in a browser on this machine', async () => {
    expect(await limitOf(GO_PATH, KEYED, { ...RIGHT, origin: 'https://app.test' })).toBe('600')
  })

  it('applies to guessed API keys from this machine', async () => {
    expect(await limitOf(GO_PATH, { apiKeys: ['right'] }, { 'x-data-api-key': 'wrong' })).toBe('600')
  })

  it('is replaced by a limit that is given, which applies to programs on this machine too', async () => {
    expect(await limitOf(GO_PATH, { ...KEYED, rateLimitPerMinute: 7 }, RIGHT)).toBe('7')
    expect(await limitOf(GO_PATH, { ...KEYED, rateLimitPerMinute: 600 }, RIGHT)).toBe('600')
  })
})
