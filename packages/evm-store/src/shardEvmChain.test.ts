import { setTimeout } from 'node:timers/promises'
import { BlockReader } from '@firn/evm'
import { inventedChain } from '@firn/evm/testing'
import { DATABASE, fetchRows, migrate } from '@firn/sql'
import { CITUS_URL, codeOf, TestPostgres } from '@firn/sql/testing'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { distributeEvmChain } from './distributeEvmChain.ts'
import * as EvmDoctor from './EvmDoctor.ts'
import { EvmStore } from './EvmStore.ts'
import { EvmWriter } from './EvmWriter.ts'
import * as migrations from './gen/migrations.ts'
import { PLACEMENTS } from './Placement.ts'
import { shardEvmChain } from './shardEvmChain.ts'
import { TEST_CHAIN } from './testing/evm.ts'
import { evmBlock } from './testing/evmBlocks.ts'
import { evmContents } from './testing/evmContents.ts'

const BLOCKS = 24
const SHARDS = 4
const chain = inventedChain({ seed: 7, transactions: [1, 4], accounts: 5 })
const blocks = chain.grow(BLOCKS).map(indexed)
const others = chain
  .branch(11n, 'reorg')
  .grow(BLOCKS - 12)
  .map(indexed)

function indexed(parts: Parameters<typeof BlockReader.read>[0]) {
  return { block: BlockReader.read(parts), contracts: [] }
}

const opened: EvmStore[] = []
let schemas = 0
afterEach(async () => {
  for (const store of opened.splice(0).toReversed()) {
    await store[DATABASE].schema.dropSchema(store.schema).ifExists().cascade().execute()
    await store.close()
  }
})

async function open(url: string, schema = `sharded_${process.pid}_${schemas++}`): Promise<EvmStore> {
  const store = await EvmStore.open({ url, chainId: TEST_CHAIN.chainId, connections: 4, schema })
  opened.push(store)
  return store
}

/** Returns a sharded chain with the first blocks. */
async function openSharded(count: number) {
  const store = await open(CITUS_URL)
  await shardEvmChain(store, { shards: SHARDS })
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  await writer.commit(blocks.slice(0, count))
  return { store, writer }
}

/** Returns the contents of the chain with a reorg above block 11, on one server. */
async function expected() {
  const store = await open(CITUS_URL)
  await store.migrate()
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  await writer.commit([...blocks.slice(0, 12), ...others])
  return evmContents(store)
}

