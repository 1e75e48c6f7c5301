import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BlockReader } from '@firn/evm'
import { inventedChain } from '@firn/evm/testing'
import { splitStatements } from '@firn/sql'
import { describe, expect, test } from 'vitest'
import { PRUNABLE } from '../DataKinds.ts'
import * as EvmDoctor from '../EvmDoctor.ts'
import type { EvmStore } from '../EvmStore.ts'
import { EvmWriter } from '../EvmWriter.ts'
import { eachDatabase } from '../testing/databases.ts'
import { TEST_CHAIN } from '../testing/evm.ts'
import { evmContents } from '../testing/evmContents.ts'

const MIGRATION = readFileSync(join(import.meta.dirname, 'evm/0032_created_contracts.sql'), 'utf8')

/** What earlier versions stored: they also counted failed and undone creations, and their creators as deployers. */
const BEFORE = [
  'alter table block drop column contracts',
  'update rollup set creations = creations + 3, deployers = deployers + 2, new_deployers = new_deployers + 1',
  `insert into last_activity (address, deployer_last)
    select creator, max(height) from creation where not succeeded group by creator
    on conflict (address) do update set deployer_last = excluded.deployer_last`,
  `insert into pruned_activity (address, deployer_last) select address, 1 from last_activity where deployer_last is not null
    on conflict (address) do update set deployer_last = excluded.deployer_last`,
  'update last_activity_count set deployers = 5 where deployers = 0',
  'delete from last_activity_count where addresses = 0',
  "insert into last_activity_count values ('day', 86400, 0, 0, 3)",
]

const DAYS = 'select address, last, sender_last, deployer_last / 86400 as deployer_day'

async function run(store: EvmStore, statements: readonly string[]): Promise<void> {
  await store.driver.transaction(async (session) => {
    // As in a migration; without a cluster, the setting has no effect.
    await session.query("set local citus.multi_shard_modify_mode to 'sequential'")
    for (const statement of statements) await session.query(statement)
  })
}

const blocks = inventedChain({ seed: 11, transactions: [2, 7], accounts: 6 })
  .grow(90)
  .map((parts) => ({ block: BlockReader.read(parts), contracts: [] }))

eachDatabase(({ openEvm }) => {
  describe('the migration of created contracts', () => {
    test.each([true, false])('stores the same counts as a writer (with traces: %s)', async (hasTraces) => {
      const store = await openEvm()
      const writer = await EvmWriter.open(store, { ...TEST_CHAIN, hasTraces })
      await writer.commit(
        hasTraces ? blocks : blocks.map((one) => ({ ...one, block: { ...one.block, traces: undefined } })),
      )
      const written = await evmContents(store)
      const failed = written['creation']?.filter((row) => row.endsWith('succeeded false'))
      expect(failed?.length).toBeGreaterThan(hasTraces ? 20 : 3)
      await run(store, [...BEFORE, ...splitStatements(MIGRATION)])
      expect(await evmContents(store)).toEqual(written)
    })

    test('stores the same counts, by day, if headers and the totals of hours were removed', async () => {
      const store = await openEvm()
      const writer = await EvmWriter.open(store, TEST_CHAIN)
      await writer.commit(blocks.slice(0, 80))
      const keep = Object.fromEntries(PRUNABLE.map((kind) => [kind, 0n]))
      while (await writer.prune({ keep, depth: 25n, batch: 50 }));
      const daysOf = async () =>
        store.driver.transaction(async (session) => [
          await session.query(`${DAYS} from last_activity order by address`),
          await session.query(`${DAYS} from pruned_activity order by address`),
        ])
      const { last_activity: _, ...written } = await evmContents(store)
      const days = await daysOf()
      expect(days[1]?.filter((row) => row['deployer_day'] !== null).length).toBeGreaterThan(3)
      await run(store, [...BEFORE, ...splitStatements(MIGRATION)])
      const { last_activity: __, ...migrated } = await evmContents(store)
      expect(migrated).toEqual(written)
      expect(await daysOf()).toEqual(days)
      expect((await EvmDoctor.check(store)).faults).toEqual([])
      const next = await EvmWriter.open(store, TEST_CHAIN)
      await next.undo(70n)
      await next.commit(blocks.slice(71))
      expect((await EvmDoctor.check(store)).faults).toEqual([])
    })
  })
})
