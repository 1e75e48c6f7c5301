import { lockFence, type Session, StoreError } from '@firn/sql'
import type { EvmStore } from './EvmStore.ts'
import { assertCitus, isOnOneWorker } from './internal/citus.ts'
import { missingTables, moveTable, placements } from './internal/sharding.ts'
import type { Placement } from './Placement.ts'

/** Options of {@link shardEvmChain}. */
export interface ShardOptions {
  /**
   * Number of shards of each sharded table, which limits the number of workers; 16 by default. It cannot be changed
   * later.
   */
  readonly shards?: number | undefined
  /** Called after each table. */
  readonly onTable?: ((table: ShardedTable) => void) | undefined
}

/** A table of a sharded chain. */
export interface ShardedTable {
  readonly name: string
  readonly placement: Placement
  /** Whether the call has moved the table. Others were moved before, or stay on the coordinator. */
  readonly isMoved: boolean
}

const SHARDS = 16

/**
 * Shards the tables of an EVM chain over the workers of a Citus cluster, and returns them. Each table is moved in a
 * separate transaction. Writers wait until all are. If the call is interrupted, the next one continues. On a chain
 * that is sharded already, it only moves tables that were added since.
 *
 * @example
 * ```ts
 * import { EvmStore, shardEvmChain } from '@firn/evm-store'
 *
 * const store = await EvmStore.open({ chainId: 43114n, url: 'postgres://firn@coordinator/firn' })
 * await shardEvmChain(store, { shards: 32, onTable: ({ name }) => console.log(name) })
 * ```
 * @throws StoreError `STORE_CITUS` if the server is not the coordinator of at least two workers, if the chain is on one
 * worker, or if it has another number of shards; `STORE_SCHEMA`, `STORE_UNAVAILABLE`
 */
export async function shardEvmChain(
  store: EvmStore,
  { shards, onTable = () => undefined }: ShardOptions = {},
): Promise<readonly ShardedTable[]> {
  const { transaction } = store.driver
  await transaction(assertWorkers)
  await store.migrate()
  const count = await transaction((session) => begin(session, shards))
  const missing = new Set((await transaction(missingTables)).map(({ name }) => name))
  const tables: ShardedTable[] = []
  for (const { name, placement } of await transaction(placements)) {
    const isMoved = missing.has(name)
    if (isMoved) await transaction((session) => moveTable(session, name, placement, count))
    const table = { name, placement, isMoved }
    tables.push(table)
    onTable(table)
  }
  await transaction(async (session) => {
    for (const fill of FILL_SHARDS) await session.query(fill)
    await session.query('update sharding set is_complete = true')
  })
  return tables
}

/** @throws StoreError `STORE_CITUS` */
async function assertWorkers(session: Session): Promise<void> {
  await assertCitus(session)
  const [row] = await session.query(`select (select count(*) from citus_get_active_worker_nodes()) as workers,
    (select groupid from pg_dist_local_group) as group`)
  const workers = Number(row?.['workers'])
  if (workers >= 2 && row?.['group'] === 0) return
  const message =
    row?.['group'] === 0
      ? `a chain can be distributed over two workers or more, and the cluster has ${workers}; add workers with citus_add_node, or put whole chains onto workers with --chains`
      : 'the server is a worker of a Citus cluster; connect to its coordinator'
  throw new StoreError('STORE_CITUS', message, { details: { workers } })
}

/**
 * Marks the chain as being sharded, and fences off its writer. Returns the number of shards.
 * @throws StoreError `STORE_CITUS`
 */
async function begin(session: Session, shards: number | undefined): Promise<number> {
  if (await isOnOneWorker(session)) {
    const message =
      'all tables of the chain are on one worker; run citus_schema_undistribute for its schema first'
    throw new StoreError('STORE_CITUS', message)
  }
  // The lock waits for a running commit. Open writers fail afterwards, and no other can be opened.
  await session.query('lock table writer in exclusive mode')
  const [sharding] = await session.query('select shards, is_complete from sharding')
  const stored = sharding?.['shards'] as number | undefined
  if (stored !== undefined && shards !== undefined && stored !== shards) {
    const message = `the chain has ${stored} shards already, which cannot be changed to ${shards}`
    throw new StoreError('STORE_CITUS', message, { details: { expected: stored, actual: shards } })
  }
  const count = stored ?? shards ?? SHARDS
  const isComplete =
    stored !== undefined && sharding?.['is_complete'] === true && (await missingTables(session)).length === 0
  if (isComplete) return count
  await lockFence(session, undefined)
  await session.query('delete from sharding')
  await session.query('insert into sharding (shards, is_complete) values ($1, false)', [count])
  return count
}

/** Finds a key in each shard of the tables with one row in each. Among this many random keys, none is missing. */
const KEYS_PER_SHARD = 64
const fillShards = (table: string, column: string, key: string) =>
  `insert into ${table} (${column}) select distinct on (shard) key from (
      select ${key} as key, get_shard_id_for_distribution_column('${table}', ${key}) as shard
      from sharding cross join lateral generate_series(1, ${KEYS_PER_SHARD} * shards) as i) as keys
    order by shard, key on conflict do nothing`
const FILL_SHARDS = [
  fillShards('height_shard', 'height', 'i::int8'),
  fillShards('address_shard', 'address', `decode(lpad(to_hex(i), 40, '0'), 'hex')`),
]
