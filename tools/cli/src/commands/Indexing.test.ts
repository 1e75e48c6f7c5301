import { createServer } from 'node:net'
import { createIndexer, createSource, type Indexer, type IndexerStatus } from '@firn/indexer'
import { systemClock } from '@firn/runtime'
import { createTimerClock } from '@firn/runtime/testing'
import { StoreError } from '@firn/sql'
import { type Store, Writer } from '@firn/store'
import { openStore, Recordings } from '@firn/store/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as Indexing from './Indexing.ts'

// The files of a package share modules, and mocks apply to modules that are loaded after them.
vi.hoisted(() => vi.resetModules())
afterAll(() => void vi.resetModules())
vi.mock('@firn/indexer', async (original) => {
  const indexer = await original<typeof import('@firn/indexer')>()
  return { ...indexer, createIndexer: vi.fn(indexer.createIndexer) }
})

const silent = { debug() {}, info() {}, warn() {}, error() {} }
let store: Store
const { genesis, constants, chains } = Recordings.load('local')
const opened = () =>
  ({ store, rules: { genesis, constants } }) as unknown as Parameters<typeof Indexing.start>[0]

beforeAll(async () => {
  store = await openStore()
  const { writer, state } = await Writer.open(store, genesis, constants)
  await writer.commit([...Recordings.follow(state, chains)].slice(0, 20))
})
afterAll(() => store.close())

/** Returns a URL with a port on which nothing listens. */
const deadUrl = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((ready) => server.once('listening', ready))
  const { port } = server.address() as { readonly port: number }
  await new Promise((closed) => server.close(closed))
  return `http://127.0.0.1:${port}`
}

test.each([
  ['the wait is over', 300, true],
  ['still waiting', 60_000, false],
])(
  'serves stored data only after the wait for unresponsive nodes (%s)',
  async (_name, patienceMs, isServed) => {
    const stop = new AbortController()
    const source = createSource({ upstreams: [{ url: await deadUrl() }], clock: systemClock })
    const indexing = Indexing.start(opened(), [source], silent, stop.signal, { patienceMs })
    const hasProblem = () => indexing.indexer().status().problems.length > 0
    await expect.poll(hasProblem).toBe(true)
    expect(indexing.indexer().status().phase).toBe('starting')
    if (isServed) await expect.poll(() => indexing.isCaughtUp()).toBe(true)
    else {
      await createTimerClock().sleep(400)
      expect(indexing.isCaughtUp()).toBe(false)
    }
    stop.abort()
    await indexing.ended.catch(() => undefined)
  },
)

test.each([
  [{ pollMs: 4_321 }, 4_321],
  [{}, undefined],
])('forwards the poll interval of %j to the indexer', async (timing, pollMs) => {
  const stop = new AbortController()
  const source = createSource({ upstreams: [{ url: await deadUrl() }], clock: systemClock })
  const indexing = Indexing.start(opened(), [source], silent, stop.signal, timing)
  expect(vi.mocked(createIndexer).mock.lastCall?.[0].pollMs).toBe(pollMs)
  stop.abort()
  await indexing.ended.catch(() => undefined)
})

/** Replaces the next indexer with one that fails as often as there are errors, in a phase, and then runs until the signal. */
const failing = (errors: readonly Error[], phase: IndexerStatus['phase']) => {
  const left = errors.slice()
  const run: Indexer['run'] = async (signal) => {
    const error = left.shift()
    if (error !== undefined) throw error
    await new Promise((settle) => signal.addEventListener('abort', settle, { once: true }))
  }
  const status = () => ({ phase, chains: undefined }) as unknown as IndexerStatus
  vi.mocked(createIndexer).mockImplementationOnce(() => ({ run, status }) as unknown as Indexer)
  return left
}
const ERRORS = [
  new TypeError('a bug'),
  new StoreError('STORE_NETWORK', 'the database of another network'),
  new StoreError('STORE_CORRUPT', 'a missing row'),
]

test('goes on after every error once data are served', async () => {
  const left = failing(ERRORS, 'tip')
  const stop = new AbortController()
  const source = createSource({ upstreams: [{ url: await deadUrl() }], clock: systemClock })
  const indexing = Indexing.start(opened(), [source], silent, stop.signal)
  const serving = Indexing.stay(indexing, stop.signal)
  await expect.poll(() => left.length).toBe(0)
  stop.abort()
  await expect(serving).resolves.toBeUndefined()
  await expect(indexing.ended).resolves.toBeUndefined()
})

test.each(ERRORS)('ends with $name before anything is served', async (error) => {
  failing([error], 'starting')
  const source = createSource({ upstreams: [{ url: await deadUrl() }], clock: systemClock })
  const indexing = Indexing.start(opened(), [source], silent, new AbortController().signal)
  await expect(indexing.ended).rejects.toThrow(error.message)
})
