import { setTimeout as sleep } from 'node:timers/promises'
import { BlockReader } from '@firn/evm'
import { inventedChain } from '@firn/evm/testing'
import { EvmStore, EvmWriter } from '@firn/evm-store'
import { until } from '@firn/runtime/testing'
import { listening } from '@firn/sql/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFeed, type Feed } from './feed.ts'

const CHAIN = {
  chainId: 9n,
  name: 'invented',
  network: 'local',
  token: { name: 'Coin', symbol: 'C', decimals: 18 },
  firstHeight: 0n,
  hasTraces: true,
} as const
const pace = (heartbeatMs: number) => ({
  heartbeatMs,
  sleep: (milliseconds: number, signal: AbortSignal) => sleep(milliseconds, undefined, { signal }),
})
const PACE = pace(60_000)

let store: EvmStore
let writer: EvmWriter

const chain = inventedChain({ seed: 5, transactions: [0, 1] })
/** The chain whose blocks are stored. */
let tip = chain
const indexed = (parts: ReturnType<typeof chain.grow>) =>
  parts.map((part) => ({ block: BlockReader.read(part), contracts: [] }))

beforeAll(async () => {
  store = await EvmStore.open({ chainId: CHAIN.chainId })
  await store.migrate()
  writer = await EvmWriter.open(store, CHAIN)
  await writer.commit(indexed(chain.grow(4)))
})
afterAll(() => store?.close())

const free = async () => undefined

async function drain(texts: AsyncIterable<string>): Promise<void> {
  for await (const _ of texts);
}

/** Yields texts until the signal aborts, which must be the reason of their end. */
async function* untilAborted(texts: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  try {
    yield* texts
  } catch (error) {
    expect(error).toBe(signal.reason)
  }
}

/**
 * Reads `count` events after the sequence number `after`. Returns `kind height hash` for each event, and the
 * last cursor. Calls `during` while it reads.
 */
async function read(after: bigint, count: number, during?: () => Promise<void>) {
  const stop = new AbortController()
  const seen: string[] = []
  let cursor = ''
  const { signal } = stop
  for await (const text of untilAborted(createFeed(store, PACE).read({ after, pay: free, signal }), signal)) {
    if (text.startsWith(':')) {
      // The feed must not miss a change that happens here, whether or not it has started to listen.
      void during?.()
      continue
    }
    const [, id, kind, data = ''] = /^id: (\d+)\nevent: (\w+)\ndata: (.*)\n\n$/.exec(text) ?? []
    const event = JSON.parse(data)
    expect(event.cursor).toBe(id)
    cursor = id ?? ''
    seen.push(`${kind} ${event.blockNumber} ${event.blockHash.slice(0, 10)}`)
    if (seen.length === count) stop.abort()
  }
  return { seen, cursor: BigInt(cursor) }
}

test('reports stored and undone blocks in order from any cursor, even if blocks change during the read', async () => {
  const hash = (parts: { block: { hash: string } } | undefined) => parts?.block.hash.slice(0, 10)
  const old = [...chain.blocks]
  const begun = await read(0n, 4)
  expect(begun.seen).toEqual(old.map((parts, height) => `block ${height} ${hash(parts)}`))
  const fork = chain.branch(1n, 'other')
  tip = fork
  const added = fork.grow(3)
  const rest = await read(begun.cursor, 5, async () => {
    await writer.undo(1n)
    await writer.commit(indexed(added))
  })
  expect(rest.seen).toEqual([
    `undo 3 ${hash(old[3])}`,
    `undo 2 ${hash(old[2])}`,
    ...added.map((parts, index) => `block ${index + 2} ${hash(parts)}`),
  ])
  // A second reader that starts from the beginning gets the same events.
  expect((await read(0n, 9)).seen).toEqual([...begun.seen, ...rest.seen])
  expect((await read(begun.cursor + 1n, 4)).seen).toEqual(rest.seen.slice(1))
})

