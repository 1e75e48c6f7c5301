import { BlockReader } from '@firn/evm'
import { type InventedParts, inventedChain, inventedFacts } from '@firn/evm/testing'
import { database } from '@firn/sql/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as EvmDoctor from './EvmDoctor.ts'
import type { EvmStore } from './EvmStore.ts'
import { EvmWriter } from './EvmWriter.ts'
import type { IndexedBlock } from './IndexedBlock.ts'
import { eachDatabase } from './testing/databases.ts'
import { TEST_CHAIN } from './testing/evm.ts'
import { clearEvm, evmContents } from './testing/evmContents.ts'
import { contractsOf, elapse } from './testing/evmSteps.ts'

const RUNS = Number(process.env['FIRN_TEST_RUNS'] ?? 5)

/**
 * One step of a test run: a batch of blocks arrives, some of them without traces; the traces of some blocks arrive; some
 * chain digests are computed again; the last blocks are replaced; or another writer takes over.
 */
const step = fc.oneof(
  fc.record({
    type: fc.constant('grow' as const),
    lacks: fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
    batch: fc.integer({ min: 1, max: 6 }),
  }),
  fc.record({ type: fc.constant('fill' as const), picks: fc.array(fc.nat(), { maxLength: 4 }) }),
  fc.record({ type: fc.constant('fork' as const), depth: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ type: fc.constant('refresh' as const), most: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ type: fc.constant('open' as const) }),
)

function indexed(parts: InventedParts): IndexedBlock {
  const block = BlockReader.read(parts)
  return { block, contracts: contractsOf(block).map(inventedFacts) }
}

const lacking = ({ block, contracts }: IndexedBlock): IndexedBlock => ({
  block: { ...block, traces: undefined },
  contracts,
  tracesDue: 1n,
})

const gapsOf = async (store: EvmStore) =>
  (await database(store).selectFrom('trace_gap').select('height').orderBy('height').execute()).map(
    ({ height }) => Number(height),
  )

eachDatabase(({ name, openEvm }) => {
  test('after traces are filled in, in any order and between reorgs, equals a chain stored with them', async () => {
    const stores = Promise.all([openEvm(), openEvm()])
    const property = fc.asyncProperty(
      fc.integer({ min: 0, max: 2 ** 30 }),
      fc.constantFrom({}, { remembered: 3 }),
      fc.array(step, { minLength: 2, maxLength: 9 }),
      async (seed, remembered, steps) => {
        let chain = inventedChain({ seed, elapse })
        const [store, fresh] = await stores
        await clearEvm(store)
        await clearEvm(fresh)
        let writer = await EvmWriter.open(store, TEST_CHAIN, remembered)
        let forks = 0
        const fillOne = async (height: number | undefined) => {
          const parts = height === undefined ? undefined : chain.blocks[height]
          if (parts !== undefined) expect(await writer.fillTraces(indexed(parts))).toBe(true)
        }
        for (const one of steps) {
          if (one.type === 'open') writer = await EvmWriter.open(store, TEST_CHAIN, remembered)
          else if (one.type === 'grow') {
            const blocks = chain
              .grow(one.lacks.length)
              .map((parts, i) => (one.lacks[i] === true ? lacking(indexed(parts)) : indexed(parts)))
            for (let i = 0; i < blocks.length; i += one.batch)
              await writer.commit(blocks.slice(i, i + one.batch))
          } else if (one.type === 'refresh') {
            await writer.refreshDigests(one.most)
            expect((await EvmDoctor.check(store)).faults).toEqual([])
          } else if (one.type === 'fill') {
            for (const pick of one.picks) {
              const gaps = await gapsOf(store)
              await fillOne(gaps[pick % Math.max(gaps.length, 1)])
            }
          } else if (chain.blocks.length > 0) {
            const height = BigInt(Math.max(chain.blocks.length - 1 - one.depth, -1))
            await writer.undo(height)
            chain =
              height < 0n
                ? inventedChain({ seed: seed + ++forks, elapse })
                : chain.branch(height, `fork ${forks++}`)
          }
        }
        expect((await EvmDoctor.check(store)).faults).toEqual([])
        for (const height of await gapsOf(store)) await fillOne(height)
        while (await writer.refreshDigests());
        const plain = await EvmWriter.open(fresh, TEST_CHAIN)
        for (const parts of chain.blocks) await plain.commit([indexed(parts)])
        expect(await evmContents(store)).toEqual(await evmContents(fresh))
        expect((await EvmDoctor.check(store)).faults).toEqual([])
      },
    )
    await fc.assert(property, { numRuns: name === 'PGlite' ? RUNS : 2 * RUNS })
  })
})
