import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { splitStatements } from '@firn/sql'
import { describe, expect, test } from 'vitest'
import { EvmWriter } from '../EvmWriter.ts'
import { busyChain } from '../testing/busyChain.ts'
import { eachDatabase } from '../testing/databases.ts'
import { TEST_CHAIN } from '../testing/evm.ts'
import { evmContents } from '../testing/evmContents.ts'

const MIGRATIONS = ['0008_activity', '0020_last_activity'].map((name) =>
  readFileSync(join(import.meta.dirname, `evm/${name}.sql`), 'utf8'),
)

/** The table of release 0.1.0, with the rows of the hours. Rows of longer periods are not read. */
const BEFORE = [
  `create table active_address as with act as (select height, sender as address, 's' as kind from transaction
      union all select height, recipient, 'r' from transaction where recipient is not null
      union all select height, sender, 's' from transfer union all select height, recipient, 'r' from transfer
      union all select height, creator, 'd' from creation),
    hours as (select b.time - b.time % 3600 as start, address, min(b.height) filter (where kind <> 'd') as since,
        min(b.height) filter (where kind = 's') as sender_since, min(b.height) filter (where kind = 'd') as deployer_since
      from act join block b on b.height = act.height group by 1, 2)
    select 'hour' as period, h.* from hours h union all select 'day', h.* from hours h`,
  'drop table last_activity, last_activity_count, pruned_activity',
  'drop index creation_creator_height_idx',
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
        for (const statement of [...BEFORE, ...MIGRATIONS.flatMap(splitStatements)])
          await session.query(statement)
      })
      expect(await evmContents(store)).toEqual(written)
    })
  })
})
