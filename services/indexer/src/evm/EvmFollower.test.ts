import { BlockReader } from '@firn/evm'
import { silentLogger, systemClock } from '@firn/runtime'
import { expect, it } from 'vitest'
import * as Problems from '../Problems.ts'
import { createMemorySink } from '../testing/memorySink.ts'
import { extend } from '../testing/transferChain.ts'
import type { ContractReader } from './ContractReader.ts'
import { follow, type Sink } from './EvmFollower.ts'
import type { EvmHead } from './EvmHead.ts'
import type { EvmUpstreams } from './EvmUpstreams.ts'

/** Indexes a chain to its end, with the given storage time per block. Returns the sizes of the batches. */
async function batches(count: number, msOfBlock: (height: number) => number): Promise<readonly number[]> {
  const blocks = extend([], count, { name: 'batches', transfers: 0 }).map((one) => BlockReader.read(one))
  const last = blocks.at(-1)
  if (last === undefined) return []
  let now = 0
  const sizes: number[] = []
  const sink = createMemorySink()
  const slow: Sink = new Proxy(sink, {
    get: (target, name) =>
      name === 'commit'
        ? async (given: Parameters<Sink['commit']>[0]) => {
            sizes.push(given.length)
            for (const { block } of given) now += msOfBlock(Number(block.height))
            await target.commit(given)
          }
        : Reflect.get(target, name, target),
  })
  const best = { height: last.height, hash: '', upstream: {}, at: 0 }
  await follow(
    {
      upstreams: {
        blocks: async (requests: readonly { height: bigint }[]) =>
          requests.flatMap(({ height }) => blocks[Number(height)] ?? []),
        groupBlocks: () => 4,
        foreign: () => undefined,
        problems: () => [],
      } as unknown as EvmUpstreams,
      head: { best: () => best, latest: () => undefined } as unknown as EvmHead,
      contracts: {} as ContractReader,
      sink: slow,
      firstHeight: 0n,
      maxReorgDepth: 64,
      once: true,
      batchBlocks: 512,
      windowBytes: 1 << 30,
      groups: 1_000,
      clock: { ...systemClock, now: () => now },
      random: () => 0,
      log: silentLogger,
      problems: Problems.create(),
      onCommit: () => undefined,
      onUndo: () => undefined,
    },
    new AbortController().signal,
  )
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
  expect(Math.max(...sizes.slice(1))).toBeLessThanOrEqual(12)
  // The limit must also apply if storing becomes slow later.
  const later = await batches(3_000, (height) => (height < 1_500 ? 1 : 250))
  expect(later.at(-2)).toBeLessThanOrEqual(4)
})