test('reports when internal calls were added to a block that was stored without them', async () => {
  const { sequence, height } = await store.snapshot()
  // Only the receipts of a block without transactions are complete without traces.
  const parts = tip.grow(4)
  const late = parts.findIndex(({ block }) => (block['transactions'] as unknown[]).length > 0)
  const blocks = indexed(parts)
  await writer.commit(
    blocks.map((one, i) =>
      i === late ? { ...one, block: { ...one.block, traces: undefined }, tracesDue: 0n } : one,
    ),
  )
  await writer.fillTraces(blocks[late] as (typeof blocks)[number])
  const number = (i: number) => `${height + BigInt(i) + 1n} ${parts[i]?.block.hash.slice(0, 10)}`
  expect((await read(sequence, 5)).seen).toEqual([
    ...parts.map((_, i) => `block ${number(i)}`),
    `traces ${number(late)}`,
  ])
})

test('sends heartbeats while nothing changes, and ends when the signal aborts', async () => {
  const stop = new AbortController()
  const texts: string[] = []
  const { sequence } = await store.snapshot()
  const { signal } = stop
  const reader = { after: sequence, pay: free, signal }
  for await (const text of untilAborted(createFeed(store, pace(1)).read(reader), signal)) {
    texts.push(text)
    if (texts.length === 3) stop.abort()
  }
  expect(texts).toEqual([': changes\n\n', ': still here\n\n', ': still here\n\n'])
})

describe('a feed', () => {
  const READERS = 1_000

  /** Starts a reader, and collects what it gets and pays for. */
  function start(feed: Feed, after: bigint) {
    const stop = new AbortController()
    const texts: string[] = []
    const paid: number[] = []
    const pay = async (changes: number) => void paid.push(changes)
    const reading = (async () => {
      const events = untilAborted(feed.read({ after, pay, signal: stop.signal }), stop.signal)
      for await (const text of events) texts.push(text)
    })()
    const end = async () => {
      stop.abort(new Error('ended'))
      await reading
    }
    return { texts, paid, end, events: () => texts.filter((text) => !text.startsWith(':')) }
  }
  const grow = async () => {
    await writer.commit(indexed(tip.grow(1)))
  }

  test('reads the database once for each block, regardless of the number of readers', async () => {
    const { store: listened, take } = listening(store)
    const feed = createFeed(listened, PACE)
    const { sequence } = await store.snapshot()
    const readers = Array.from({ length: READERS }, () => start(feed, sequence))
    for (let blocks = 1; blocks <= 3; blocks++) {
      await grow()
      await until(() => expect(readers.every(({ events }) => events().length === blocks)).toBe(true))
    }
    expect(new Set(readers.map(({ texts }) => texts.join(''))).size).toBe(1)
    expect(readers.flatMap(({ paid }) => paid)).toEqual([])
    // One at the start, and one for each block.
    expect(take().length).toBeLessThanOrEqual(4)
    await Promise.all(readers.map(({ end }) => end()))
    await grow()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(take()).toEqual([])
  })

  test('lets a reader pay for the older changes that it reads alone', async () => {
    const feed = createFeed(store, PACE)
    const { sequence } = await store.snapshot()
    const live = start(feed, sequence)
    const resumed = start(feed, sequence - 5n)
    await until(() => expect(resumed.events()).toHaveLength(5))
    await grow()
    await until(() => expect([resumed.events().length, live.events().length]).toEqual([6, 1]))
    expect([resumed.paid, live.paid]).toEqual([[5], []])
    expect(resumed.events().at(-1)).toBe(live.events()[0])
    await Promise.all([live.end(), resumed.end()])
  })

  test('ends a reader that cannot pay', async () => {
    const feed = createFeed(store, PACE)
    const pay = async () => {
      throw new Error('nothing left')
    }
    const { signal } = new AbortController()
    await expect(drain(feed.read({ after: 0n, pay, signal }))).rejects.toThrow('nothing left')
  })

  test('ends all readers with the error of the database, and starts again for the next ones', async () => {
    let isBroken = false
    const broken = new Proxy(store, {
      get: (target, name) => {
        if (name === 'snapshot' && isBroken)
          return async () => Promise.reject(new Error('the chain is halted'))
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const feed = createFeed(broken, PACE)
    const { sequence } = await store.snapshot()
    const errors = [1, 2].map(async () => {
      const { signal } = new AbortController()
      return drain(feed.read({ after: sequence, pay: free, signal })).catch((error: Error) => error.message)
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    isBroken = true
    await grow()
    expect(await Promise.all(errors)).toEqual(['the chain is halted', 'the chain is halted'])
    isBroken = false
    const next = start(feed, sequence)
    await until(() => expect(next.events()).toHaveLength(1))
    await next.end()
  })
})
