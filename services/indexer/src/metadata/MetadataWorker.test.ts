import type { DueToken, TokenQueue } from '@firn/evm-store'
import type { PublicFetch } from '@firn/outbound'
import { type Clock, systemClock } from '@firn/runtime'
import { Registry } from 'prom-client'
import { expect, onTestFinished, test } from 'vitest'
import { createMemoryQueue, type MemoryQueue } from '../testing/memoryQueue.ts'
import { seeded } from '../testing/random.ts'
import { createMetadataWorker, type MetadataWorkerOptions } from './MetadataWorker.ts'

const GOOD: PublicFetch.Fetched = { bytes: new TextEncoder().encode('{"name":"a"}'), contentType: undefined }
const token = (tokenId: number, kind: 721 | 1155 = 721): DueToken => ({
  contract: new Uint8Array(20),
  tokenId: BigInt(tokenId),
  kind,
  attempts: 0,
})
const tokens = (count: number, from = 0) => Array.from({ length: count }, (_, i) => token(from + i))
/** Returns the system clock with its time accelerated by a factor. */
const fastClock = (speed = 1_000): Clock => ({
  now: () => systemClock.now() * speed,
  sleep: (ms, signal) => systemClock.sleep(ms / speed, signal),
})
const settled = (queue: MemoryQueue, count: number) =>
  expect
    .poll(() => [...queue.outcomes.values()].filter(({ retryAt }) => retryAt === undefined).length, {
      interval: 5,
    })
    .toBe(count)

function start(options: Partial<MetadataWorkerOptions> & { readonly queue: TokenQueue }) {
  const stop = new AbortController()
  const worker = createMetadataWorker({
    readUris: async (given) => given.map(({ tokenId }) => `https://host-${tokenId}.test/`),
    fetch: async () => GOOD,
    random: () => 0.5,
    clock: fastClock(),
    ...options,
  })
  const running = worker.run(stop.signal)
  const end = () => {
    stop.abort()
    return running
  }
  onTestFinished(end)
  return end
}

test('processes each token once, regardless of the time at which it is queued', async () => {
  const queue = createMemoryQueue()
  const asked: string[] = []
  const fetch: PublicFetch.PublicFetch = async ({ href }) => {
    asked.push(href)
    return GOOD
  }
  start({ queue, fetch })
  queue.add(...tokens(100))
  await settled(queue, 100)
  queue.add(...tokens(50, 100))
  await settled(queue, 150)
  expect(asked.length).toBe(150)
  expect(new Set(asked).size).toBe(150)
  expect(queue.outcomes.get(149n)).toMatchObject({ uri: 'https://host-149.test/', metadata: { name: 'a' } })
})

test('retries transient failures with each gateway in turn, and counts the attempts', async () => {
  const queue = createMemoryQueue()
  const registry = new Registry()
  const asked: string[] = []
  const answers: PublicFetch.Fetched[] = [
    { failure: 'throttled', retryAfterSeconds: 1 },
    { failure: 'timeout' },
    GOOD,
  ]
  const cid = 'QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq'
  start({
    queue,
    registry,
    gateways: { ipfs: ['https://one.test/', 'https://two.test/'], arweave: [] },
    readUris: async (given) => given.map(() => `ipfs://${cid}/{id}`),
    fetch: async ({ href }) => {
      asked.push(href)
      return answers.shift() ?? GOOD
    },
  })
  queue.add(token(10, 1155))
  await settled(queue, 1)
  const path = `${cid}/${'0'.repeat(63)}a`
  expect(asked).toEqual([`https://one.test/${path}`, `https://two.test/${path}`, `https://one.test/${path}`])
  expect(queue.outcomes.get(10n)).toMatchObject({
    uri: `ipfs://${cid}/{id}`,
    indexStatus: 'INDEXED',
    attempts: 0,
  })
  const counted = await registry.metrics()
  for (const line of [
    'THROTTLED_TOKEN_URI",reason="throttled"',
    'UNREACHABLE_TOKEN_URI",reason="timeout"',
    'INDEXED",reason="indexed"',
  ])
    expect(counted).toContain(`firn_metadata_outcomes_total{chain="",status="${line}} 1`)
})

