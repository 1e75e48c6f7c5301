import { BlockReader } from '@firn/evm'
import { type InventedParts, inventedChain, inventedFacts } from '@firn/evm/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EvmWriter } from './EvmWriter.ts'
import type { IndexedBlock } from './IndexedBlock.ts'
import { eachDatabase } from './testing/databases.ts'
import { TEST_CHAIN } from './testing/evm.ts'
import { clearEvm, evmContents } from './testing/evmContents.ts'
import { contractsOf, elapse } from './testing/evmSteps.ts'
import { withMessages } from './testing/withMessages.ts'

const RUNS = Number(process.env['FIRN_TEST_RUNS'] ?? 5)

/**
 * One step of a test run: a batch of blocks arrives, the last blocks are replaced, or another writer takes over.
 */
const step = fc.oneof(
  fc.record({
    type: fc.constant('grow' as const),
    count: fc.integer({ min: 1, max: 12 }),
    batch: fc.integer({ min: 1, max: 6 }),
  }),
  fc.record({ type: fc.constant('fork' as const), depth: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ type: fc.constant('open' as const) }),
)

function indexed(parts: InventedParts): IndexedBlock {
  const block = withMessages(BlockReader.read(parts))
  return { block, contracts: contractsOf(block).map(inventedFacts) }
}

eachDatabase(({ name, openEvm }) => {
  test('keeps all tables consistent with the remaining blocks after any batches and undos', async () => {
    const stores = Promise.all([openEvm(), openEvm()])
    const property = fc.asyncProperty(
      fc.integer({ min: 0, max: 2 ** 30 }),
      fc.boolean(),
      // With a small cache, most entries must be looked up in the database.
      fc.constantFrom({}, { remembered: 3 }),
      fc.array(step, { minLength: 1, maxLength: 8 }),
      async (seed, hasTraces, remembered, steps) => {
        const options = { ...TEST_CHAIN, hasTraces }
        let chain = inventedChain({ seed, elapse })
        const [store, fresh] = await stores
        await clearEvm(store)
        await clearEvm(fresh)
        let writer = await EvmWriter.open(store, options, remembered)
        let forks = 0
        for (const one of steps) {
          if (one.type === 'open') writer = await EvmWriter.open(store, options, remembered)
          else if (one.type === 'grow') {
            const blocks = chain.grow(one.count).map(indexed)
            for (let i = 0; i < blocks.length; i += one.batch)
              await writer.commit(blocks.slice(i, i + one.batch))
          } else if (chain.blocks.length > 0) {
            const height = BigInt(Math.max(chain.blocks.length - 1 - one.depth, -1))
            await writer.undo(height)
            chain =
              height < 0n
                ? inventedChain({ seed: seed + ++forks, elapse })
                : chain.branch(height, `fork ${forks++}`)
          }
        }
        const plain = await EvmWriter.open(fresh, options)
        for (const parts of chain.blocks) await plain.commit([indexed(parts)])
        expect(await evmContents(store)).toEqual(await evmContents(fresh))
      },
    )
    await fc.assert(property, { numRuns: name === 'PGlite' ? RUNS : 2 * RUNS })
  })
})
