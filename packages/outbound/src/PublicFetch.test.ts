import { getEventListeners } from 'node:events'
import nodeHttp from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as PublicFetch from './PublicFetch.ts'
import {
  GOOD,
  type HostileServers,
  hostileNames,
  PUBLIC,
  startHostileServers,
} from './testing/hostileServers.ts'
import { CERTIFICATE } from './testing/testCertificate.ts'

let servers: HostileServers
const forever = new AbortController().signal

const fetchWith = (options: Partial<PublicFetch.Policy> = {}): PublicFetch.PublicFetch =>
  PublicFetch.create({
    resolve: hostileNames(),
    isPublic: (address) => address === PUBLIC,
    plainHttp: true,
    ports: [servers.ports.http, servers.ports.https],
    ca: CERTIFICATE,
    ...options,
  })
const http = (path: string): URL => new URL(`http://public.test:${servers.ports.http}/${path}`)
const https = (host: string, path = 'good'): URL => new URL(`https://${host}:${servers.ports.https}/${path}`)

beforeAll(async () => {
  servers = await startHostileServers()
})
afterAll(() => servers.close())

describe('TLS', () => {
  test('verifies the certificate for the host name in the URL when it connects to a checked address', async () => {
    const fetched = await fetchWith()(https('also.test'), undefined, forever)
    expect('bytes' in fetched && new TextDecoder().decode(fetched.bytes)).toBe(GOOD)
    expect(servers.requests.at(-1)?.headers.host).toBe(`also.test:${servers.ports.https}`)
  })

  test('rejects certificates of another name or of an unknown issuer, and certificates that do not list the IP address', async () => {
    const failure = { failure: 'connection' }
    expect(await fetchWith()(https('other.test'), undefined, forever)).toEqual(failure)
    expect(await fetchWith({ ca: undefined })(https('public.test'), undefined, forever)).toEqual(failure)
    expect(await fetchWith()(https(PUBLIC), undefined, forever)).toEqual(failure)
    expect(
      await fetchWith()(new URL(`https://public.test:${servers.ports.http}/`), undefined, forever),
    ).toEqual(failure)
  })

  test('rejects invalid certificates even if the process disables verification', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const fetched = await fetchWith({ ca: undefined })(https('public.test'), undefined, forever)
    vi.unstubAllEnvs()
    expect(fetched).toEqual({ failure: 'connection' })
  })
})

test('rejects http: URLs, and redirects from https: to http:, unless http: is allowed', async () => {
  const fetch = fetchWith({ plainHttp: false })
  expect(await fetch(http('good'), undefined, forever)).toEqual({ failure: 'uri-scheme' })
  const redirected = https('public.test', 'redirect-rebound')
  expect(await fetch(redirected, undefined, forever)).toEqual({ failure: 'uri-scheme' })
  expect(await fetch(https('public.test', 'chain-3'), undefined, forever)).toHaveProperty('bytes')
})

test('sends no identifying headers except the user agent, and sends no cookies back after a redirect', async () => {
  await fetchWith({ userAgent: 'a-name' })(http('chain-2?a=b#fragment'), undefined, forever)
  const [first, ...others] = servers.requests.slice(-3)
  expect(first?.url).toBe('/chain-2?a=b')
  for (const { headers } of [first, ...others].filter((request) => request !== undefined))
    expect(headers).toEqual({
      host: `public.test:${servers.ports.http}`,
      accept: expect.stringContaining('application/json'),
      'accept-encoding': 'gzip, br',
      'user-agent': 'a-name',
      connection: 'close',
    })
})

test('ignores the proxy settings of the process', async () => {
  const { globalAgent } = nodeHttp
  const proxyEnv = { HTTP_PROXY: `http://127.0.0.1:${servers.ports.inside}` }
  nodeHttp.globalAgent = new nodeHttp.Agent({ proxyEnv })
  const fetched = await fetchWith()(http('good'), undefined, forever)
  nodeHttp.globalAgent = globalAgent
  expect(fetched).toHaveProperty('bytes')
  expect(servers.reached()).toBe(0)
})

