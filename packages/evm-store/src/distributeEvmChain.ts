import type { EvmStore } from './EvmStore.ts'
import { assertCitus, isOnOneWorker } from './internal/citus.ts'
import { isSharded } from './internal/sharding.ts'

/** The server of a Citus cluster that contains a chain's tables. */
export interface ChainPlace {
  readonly host: string
  readonly port: number
  /** Size of the tables and their indexes. */
  readonly bytes: bigint
}

/**
 * Puts the tables of an EVM chain onto a worker of a Citus cluster, which chooses the worker, and returns that worker.
 * Tables that are on a worker already stay there. Returns undefined if `shardEvmChain` has distributed the chain over several
 * workers. The tables can be moved to other workers while blocks are stored.
 * Writers wait while the rows are copied.
 *
 * @example
 * ```ts
 * import { distributeEvmChain, EvmStore } from '@firn/evm-store'
 *
 * const store = await EvmStore.open({ chainId: 43114n, url: 'postgres://firn@coordinator/firn' })
 * const place = await distributeEvmChain(store)
 * console.log(place?.host, place?.port)
 * ```
 * @throws StoreError `STORE_CITUS` if the server has no Citus, `STORE_SCHEMA`, `STORE_UNAVAILABLE`
 */
export async function distributeEvmChain(store: EvmStore): Promise<ChainPlace | undefined> {
  const { transaction } = store.driver
  await transaction(assertCitus)
  await store.migrate()
  if (await transaction(isSharded)) return undefined
  await transaction(async (session) => {
    if (await isOnOneWorker(session)) return
    // Each commit locks this table first. The lock waits for a running commit, and makes later commits wait.
    await session.query('lock table writer in exclusive mode')
    for (const { name } of await session.query(WITHOUT_KEY)) {
      await session.query(`alter table ${name} replica identity full`)
    }
    await session.query('select citus_schema_distribute(current_schema()::regnamespace)')
  })
  const [place] = await transaction((session) => session.query(PLACE))
  return place as unknown as ChainPlace
}

/** The tables without a primary key. Moving their rows while they change requires that changes contain the whole row. */
const WITHOUT_KEY = `select quote_ident(relname) as name from pg_class c
  where relnamespace = current_schema()::regnamespace and relkind = 'r'
    and not exists (select from pg_index where indrelid = c.oid and indisprimary)`

const PLACE = `select nodename as host, nodeport::int4 as port, sum(shard_size)::int8 as bytes
  from citus_shards join pg_class on pg_class.oid = table_name
  where relnamespace = current_schema()::regnamespace group by nodename, nodeport`