test('limits concurrent fetches, both in total and for each host', async () => {
  const queue = createMemoryQueue()
  const out = new Map<string, number>()
  let all = 0
  let most = 0
  let mostOfHost = 0
  start({
    queue,
    concurrency: 10,
    perHost: 3,
    readUris: async (given) => given.map(({ tokenId }) => `https://host-${tokenId % 4n}.test/`),
    fetch: async ({ host }) => {
      out.set(host, (out.get(host) ?? 0) + 1)
      most = Math.max(most, ++all)
      mostOfHost = Math.max(mostOfHost, out.get(host) ?? 0)
      await systemClock.sleep(5)
      all--
      out.set(host, (out.get(host) ?? 0) - 1)
      return GOOD
    },
  })
  queue.add(...tokens(120))
  await settled(queue, 120)
  expect([most, mostOfHost]).toEqual([10, 3])
})

test("delays other tokens only briefly if a host never answers, and marks the host's tokens as unreachable", async () => {
  const queue = createMemoryQueue()
  let slow = 0
  start({
    queue,
    mostAttempts: 2,
    readUris: async (given) =>
      given.map(({ tokenId }) => `https://${tokenId < 100n ? 'slow' : `good-${tokenId}`}.test/`),
    fetch: async ({ host }, _gateway, signal) => {
      if (!host.startsWith('slow')) return GOOD
      slow++
      await fastClock().sleep(30_000, signal)
      return { failure: 'timeout' }
    },
  })
  queue.add(...tokens(200))
  await expect
    .poll(() => [...queue.outcomes.values()].filter(({ indexStatus }) => indexStatus === 'INDEXED').length, {
      interval: 5,
    })
    .toBe(100)
  // At this point, most tokens of the slow host have not been tried yet.
  expect(slow).toBeLessThan(50)
  expect(
    [...queue.outcomes].filter(([id, { indexStatus }]) => id < 100n && indexStatus === 'INDEXED'),
  ).toEqual([])
})

test('recovers from faults of the queue, the node and the worker itself', async () => {
  const queue = createMemoryQueue()
  const random = seeded(7)
  const mostly = <T>(value: T): T => {
    if (random() < 0.3) throw new Error('now and then')
    return value
  }
  start({
    queue: {
      due: async (...given) => mostly(await queue.due(...given)),
      store: async (outcomes) => queue.store(mostly(outcomes)),
    },
    readUris: async (given) => mostly(given.map(({ tokenId }) => `https://host-${tokenId}.test/`)),
    fetch: async () => mostly(GOOD),
    mostAttempts: 20,
    clock: fastClock(1e6),
  })
  queue.add(...tokens(60))
  await settled(queue, 60)
  expect(new Set([...queue.outcomes.values()].map(({ indexStatus }) => indexStatus))).toEqual(
    new Set(['INDEXED']),
  )
})

test('postpones a token for which the node fails, and processes the other tokens', async () => {
  const queue = createMemoryQueue()
  start({
    queue,
    readUris: async (given) => {
      if (given.some(({ tokenId }) => tokenId === 7n)) throw new Error('the node fell over')
      return given.map(({ tokenId }) =>
        tokenId === 8n ? { error: 'reverted' } : `https://host-${tokenId}.test/`,
      )
    },
  })
  queue.add(...tokens(20))
  await settled(queue, 19)
  expect(queue.outcomes.get(7n)).toMatchObject({ indexStatus: 'UNINDEXED', uri: '' })
  expect(queue.outcomes.get(8n)).toMatchObject({ indexStatus: 'MISSING_TOKEN', uri: '', retryAt: undefined })
})

test('stops running attempts on abort, without storing their outcomes', async () => {
  const queue = createMemoryQueue()
  let under = 0
  const end = start({
    queue,
    fetch: async (_url, _gateway, signal) => {
      under++
      await systemClock.sleep(60_000, signal).finally(() => under--)
      return GOOD
    },
  })
  queue.add(...tokens(20))
  await expect.poll(() => under).toBe(20)
  await end()
  expect(under).toBe(0)
  expect(queue.outcomes.size).toBe(0)
})