describe('gateway', () => {
  const gateway = () => `http://${PUBLIC}:${servers.ports.http}/`

  test("allows http: and internal addresses for a gateway, but only for URLs below the gateway's URL", async () => {
    const inside = { isPublic: () => false, plainHttp: false, ports: [] }
    expect(await fetchWith(inside)(new URL(`${gateway()}good`), gateway(), forever)).toHaveProperty('bytes')
    const beside = await fetchWith(inside)(new URL(`${gateway()}good`), `${gateway()}ipfs/`, forever)
    expect(beside).toEqual({ failure: 'uri-scheme' })
  })

  test('resolves the name of a gateway with the system’s resolver', async () => {
    const named = `http://gateway:${servers.ports.http}/`
    const fetch = fetchWith({ resolveGateway: async (name) => (name === 'gateway' ? [PUBLIC] : []) })
    expect(await fetch(new URL(`${named}good`), named, forever)).toHaveProperty('bytes')
    expect(await fetch(new URL(`${named}good`), undefined, forever)).toEqual({ failure: 'name-not-found' })
  })

  test('checks a redirect from a gateway to another server like any other URL', async () => {
    const fetched = await fetchWith()(new URL(`${gateway()}redirect-loopback`), gateway(), forever)
    expect(fetched).toEqual({ failure: 'uri-port' })
    const open = { ports: [servers.ports.http, servers.ports.inside] }
    const allowed = await fetchWith(open)(new URL(`${gateway()}redirect-loopback`), gateway(), forever)
    expect(allowed).toEqual({ failure: 'uri-address' })
    expect(servers.reached()).toBe(0)
  })
})

test('tries the next address if the first does not answer', async () => {
  const resolve = async () => ['127.0.0.3', PUBLIC]
  const fetched = await fetchWith({ resolve, isPublic: (a) => a.startsWith('127.0.0.') })(
    http('good'),
    undefined,
    forever,
  )
  expect(fetched).toHaveProperty('bytes')
})

test('parses a retry-after header with seconds and with a date', async () => {
  expect(await fetchWith()(http('status-429'), undefined, forever)).toEqual({
    failure: 'throttled',
    retryAfterSeconds: 120,
  })
  expect(await fetchWith()(http('status-429-bare'), undefined, forever)).toEqual({ failure: 'throttled' })
  const dated = await fetchWith()(http('status-503-later'), undefined, forever)
  expect('retryAfterSeconds' in dated && dated.retryAfterSeconds).toBeGreaterThan(200)
})

test('leaves no listeners on a long-lived signal', async () => {
  const stop = new AbortController()
  for (const path of ['good', 'chain-2', 'gzip-bomb', 'breaks-off-late', 'status-404', 'redirect-file'])
    await fetchWith()(http(path), undefined, stop.signal)
  expect(getEventListeners(stop.signal, 'abort')).toEqual([])
})

describe('abort', () => {
  test.each(['silent', 'drip-body', 'endless-body'])(
    'stops a fetch of the path "%s" on abort and rejects with the signal\'s reason',
    async (path) => {
      const stop = new AbortController()
      const fetching = fetchWith({ bodyBytes: 2 ** 40 })(http(path), undefined, stop.signal)
      const reason = new Error('enough')
      setTimeout(() => stop.abort(reason), 100)
      await expect(fetching).rejects.toBe(reason)
    },
  )

  test('stops a pending name lookup on abort', async () => {
    const stop = new AbortController()
    const fetching = fetchWith({ resolve: () => new Promise(() => {}) })(http('good'), undefined, stop.signal)
    stop.abort()
    await expect(fetching).rejects.toHaveProperty('name', 'AbortError')
  })
})

test("returns a failure if the DNS lookup of a URL's host never ends or fails", async () => {
  const never = fetchWith({ resolve: () => new Promise(() => {}), totalMs: 100 })
  expect(await never(http('good'), undefined, forever)).toEqual({ failure: 'timeout' })
  const failing = fetchWith({ resolve: () => Promise.reject(new Error('SERVFAIL')) })
  expect(await failing(http('good'), undefined, forever)).toEqual({ failure: 'name-not-found' })
})

test('accepts a body of the maximum size, and rejects a body that is one byte larger', async () => {
  const length = GOOD.length
  for (const path of ['good', 'good-gzip', 'good-brotli', 'good-chunks', 'no-type']) {
    const exact = await fetchWith({ bodyBytes: Math.max(length, 100) })(http(path), undefined, forever)
    expect('bytes' in exact && exact.bytes.length).toBe(length)
    expect(await fetchWith({ bodyBytes: length - 1 })(http(path), undefined, forever)).toEqual({
      failure: 'too-large',
    })
  }
})
