import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { createDataApi, createKey, type DataApiService, listKeys } from '@firn/data-api'
import { createLocalOperator } from '@firn/operate/testing'
import type { Store } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROXY_SERVERS, programPath, type RunningProxy, startProxy } from './testing/realProxies.ts'

const operator = createLocalOperator()
let store: Store
let keys: readonly unknown[]
let key: string
beforeAll(async () => {
  store = await recordedStore('local')
  const admin = {
    name: 'mine',
    scopes: ['admin'],
    unitsPerMinute: undefined,
    unitsPerDay: undefined,
  } as const
  key = await createKey(store, admin, randomBytes, 1_795_000_000)
  keys = await listKeys(store)
})

const serve = (proxies: number, unitsPerMinute: number): Promise<DataApiService> => {
  const limits = { unitsPerMinute, unitsPerDay: 100_000 }
  return createDataApi({
    ...{ store, local: operator.local, host: '127.0.0.1', port: 0, version: '0', aggregateStatus: 200 },
    ...{ limits: { anonymous: limits, keyed: limits }, timeoutMs: 600_000, proxies },
  })
}

interface Sent {
  readonly method?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request and returns its status. Unlike `fetch`, it can set the host. */
const ask = (port: number, path: string, { method = 'GET', body = '', headers = {} }: Sent = {}) =>
  new Promise<number>((resolve, reject) => {
    const type = body === '' ? {} : { 'content-type': 'application/json' }
    const options = { host: '127.0.0.1', port, path, method, headers: { ...type, ...headers } }
    const sent = request(options, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.on('error', reject).end(body)
  })

/** What an attacker claims with headers. */
const CLAIMS: readonly Readonly<Record<string, string>>[] = [
  {},
  ...['localhost', '127.0.0.1', 'machine.example', '127.0.0.999'].map((host) => ({ host })),
  { host: 'localhost', 'x-forwarded-for': '127.0.0.1' },
  { host: 'localhost', 'x-forwarded-for': '127.0.0.1, 127.0.0.1', 'x-real-ip': '127.0.0.1' },
  { host: 'localhost', connection: 'close, x-forwarded-for' },
  { host: 'localhost', origin: 'http://localhost', 'sec-fetch-site': 'same-origin' },
]

describe.each(Object.entries(PROXY_SERVERS))('behind %s', (_name, [server, addsHeader]) => {
  const tags = ['proxies']
  const test = it.runIf(programPath(server.program) !== undefined)
  let service: DataApiService | undefined
  let proxy: RunningProxy | undefined
  const open = async (proxies: number, unitsPerMinute: number) => {
    await close()
    service = await serve(proxies, unitsPerMinute)
    proxy = await startProxy(server, Number(new URL(service.url).port))
    return proxy.port
  }
  const close = async () => {
    await proxy?.close()
    await service?.close()
    proxy = undefined
    service = undefined
  }
  // A failed test leaves its proxy to the next one.
  afterAll(close)

  test('nobody becomes an operator without an admin key', { tags }, async () => {
    const create = { method: 'POST', body: '{"name":"attacker","scopes":["admin"]}' }
    for (const proxies of [0, 1, 2]) {
      const port = await open(proxies, 10_000)
      for (const headers of CLAIMS) {
        const statuses = [
          await ask(port, '/operate/keys', { headers }),
          await ask(port, '/operate/keys', { ...create, headers }),
          await ask(port, '/operate/log', { headers }),
          await ask(port, '/v1/apiLogs', { headers }),
        ]
        expect([headers, statuses.filter((status) => ![400, 401, 403].includes(status))]).toEqual([
          headers,
          [],
        ])
      }
      const stolen = await ask(port, '/operate/keys', { headers: { host: 'localhost', ...operator.headers } })
      if (addsHeader) expect(stolen).toBe(401)
      expect(await ask(port, '/operate/keys', { headers: { 'x-data-api-key': key } })).toBe(200)
      await close()
    }
    expect(await listKeys(store)).toEqual(keys)
  })

  test('callers are limited by their addresses with --proxies 1', { tags }, async () => {
    const port = await open(1, 60)
    const path = '/v1/networks/local/subnets'
    // Without the header, nobody knows the callers, so they are refused instead of sharing a limit.
    expect(await ask(port, path)).toBe(addsHeader ? 200 : 400)
    if (addsHeader) {
      const statuses = []
      for (let i = 0; i < 4; i++)
        statuses.push(await ask(port, path, { headers: { 'x-forwarded-for': `198.51.100.${i}` } }))
      expect(statuses).toContain(429)
    }
    expect(await ask(port, '/health')).toBe(200)
    await close()
  })
})
