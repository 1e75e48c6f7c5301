import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DueImage, ImageOutcome, ImageQueue, ImageUsage } from '@firn/evm-store'
import { PublicAddress, PublicFetch } from '@firn/outbound'
import { type HostileServers, hostileNames, PUBLIC, startHostileServers } from '@firn/outbound/testing'
import { systemClock } from '@firn/runtime'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { imageFile, patched, polyglot, SVG } from '../testing/imageFiles.ts'
import { createImageWorker, FETCH_POLICY, type ImageWorkerOptions } from './ImageWorker.ts'

const dataUri = (type: string, bytes: Uint8Array | string) =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

/** Files of a server, by path, with the content type that it claims. */
const FILES: Readonly<Record<string, readonly [type: string, bytes: Uint8Array | string]>> = {
  '/png': ['image/png', imageFile('plain.png')],
  '/png-as-html': ['text/html', imageFile('plain.png')],
  '/events-as-png': ['text/event-stream', imageFile('plain.png')],
  '/svg-as-png': ['image/png', SVG],
  '/html-as-png': ['image/png', '<html><script>alert(1)</script></html>'],
  '/polyglot': ['text/html', polyglot()],
  '/bomb': ['image/png', patched('plain.png', 16, 0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff)],
}

let servers: HostileServers
const server = createServer(({ url = '' }, response) => {
  const [type, bytes] = FILES[url] ?? ['text/plain', '']
  response.writeHead(200, { 'content-type': type }).end(bytes)
})
let port: number

beforeAll(async () => {
  servers = await startHostileServers()
  await new Promise<void>((settle) => server.listen(0, PUBLIC, settle))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  expect(servers.reached()).toBe(0)
  server.closeAllConnections()
  await Promise.all([servers.close(), new Promise((settle) => server.close(settle))])
})

interface MemoryQueue extends ImageQueue {
  readonly outcomes: Map<string, ImageOutcome>
  readonly trims: number[]
}

/** Returns a queue with an image per URI. `filled` are found by `fill` only. */
function createQueue(uris: readonly string[], filled: readonly string[] = []): MemoryQueue {
  const outcomes = new Map<string, ImageOutcome>()
  const trims: number[] = []
  let known = uris.map(imageOf)
  let bytes = 0
  const use = (): ImageUsage => ({ images: outcomes.size, bytes })
  return {
    outcomes,
    trims,
    due: async (limit, now) =>
      known
        .filter(({ uri }) => (outcomes.get(uri)?.retryAt ?? (outcomes.has(uri) ? now + 1n : 0n)) <= now)
        .map((image) => ({ ...image, attempts: outcomes.get(image.uri)?.attempts ?? 0 }))
        .slice(0, limit),
    async store(given) {
      for (const outcome of given) {
        outcomes.set(outcome.uri, outcome)
        if ('bytes' in outcome.result) bytes += outcome.result.bytes.length
      }
    },
    async fill() {
      known = [...known, ...filled.map((uri, i) => imageOf(uri, 1_000 + i))]
      return undefined
    },
    async trim(limit) {
      trims.push(limit)
      if (bytes > limit) bytes = limit
      return use()
    },
  }
}

const imageOf = (uri: string, index: number): DueImage => ({
  contract: new Uint8Array(20),
  tokenId: BigInt(index),
  uri,
  attempts: 0,
})

function start(queue: ImageQueue, options: Partial<ImageWorkerOptions> = {}): () => Promise<void> {
  const stop = new AbortController()
  const running = createImageWorker({
    queue,
    fetch: PublicFetch.create({
      ...FETCH_POLICY,
      // The timeout is long enough for servers that answer, and short for those that never do.
      totalMs: 3_000,
      headersMs: 3_000,
      resolve: hostileNames(),
      isPublic: (address) => address === PUBLIC || PublicAddress.isPublic(address),
      plainHttp: true,
      ports: [servers.ports.http, servers.ports.inside, port],
    }),
    limit: 1_000_000,
    random: () => 0.5,
    clock: systemClock,
    idleMs: 5,
    mostAttempts: 1,
    ...options,
  }).run(stop.signal)
  const end = () => {
    stop.abort()
    return running
  }
  onTestFinished(end)
  return end
}

const resultOf = ({ result }: ImageOutcome) => ('failure' in result ? result.failure : result.contentType)

async function expectResults(expected: Readonly<Record<string, string>>): Promise<void> {
  const queue = createQueue(Object.keys(expected))
  // Each image has its own host, because a host that keeps failing is paused.
  const end = start(queue)
  await expect.poll(() => queue.outcomes.size, { interval: 20 }).toBe(Object.keys(expected).length)
  await end()
  expect(Object.fromEntries([...queue.outcomes].map(([uri, one]) => [uri, resultOf(one)]))).toEqual(expected)
}

