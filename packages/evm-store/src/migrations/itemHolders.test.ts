import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BlockReader } from '@firn/evm'
import { inventedChain } from '@firn/evm/testing'
import { splitStatements } from '@firn/sql'
import { expect, test } from 'vitest'
import { EvmWriter } from '../EvmWriter.ts'
import { eachDatabase } from '../testing/databases.ts'
import { TEST_CHAIN } from '../testing/evm.ts'
import { evmAddress, evmBlock, evmTransaction, evmTransfer } from '../testing/evmBlocks.ts'
import { evmContents } from '../testing/evmContents.ts'

const MIGRATION = readFileSync(join(import.meta.dirname, 'evm/0028_item_holders.sql'), 'utf8')

/** A block with an airdrop. */
function airdrop() {
  const recipients = Array.from({ length: 15 }, (_, i) => evmAddress(i))
  const logs = recipients.map((to, i) =>
    evmTransfer(BigInt(i), evmAddress(77), evmAddress(0), to, { amount: 5n }),
  )
  return evmBlock(0n, { transactions: [evmTransaction({ logs, from: evmAddress(3) })] })
}

eachDatabase(({ openEvm }) => {
  test('the migration of ERC-1155 holders and airdrops stores the same rows as a writer', async () => {
    const store = await openEvm()
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    const chain = inventedChain({ seed: 5, transactions: [3, 8], accounts: 10 })
    const blocks = chain.grow(60).map((parts) => BlockReader.read(parts))
    const { transactions } = airdrop()
    await writer.commit(
      blocks.map((block, i) => ({ block: i === 0 ? { ...block, transactions } : block, contracts: [] })),
    )
    const written = await evmContents(store)
    expect(written['item_holder']?.length).toBeGreaterThan(10)
    expect(written['token_airdrop']?.join()).toContain('airdropped 13, others 2')
    await store.driver.transaction(async (session) => {
      const before = [
        // As in a migration; without a cluster, the setting has no effect.
        "set local citus.multi_shard_modify_mode to 'sequential'",
        'drop table item_holder, token_airdrop',
        'drop index transfer_contract_token_id_height_log_index_position_idx',
      ]
      for (const statement of [...before, ...splitStatements(MIGRATION)]) await session.query(statement)
    })
    expect(await evmContents(store)).toEqual(written)
  })
})
