import type { DueToken } from '@firn/evm-store'
import { PublicAddress, PublicFetch } from '@firn/outbound'
import {
  CERTIFICATE,
  type HostileServers,
  hostileNames,
  PATHS,
  PUBLIC,
  startHostileServers,
} from '@firn/outbound/testing'
import { systemClock } from '@firn/runtime'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createMemoryQueue } from '../testing/memoryQueue.ts'
import { type Failure, STATUS_OF } from './Failure.ts'
import { createMetadataWorker } from './MetadataWorker.ts'
import { createTokenTry } from './TokenTry.ts'
import * as TokenUri from './TokenUri.ts'

type Expected = Failure | 'indexed'

/** Expected outcome for each path of the hostile servers. */
const OF_PATH: Readonly<Record<string, Expected>> = {
  good: 'indexed',
  'good-gzip': 'indexed',
  'good-brotli': 'indexed',
  'good-chunks': 'indexed',
  silent: 'timeout',
  'drip-headers': 'timeout',
  'drip-body': 'timeout',
  'informational-flood': 'timeout',
  'endless-headers': 'connection',
  'endless-header': 'connection',
  'endless-body': 'too-large',
  'endless-chunks': 'too-large',
  'endless-chunk-extension': 'connection',
  'endless-trailers': 'connection',
  'gzip-bomb': 'too-large',
  'brotli-bomb': 'too-large',
  'gzip-members': 'too-large',
  'gzip-of-nothing': 'too-large',
  'gzip-twice': 'encoding',
  'gzip-broken': 'encoding',
  'gzip-cut': 'encoding',
  'unknown-encoding': 'encoding',
  'claims-more': 'connection',
  'claims-10-GB': 'too-large',
  'claims-less': 'indexed',
  'claims-nonsense': 'connection',
  'claims-twice': 'connection',
  'claims-both': 'connection',
  'no-http': 'connection',
  'breaks-off': 'connection',
  'breaks-off-late': 'connection',
  upgrade: 'connection',
  'status-204': 'http-status',
  'status-206': 'http-status',
  'status-404': 'http-status',
  'status-500': 'http-status',
  'status-503': 'http-status',
  'status-429': 'throttled',
  'status-429-bare': 'throttled',
  'status-503-later': 'throttled',
  html: 'not-json',
  'html-good': 'indexed',
  picture: 'content-type',
  'event-stream': 'content-type',
  'lying-type': 'not-json',
  'no-type': 'indexed',
  empty: 'not-json',
  'json-deep': 'too-deep',
  'json-deep-open': 'not-json',
  'json-100-MB': 'too-large',
  'json-array': 'not-object',
  'json-error': 'no-members',
  'json-nul': 'indexed',
  loop: 'redirects',
  'loop-two': 'redirects',
  'loop-three': 'redirects',
  'chain-1': 'indexed',
  'chain-2': 'indexed',
  'chain-3': 'indexed',
  'redirect-garbage': 'redirects',
  'redirect-bare': 'http-status',
  'redirect-file': 'uri-scheme',
  'redirect-ftp': 'uri-scheme',
  'redirect-data': 'uri-scheme',
  'redirect-gopher': 'uri-scheme',
  'redirect-credentials': 'uri-credentials',
  'redirect-port': 'uri-port',
  'redirect-loopback': 'uri-address',
  'redirect-localhost': 'uri-address',
  'redirect-decimal': 'uri-address',
  'redirect-octal': 'uri-address',
  'redirect-hex': 'uri-address',
  'redirect-wide-digits': 'uri-address',
  'redirect-any': 'uri-address',
  'redirect-ipv6': 'uri-address',
  'redirect-ipv6-mapped': 'uri-address',
  'redirect-nat64': 'uri-address',
  'redirect-cloud': 'uri-address',
  'redirect-rebound': 'indexed',
  'redirect-same-host': 'connection',
}

/**
 * Expected outcome for each hostile token URI. `H` and `I` stand for the ports of the public and the internal
 * server.
 */