let hosts = 0
const at = (path: string) => `http://t${hosts++}.public.test:${port}${path}`
const hostile = (path: string) => `http://t${hosts++}.public.test:${servers.ports.http}/${path}`

test('stores images by their first bytes, whatever type the server claims', async () => {
  await expectResults({
    [at('/png')]: 'image/png',
    [at('/png-as-html')]: 'image/png',
    [at('/events-as-png')]: 'image/png',
    [at('/polyglot')]: 'image/gif',
    [dataUri('text/html', imageFile('alpha.avif'))]: 'image/avif',
    [dataUri('image/webp', imageFile('progressive.jpg'))]: 'image/jpeg',
  })
})

test('refuses scripts, bombs, lies and inside addresses', async () => {
  await expectResults({
    [at('/svg-as-png')]: 'svg',
    [at('/html-as-png')]: 'image-format',
    [at('/bomb')]: 'image-size',
    [dataUri('image/svg+xml', SVG)]: 'svg',
    [`data:image/svg+xml;utf8,${SVG}`]: 'svg',
    [dataUri('image/png', imageFile('plain.png').subarray(0, -1))]: 'image-damaged',
    [hostile('picture')]: 'image-format',
    [hostile('drip-body')]: 'timeout',
    [hostile('silent')]: 'timeout',
    [hostile('endless-body')]: 'too-large',
    [hostile('gzip-bomb')]: 'too-large',
    [hostile('claims-10-GB')]: 'too-large',
    [hostile('claims-more')]: 'connection',
    [hostile('redirect-loopback')]: 'uri-address',
    [hostile('redirect-localhost')]: 'uri-address',
    [hostile('redirect-decimal')]: 'uri-address',
    [hostile('redirect-cloud')]: 'uri-address',
    [hostile('redirect-file')]: 'uri-scheme',
    [hostile('redirect-data')]: 'uri-scheme',
    [hostile('loop')]: 'redirects',
    [`http://127.0.0.1:${servers.ports.inside}/`]: 'uri-address',
    'javascript:alert(1)': 'uri-scheme',
    [SVG]: 'uri-syntax',
  })
})

test('retries transient failures only, up to the limit of attempts', async () => {
  const queue = createQueue([at('/none'), hostile('status-503'), hostile('status-429')])
  let now = 1_700_000_000_000
  const clock = { ...systemClock, now: () => now }
  start(queue, { clock, mostAttempts: 3 })
  const attempts = () =>
    [...queue.outcomes.values()].map(({ attempts: count, retryAt }) => [count, retryAt !== undefined])
  await expect.poll(attempts).toEqual([
    [0, false],
    [1, true],
    [1, true],
  ])
  now += 86_400_000
  await expect.poll(attempts).toContainEqual([2, true])
  now += 2 * 86_400_000
  await expect.poll(attempts).toContainEqual([3, false])
})

test('copies images that were never due, after those that are', async () => {
  const old = dataUri('image/gif', imageFile('plain.gif'))
  const queue = createQueue([dataUri('image/png', imageFile('plain.png'))], [old])
  const registry = new Registry()
  start(queue, { registry, chain: '5' })
  await expect.poll(() => [...queue.outcomes.keys()].at(-1)).toBe(old)
  const counted = await registry.metrics()
  for (const type of ['image/png', 'image/gif'])
    expect(counted).toContain(`firn_image_outcomes_total{chain="5",result="${type}"} 1`)
})

test('removes old copies at the start, and when new ones may exceed the limit', async () => {
  const file = imageFile('plain.png')
  const queue = createQueue([dataUri('image/png', file), dataUri('image/gif', imageFile('plain.gif'))])
  const registry = new Registry()
  start(queue, { limit: 1_100, registry, chain: '5', concurrency: 1 })
  await expect.poll(() => queue.outcomes.size).toBe(2)
  await expect.poll(() => queue.trims.length).toBe(3)
  expect(await registry.metrics()).toContain('firn_images_stored_bytes{chain="5"} 1100')
})

test('removes all copies and copies nothing if the limit is 0', async () => {
  const queue = createQueue([dataUri('image/png', imageFile('plain.png'))])
  start(queue, { limit: 0 })
  await expect.poll(() => queue.trims).toEqual([0])
  await systemClock.sleep(50)
  expect(queue.outcomes.size).toBe(0)
})
