import { setTimeout as sleep } from 'node:timers/promises'
import { BlockReader } from '@firn/evm'
import { inventedChain } from '@firn/evm/testing'
import { EvmStore, EvmWriter } from '@firn/store/evm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { feed } from './feed.ts'

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
const indexed = (parts: ReturnType<typeof chain.grow>) =>
  parts.map((part) => ({ block: BlockReader.read(part), contracts: [] }))

beforeAll(async () => {
  store = await EvmStore.open({ chainId: CHAIN.chainId })
  await store.migrate()
  writer = await EvmWriter.open(store, CHAIN)
  await writer.commit(indexed(chain.grow(4)))
})
afterAll(() => store?.close())

/**
 * Reads `count` events after the sequence number `after`. Returns `kind height hash` for each event, and the
 * last cursor. Calls `during` while it reads.
 */
async function read(after: bigint, count: number, during?: () => Promise<void>) {
  const stop = new AbortController()
  const seen: string[] = []
  let cursor = ''
  for await (const text of feed(store, after, PACE, stop.signal)) {
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

test('sends heartbeats while nothing changes, and ends when the signal aborts', async () => {
  const stop = new AbortController()
  const texts: string[] = []
  const { sequence } = await store.snapshot()
  for await (const text of feed(store, sequence, pace(1), stop.signal)) {
    texts.push(text)
    if (texts.length === 3) stop.abort()
  }
  expect(texts).toEqual([': changes\n\n', ': still here\n\n', ': still here\n\n'])
})