const OF_URI: Readonly<Record<string, Expected>> = {
  'http://127.0.0.1:I/': 'uri-address',
  'http://127.1:I/': 'uri-address',
  'http://2130706433:I/': 'uri-address',
  'http://0177.0.0.1:I/': 'uri-address',
  'http://0x7f000001:I/': 'uri-address',
  'http://127.0.0.1.:I/': 'uri-address',
  'http://１２７.0.0.1:I/': 'uri-address',
  'http:\\\\127.0.0.1:I\\': 'uri-address',
  'http:127.0.0.1:I': 'uri-address',
  'ht\ntp://127.0.\t0.1:I/': 'uri-syntax',
  'http://127.0.\t0.1:I/': 'uri-address',
  'http://0.0.0.0:I/': 'uri-address',
  'http://[::]:I/': 'uri-address',
  'http://[::1]:I/': 'uri-address',
  'http://[::ffff:127.0.0.1]:I/': 'uri-address',
  'http://[::ffff:7f00:1]:I/': 'uri-address',
  'http://[::127.0.0.1]:I/': 'uri-address',
  'http://[64:ff9b::127.0.0.1]:I/': 'uri-address',
  'http://[2002:7f00:1::]:I/': 'uri-address',
  'http://[fe80::1]:I/': 'uri-address',
  'http://[fd00:ec2::254]:I/': 'uri-address',
  'http://10.0.0.1:I/': 'uri-address',
  'http://172.16.0.1:I/': 'uri-address',
  'http://192.168.0.1:I/': 'uri-address',
  'http://100.64.0.1:I/': 'uri-address',
  'http://169.254.169.254:H/latest/meta-data/': 'uri-address',
  'http://224.0.0.1:I/': 'uri-address',
  'http://255.255.255.255:I/': 'uri-address',
  'http://localhost.test:I/': 'uri-address',
  'http://private.test:I/': 'uri-address',
  'http://cloud.test:H/': 'uri-address',
  'http://ipv6.test:I/': 'uri-address',
  'http://mapped.test:I/': 'uri-address',
  'http://nonsense.test:I/': 'uri-address',
  'http://mixed.test:H/good': 'uri-address',
  'http://mixed-late.test:H/good': 'uri-address',
  'http://nowhere.test:H/good': 'name-not-found',
  'http://localhost:I/': 'name-not-found',
  'http://public.test:22/': 'uri-port',
  'http://public.test:6379/': 'uri-port',
  'http://public.test/': 'uri-port',
  'http://user@public.test:H/good': 'uri-credentials',
  'http://:password@public.test:H/good': 'uri-credentials',
  'http://public.test:H@127.0.0.1:I/': 'uri-credentials',
  'http://127.0.0.1:I#@public.test:H/': 'uri-address',
  'http://public.test:99999/': 'uri-syntax',
  'http://': 'uri-syntax',
  'file:///etc/passwd': 'uri-scheme',
  'ftp://public.test/': 'uri-scheme',
  'gopher://127.0.0.1:6379/_FLUSHALL': 'uri-scheme',
  'javascript:alert(1)': 'uri-scheme',
  'blob:http://127.0.0.1:I/': 'uri-scheme',
  'dict://127.0.0.1:11211/stats': 'uri-scheme',
  'unix:/var/run/docker.sock': 'uri-scheme',
  'ipfs://../../api/v0/shutdown': 'uri-syntax',
  '/etc/passwd': 'uri-syntax',
  [`http://public.test:H/${'a'.repeat(10_000)}`]: 'uri-too-long',
  [`data:application/json,{"name":"${'x'.repeat(300_000)}"}`]: 'too-large',
  [`data:application/json;base64,${'e'.repeat(100_000_000)}`]: 'too-large',
  [`data:application/json,${'['.repeat(200_000)}`]: 'not-json',
  'data:application/json;base64,%%%': 'uri-syntax',
  'data:image/svg+xml,<svg/>': 'content-type',
  '': 'no-uri',
  ' \0 ': 'no-uri',
}

let servers: HostileServers
const stop = new AbortController()
const withPorts = (uri: string): string =>
  uri.replace(':H', `:${servers.ports.http}`).replace(':I', `:${servers.ports.inside}`)
const urlOf = (path: string): string => `http://public.test:${servers.ports.http}/${path}`
const token = (tokenId: bigint): DueToken => ({
  contract: new Uint8Array(20),
  tokenId,
  kind: 721,
  attempts: 0,
})

/**
 * Returns the production limits with changed ports and timeouts, and with one loopback address that is
 * treated as public.
 */
const policy = (expected: Expected = 'indexed'): Partial<PublicFetch.Policy> => ({
  // The timeout is short only in tests that wait for it.
  headersMs: expected === 'timeout' ? 500 : 60_000,
  totalMs: expected === 'timeout' ? 1_000 : 60_000,
  resolve: hostileNames(),
  isPublic: (address) => address === PUBLIC || PublicAddress.isPublic(address),
  plainHttp: true,
  ports: [servers.ports.http, servers.ports.https, servers.ports.inside],
  ca: CERTIFICATE,
})

