import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EvmWriter } from '../evm/EvmWriter.ts'
import { splitStatements } from '../internal/migrate.ts'
import { busyChain } from '../testing/busyChain.ts'
import { eachDatabase } from '../testing/databases.ts'
import { TEST_CHAIN } from '../testing/evm.ts'
import { evmContents } from '../testing/evmContents.ts'

const MIGRATION = readFileSync(join(import.meta.dirname, 'evm/0008_activity.sql'), 'utf8')

/** The table of release 0.1.0, with the rows of the hours. Rows of longer periods are not read. */
const BEFORE = [
  `create table active_address as select 'hour' as period, hour as start, address, since, sender_since, deployer_since
    from hourly_activity union all select 'day', hour, address, since, sender_since, deployer_since from hourly_activity`,
  'drop table hourly_activity, last_activity, last_activity_count',
]

eachDatabase(({ openEvm }) => {
  describe('the migration of active addresses', () => {
    test('stores the same activity as a writer', async () => {
      const store = await openEvm()
      const shape = { blocks: 60, transactions: 3, transfers: 4, accounts: 25, contracts: 3, isVaried: true }
      const blocks = [...busyChain({ ...shape, seconds: 5_000 })]
      const writer = await EvmWriter.open(store, TEST_CHAIN)
      await writer.commit(blocks.map((block) => ({ block, contracts: [] })))
      const written = await evmContents(store)
      expect(written['last_activity_count']?.length).toBeGreaterThan(4)
      await store.driver.transaction(async (session) => {
        for (const statement of [...BEFORE, ...splitStatements(MIGRATION)]) await session.query(statement)
      })
      expect(await evmContents(store)).toEqual(written)
    })
  })
})
