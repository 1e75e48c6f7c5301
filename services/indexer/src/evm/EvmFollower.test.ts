import { setImmediate, setTimeout } from 'node:timers/promises'
import { Hex } from '@firn/codec'
import { type Block, BlockReader } from '@firn/evm'
import { silentLogger, systemClock } from '@firn/runtime'
import { StoreError } from '@firn/sql'
import { expect, it } from 'vitest'
import { IndexerError } from '../common/IndexerError.ts'
import * as Problems from '../common/Problems.ts'
import { createMemorySink, type MemorySink } from '../testing/memorySink.ts'
import { extend } from '../testing/transferChain.ts'
import type { ContractReader } from './contracts/ContractReader.ts'
import { follow } from './EvmFollower.ts'
import type { EvmHead } from './EvmHead.ts'
import type { Sink } from './Following.ts'
import type { EvmUpstreams } from './upstream/EvmUpstreams.ts'

type Commit = Sink['commit']

/** Returns a chain of blocks without transfers, or with one in each block. */
function chainOf(count: number, transfers = 0): readonly Block[] {
  return extend([], count, { name: 'batches', transfers }).map((one) => BlockReader.read(one))
}

/** What {@link index} replaces. */
interface Replaced {
  readonly now?: () => number
  readonly contracts?: ContractReader
  readonly upstreams?: Partial<EvmUpstreams>
}

/** Indexes a chain to its end. `commit` replaces the one of the memory sink, which it gets. */
async function index(
  blocks: readonly Block[],
  commit: (given: Parameters<Commit>[0], original: Commit) => Promise<void>,
  { now = () => 0, contracts, upstreams }: Replaced = {},
): Promise<MemorySink> {
  const sink = createMemorySink()
  const replaced: Sink = new Proxy(sink, {
    get: (target, name) =>
      name === 'commit'
        ? (given: Parameters<Commit>[0]) => commit(given, target.commit)
        : Reflect.get(target, name, target),
  })
  const best = { height: BigInt(blocks.length - 1), hash: '', upstream: {}, at: 0 }
  await follow(
    {
      upstreams: {
        blocks: async (requests: readonly { height: bigint }[]) =>
          requests.flatMap(({ height }) => blocks[Number(height)] ?? []),
        groupBlocks: () => 4,
        foreign: () => undefined,
        problems: () => [],
        isUntraced: () => false,
        ...upstreams,
      } as unknown as EvmUpstreams,
      head: { best: () => best, latest: () => undefined } as unknown as EvmHead,
      contracts: contracts ?? ({} as ContractReader),
      sink: replaced,
      firstHeight: 0n,
      maxReorgDepth: 64,
      once: true,
      batchBlocks: 512,
      windowBytes: 1 << 30,
      groups: 1_000,
      allowsFuture: true,
      clock: { ...systemClock, now },
      random: () => 0,
      log: silentLogger,
      problems: Problems.create(),
      onCommit: () => undefined,
      onUndo: () => undefined,
    },
    new AbortController().signal,
  )
  return sink
}

/** Indexes a chain to its end, with the given storage time per block. Returns the sizes of the batches. */
async function batches(count: number, msOfBlock: (height: number) => number): Promise<readonly number[]> {
  let now = 0
  const sizes: number[] = []
  let earlier = Promise.resolve()
  const store = async (given: Parameters<Commit>[0], original: Commit) => {
    await setImmediate()
    for (const { block } of given) now += msOfBlock(Number(block.height))
    await original(given)
  }
  const commit = (given: Parameters<Commit>[0], original: Commit) => {
    sizes.push(given.length)
    earlier = earlier.then(() => store(given, original))
    return earlier
  }
  const sink = await index(chainOf(count), commit, { now: () => now })
  expect(sink.blocks).toHaveLength(count)
  return sizes
}

it('starts with small batches, and increases their size if storing is fast', async () => {
  const sizes = await batches(3_000, () => 1)
  expect(sizes[0]).toBeLessThanOrEqual(32)
  expect(Math.max(...sizes)).toBeGreaterThan(256)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(512)
})

it('limits the batch size to the number of blocks that can be stored in a second', async () => {
  const sizes = await batches(400, () => 100)
  // The second batch is passed to the writer before the first one is stored.
  expect(Math.max(...sizes.slice(2))).toBeLessThanOrEqual(12)
  // The limit must also apply if storing becomes slow later.
  const later = await batches(3_000, (height) => (height < 1_500 ? 1 : 250))
  expect(later.at(-2)).toBeLessThanOrEqual(4)
})

it('passes the next blocks to the writer before earlier ones are stored, but not more', async () => {
  let [pending, most] = [0, 0]
  let earlier = Promise.resolve()
  await index(chainOf(300), (given, original) => {
    pending += 1
    most = Math.max(most, pending)
    earlier = earlier.then(async () => {
      await setTimeout(5)
      await original(given)
      pending -= 1
    })
    return earlier
  })
  expect([pending, most]).toEqual([0, 2])
})

it('reads each contract once, also if it occurs again before it is stored', async () => {
  const asked: string[] = []
  const facts: ContractReader['facts'] = async (contracts) => {
    asked.push(...contracts.map(({ address }) => Hex.encode(address)))
    const unnamed = { kind: 'ERC-20', name: undefined, symbol: undefined, decimals: undefined } as const
    return contracts.map(({ address }) => ({ address, ...unnamed }))
  }
  let earlier = Promise.resolve()
  const slow = (given: Parameters<Commit>[0], original: Commit) => {
    earlier = earlier.then(() => setTimeout(5)).then(() => original(given))
    return earlier
  }
  await index(chainOf(200, 1), slow, { contracts: { facts } as ContractReader })
  expect(asked).toHaveLength(1)
})

it('asks another node for a block whose contracts no node can read', async () => {
  const raw = extend([], 8, { name: 'batches', transfers: 1 })
  const blocks = raw.map((one) => BlockReader.read(one))
  const forged = BlockReader.read(
    extend(raw.slice(0, 4), 1, { name: 'forged', transfers: 1 })[4] as (typeof raw)[number],
  )
  let asked = 0
  const facts: ContractReader['facts'] = async (_contracts, { hash }) => {
    if (Hex.encode(hash) !== Hex.encode(forged.hash)) return []
    if (++asked > 2) throw new Error('the forged block was taken again')
    throw new IndexerError('INDEXER_ABSENT', 'no node has the block')
  }
  const blamed: Block[] = []
  const upstreams: Partial<EvmUpstreams> = {
    blocks: async (requests) =>
      requests.flatMap(({ height }) =>
        height === 4n && blamed.length === 0 ? forged : (blocks[Number(height)] ?? []),
      ),
    blame: (block) => void blamed.push(block),
    canonical: async (heights) => heights.map((height) => blocks[Number(height)]?.hash),
    recheck: () => undefined,
  }
  const sink = await index(blocks, (given, original) => original(given), {
    contracts: { facts } as ContractReader,
    upstreams,
  })
  expect(sink.blocks.map(({ block }) => block.hash)).toEqual(blocks.map(({ hash }) => hash))
  expect(blamed).toEqual([forged])
})

it('throws the error of blocks that could not be stored while it waits for others', async () => {
  let count = 0
  const commit: Commit = async () => {
    count += 1
    await setTimeout(5)
    throw new StoreError('STORE_FENCED', 'another writer')
  }
  await expect(index(chainOf(300), commit)).rejects.toThrow('another writer')
  expect(count).toBeLessThanOrEqual(2)
})