const outcomeOf = async (uri: string, expected: Expected): Promise<Expected> => {
  const fetch = PublicFetch.create(policy(expected))
  const options = { fetch, gateways: TokenUri.GATEWAYS, clock: systemClock, perHost: 1, perGateway: 1 }
  const result = await createTokenTry(options)(token(0n), uri, stop.signal)
  return 'metadata' in result ? 'indexed' : result.failure
}

beforeAll(async () => {
  servers = await startHostileServers()
})

afterAll(async () => {
  expect(servers.reached()).toBe(0)
  await servers.close()
})

test('lists an expected outcome for every path of the hostile servers', () => {
  expect(Object.keys(OF_PATH).sort()).toEqual([...PATHS].sort())
})

describe('tokens fetched one by one', () => {
  test.each(Object.entries(OF_PATH))(
    'returns the expected outcome for the server behaviour "%s": %s',
    async (path, expected) => {
      expect(await outcomeOf(urlOf(path), expected)).toBe(expected)
      expect(servers.reached()).toBe(0)
    },
  )

  test.each(Object.entries(OF_URI).map(([uri, expected]) => [uri.slice(0, 60), expected, uri] as const))(
    'returns the expected outcome for the token URI "%s": %s',
    async (_short, expected, uri) => {
      expect(await outcomeOf(withPorts(uri), expected)).toBe(expected)
      expect(servers.reached()).toBe(0)
    },
  )
})

test('resolves a host name only once per fetch, so a later change to an internal address has no effect', async () => {
  const resolve = vi.fn(hostileNames())
  const once = PublicFetch.create({ ...policy(), resolve })
  const url = new URL(`http://rebinds.test:${servers.ports.http}/good`)
  expect(await once(url, undefined, stop.signal)).toHaveProperty('bytes')
  expect(resolve).toHaveBeenCalledTimes(1)
  expect(await once(url, undefined, stop.signal)).toEqual({ failure: 'uri-address' })
})

test('checks the addresses of a host name again when the host redirects to itself', async () => {
  const url = new URL(`http://rebinds.test:${servers.ports.http}/chain-1`)
  expect(await PublicFetch.create(policy())(url, undefined, stop.signal)).toEqual({ failure: 'uri-address' })
})

describe('tokens fetched all at once', () => {
  test('stores the outcome of every token, indexes the valid tokens, and limits memory use', async () => {
    const attacks = [
      ...Object.entries(OF_PATH).map(([path, expected]) => [urlOf(path), expected] as const),
      ...Object.entries(OF_URI).map(([uri, expected]) => [withPorts(uri), expected] as const),
    ]
    // Each token has its own host, because a host that keeps failing is paused.
    const cases = [...attacks, ...attacks]
      .flatMap(([uri, expected]) => [[uri, expected] as const, [urlOf('good'), 'indexed'] as const])
      .map(([uri, expected], i) => [uri.replace('public.test', `t${i}.public.test`), expected] as const)
    const queue = createMemoryQueue()
    queue.add(...cases.map((_, i) => token(BigInt(i))))
    const faults: unknown[] = []
    const registry = new Registry()
    const worker = createMetadataWorker({
      queue,
      readUris: async (tokens) => tokens.map(({ tokenId }) => cases[Number(tokenId)]?.[0] ?? ''),
      // The DNS server changes its answer separately for each token.
      fetch: (url, ...rest) => {
        const expected = cases[Number(/^t(\d+)\./.exec(url.hostname)?.[1])]?.[1]
        return PublicFetch.create(policy(expected))(url, ...rest)
      },
      random: Math.random,
      registry,
      logger: {
        debug() {},
        info() {},
        warn: (facts) => faults.push(facts),
        error: (facts) => faults.push(facts),
      },
    })
    const before = process.memoryUsage().rss
    let peak = before
    const sampling = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 20)
    const run = new AbortController()
    const running = worker.run(run.signal)
    await expect.poll(() => queue.outcomes.size, { interval: 50 }).toBe(cases.length)
    clearInterval(sampling)
    run.abort()
    await running
    const wrong = cases.flatMap(([uri, expected], i) => {
      const status = expected === 'indexed' ? 'INDEXED' : STATUS_OF[expected]
      const got = queue.outcomes.get(BigInt(i))?.indexStatus
      return got === status ? [] : [`${uri.slice(0, 80)}: ${got}, not ${status}`]
    })
    expect(wrong).toEqual([])
    expect(faults).toEqual([])
    console.log(
      `${cases.length} tokens; memory ${mebibytes(before)} MiB before, ${mebibytes(peak)} MiB at its peak`,
    )
    expect(peak - before).toBeLessThan(400 * 1_048_576)
  })
})

const mebibytes = (bytes: number): number => Math.round(bytes / 1_048_576)
