import { join } from 'node:path'
import { EvmStore } from '@firn/evm-store'
import { database } from '@firn/sql/testing'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../testing/archives.ts'
import { createEvmNode } from '../testing/EvmNode.ts'
import { startProcess } from '../testing/evmProcess.ts'
import { extend } from '../testing/transferChain.ts'

const CHAIN_ID = 31_337
/** Number of times that the process is killed. At least two, so that one follows a killed one. */
const KILLS = Number(process.env['FIRN_CRASH_KILLS'] ?? 2)

/** Returns the height of the chain that a folder contains; -1 if no block is stored. */
async function heightIn(folder: string): Promise<number> {
  const store = await EvmStore.open({ folder, schema: 'killed', chainId: BigInt(CHAIN_ID) })
  try {
    await store.migrate()
    return Number(
      (await database(store).selectFrom('cursor').select('height').executeTakeFirst())?.height ?? -1n,
    )
  } finally {
    await store.close()
  }
}

it('loses no commits when the process is killed repeatedly, each time after a few commits', async () => {
  const { folder, remove } = temporaryFolder()
  const blocks = extend([], KILLS * 1_000, { name: 'killed', transactions: 4 })
  const node = await createEvmNode({ chainId: BigInt(CHAIN_ID), blocks })
  // The node is slow, so every process is killed before it reaches the end.
  node.faults = { slowMs: 40 }
  const at = { folder: join(folder, 'db'), schema: 'killed' }
  const settings = { pollMs: 50, concurrency: 1, maxBatch: 8 }
  let before = -1
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const indexer = startProcess({ ...at, chainId: CHAIN_ID, upstreams: [node.url], settings })
      await expect
        .poll(() => [indexer.errors(), indexer.height() > before + 12], { interval: 20 })
        .toEqual(['', true])
      const reported = indexer.height()
      await indexer.end('SIGKILL')
      const after = await heightIn(at.folder)
      expect(after).toBeGreaterThanOrEqual(reported)
      before = after
    }
    expect(before).toBeLessThan(blocks.length - 1)
  } finally {
    await node.close()
    remove()
  }
})