describe.skipIf(CITUS_URL === '')('an EVM chain over several workers', { tags: ['citus'] }, () => {
  test('has the same rows as on one server after it was distributed in two attempts', async () => {
    const store = await open(CITUS_URL)
    await store.migrate()
    const writer = await EvmWriter.open(store, TEST_CHAIN)
    await writer.commit(blocks.slice(0, 8))
    let left = 9
    const interrupted = shardEvmChain(store, {
      shards: SHARDS,
      onTable: () => {
        if (--left === 0) throw new Error('interrupted')
      },
    })
    await expect(interrupted).rejects.toThrow('interrupted')
    expect(await codeOf(writer.commit(blocks.slice(8, 9)))).toBe('STORE_FENCED')
    await expect(EvmWriter.open(store, TEST_CHAIN)).rejects.toThrow(/run `firn db distribute --chain` again/)
    const tables = await shardEvmChain(store)
    expect(tables.map(({ name }) => name).toSorted()).toEqual(Object.keys(PLACEMENTS).toSorted())
    expect(tables.filter(({ isMoved }) => !isMoved).length).toBeGreaterThan(9)
    expect((await shardEvmChain(store)).filter(({ isMoved }) => isMoved)).toEqual([])
    const next = await EvmWriter.open(store, TEST_CHAIN)
    await next.commit(blocks.slice(8))
    await next.undo(11n)
    for (const block of others) await next.commit([block])
    expect(await evmContents(store)).toEqual(await expected())
    expect((await EvmDoctor.check(store)).faults).toEqual([])
  })

  test('keeps its number of shards, and is not moved to one worker', async () => {
    const { store } = await openSharded(2)
    await expect(shardEvmChain(store, { shards: 2 * SHARDS })).rejects.toMatchObject({ code: 'STORE_CITUS' })
    expect(await distributeEvmChain(store)).toBeUndefined()
    const whole = await open(CITUS_URL)
    await whole.migrate()
    await distributeEvmChain(whole)
    await expect(shardEvmChain(whole)).rejects.toThrow(/citus_schema_undistribute/)
  })

  test('is not read or written while a worker has not committed its part', async () => {
    const { store, writer } = await openSharded(4)
    const height = async () => {
      store.advanced(undefined)
      return (await store.snapshot()).height
    }
    const gid = `firn_${process.pid}`
    const [node] = await fetchRows(
      store,
      sql<{ host: string; port: string }>`
      select node_name as host, node_port::text as port from citus_get_active_worker_nodes() order by 2 limit 1`,
    )
    const worker = await open(
      Object.assign(new URL(CITUS_URL), { hostname: node?.host, port: node?.port }).href,
    )
    await worker.driver.transaction(async (session) => {
      await session.query('select txid_current()')
      await session.query(`prepare transaction '${gid}'`)
    })
    try {
      // The coordinator has not committed the transaction, so its rows are not expected.
      expect(await height()).toBe(3n)
      // Citus deletes such a row once a minute, because it does not know the transaction.
      const commitThere = () =>
        sql`insert into pg_dist_transaction (groupid, gid) select groupid, ${gid} from pg_dist_node
          where nodename = ${node?.host} and nodeport = ${node?.port}::int on conflict do nothing`.execute(
          store[DATABASE],
        )
      const attempts = [
        height,
        () => writer.commit(blocks.slice(4, 5)),
        () => EvmWriter.open(store, TEST_CHAIN),
      ]
      for (const attempt of attempts) {
        await commitThere()
        expect(await codeOf(attempt())).toBe('STORE_UNAVAILABLE')
      }
    } finally {
      await worker.driver.control(`commit prepared '${gid}'`)
      await sql`delete from pg_dist_transaction where gid = ${gid}`.execute(store[DATABASE])
    }
    const next = await EvmWriter.open(store, TEST_CHAIN)
    await next.commit(blocks.slice(4, 5))
    expect(await height()).toBe(4n)
  })

  test('commits an empty block in two phases, although one worker has all of its rows', async () => {
    const { store, writer } = await openSharded(4)
    const committed = async () =>
      (await fetchRows(store, sql<{ gid: string }>`select gid from pg_dist_transaction`)).map(
        ({ gid }) => gid,
      )
    const { hash, timestamp, height } = (blocks[3] as (typeof blocks)[number]).block
    const empty = { parentHash: hash, timestamp: timestamp + 1n, transactions: [], traces: [] }
    const before = new Set(await committed())
    await writer.commit([{ block: evmBlock(height + 1n, empty), contracts: [] }])
    // One part for each worker.
    expect((await committed()).filter((gid) => !before.has(gid)).length).toBeGreaterThanOrEqual(2)
  })

  test('has no answers at a block that an undo is removing, even if a worker still has it', async () => {
    const { store } = await openSharded(4)
    const at = await store.snapshot()
    expect(await store.isStored(at)).toBe(true)
    await sql`insert into change (sequence, kind, height, hash, parent_hash, time) select sequence + 1, 'undone', height, hash, parent_hash, time from change
      where height = ${at.height}`.execute(store[DATABASE])
    expect(await store.isStored(at)).toBe(false)
  })

  test('is checked in one snapshot of all servers while a block is stored', async () => {
    const { store, writer } = await openSharded(4)
    const doctor = await open(CITUS_URL, store.schema)
    const { transaction } = doctor.driver
    let stored: Promise<void> | undefined
    // Stores a block after the first rows that the doctor reads, unless the writer has to wait for it.
    const storing: typeof transaction = (work) =>
      transaction((session) =>
        work({
          ...session,
          query: async (text, values) => {
            const rows = await session.query(text, values)
            const isFirst = stored === undefined && /^\s*select/.test(text) && !text.includes('from sharding')
            if (isFirst && !text.includes('pg_dist_transaction')) {
              stored = writer.commit(blocks.slice(4, 5))
              await Promise.race([stored, setTimeout(1_000)])
            }
            return rows
          },
        }),
      )
    Object.assign(doctor.driver, { transaction: storing })
    expect((await EvmDoctor.check(doctor)).faults).toEqual([])
    await stored
    expect(writer.cursor?.height).toBe(4n)
  })

  test('moves shards between workers while blocks are stored', async () => {
    const { store, writer } = await openSharded(4)
    const shards = await fetchRows(
      store,
      sql<{ name: string; id: bigint; from: number; host: string; port: number }>`
      select distinct on (s.table_name) s.table_name::text as name, s.shardid as id, s.nodeport as from, w.node_name as host,
        w.node_port::int4 as port
      from citus_shards s join citus_get_active_worker_nodes() w on w.node_port <> s.nodeport
      where s.table_name in ('block'::regclass, 'token_balance'::regclass) order by s.table_name, s.shardid`,
    )
    expect(shards).toHaveLength(2)
    const move = async () => {
      for (const { id, from, host, port } of shards)
        await sql`select citus_move_shard_placement(${id}::int8, ${host}, ${from}::int4, ${host}, ${port}::int4)`.execute(
          store[DATABASE],
        )
    }
    const follow = async () => {
      for (const block of blocks.slice(4)) await writer.commit([block])
    }
    await Promise.all([move(), follow()])
    await writer.undo(11n)
    for (const block of others) await writer.commit([block])
    expect(await evmContents(store)).toEqual(await expected())
    expect((await EvmDoctor.check(store)).faults).toEqual([])
  })

  test('is migrated, and distributes tables that a migration adds', async () => {
    const { store, writer } = await openSharded(BLOCKS)
    const later = `set local search_path to ${store.schema};
alter table block add marker int;
alter table transfer add marked boolean not null default true;
update block set marker = height where height > 3;
create index on transaction (value, height);
alter table contract add marker text;
drop table pruned_activity;
create table pruned_activity (address bytea not null, last bigint, sender_last bigint, deployer_last bigint, primary key (address));
`
    await migrate(store[DATABASE], store.schema, { ...migrations.evm, '9999_later': later })
    await sql`delete from kysely_migration where name = '9999_later'`.execute(store[DATABASE])
    await store.migrate()
    const isDistributed = await fetchRows(
      store,
      sql`select from pg_dist_partition where logicalrelid = 'pruned_activity'::regclass`,
    )
    expect(isDistributed).toHaveLength(1)
    await writer.undo(11n)
    for (const block of others) await writer.commit([block])
    expect((await EvmDoctor.check(store)).faults).toEqual([])
  })
})

test.skipIf(TestPostgres.missing() !== undefined)(
  'rejects to distribute a chain over workers on a server without Citus',
  { tags: ['postgres'] },
  async () => {
    const store = await open(await TestPostgres.url())
    await expect(shardEvmChain(store)).rejects.toMatchObject({ code: 'STORE_CITUS' })
  },
)
