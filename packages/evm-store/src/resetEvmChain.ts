import { channelName, fetchRows, lockFence, StoreError } from '@firn/sql'
import { sql } from 'kysely'
import { type EvmChain, ofRow } from './EvmChain.ts'
import type { ChainRow } from './EvmSchema.ts'
import type { EvmStore } from './EvmStore.ts'

/** The result of {@link resetEvmChain}. */
export interface RemovedChain {
  readonly chain: EvmChain
  /** Heights of the first and the newest removed block; undefined if no block was stored. */
  readonly blocks: { readonly first: bigint; readonly last: bigint } | undefined
}

/**
 * The tables that are not cleared: API keys, secrets, the lease, webhooks, numbers that must not be reused, how the chain is
 * sharded, which indexes are missing, and the list of applied migrations.
 */
const KEPT = [
  'api_key',
  'secret',
  'writer',
  'lease',
  'webhook_revision',
  'webhook',
  'webhook_key',
  'webhook_secret',
  'webhook_source',
  'webhook_event',
  'webhook_delivery',
  'webhook_queue',
  'sharding',
  'height_shard',
  'address_shard',
  'deferred_index',
  'kysely_migration',
  'kysely_migration_lock',
]

/**
 * Removes an EVM chain and all data derived from it from its schema, in one database transaction, so that the next
 * writer starts over. Open writers are fenced off. API keys, secrets, and the sequence numbers of the change feed are
 * kept.
 *
 * @example
 * ```ts
 * import { EvmStore, resetEvmChain } from '@firn/evm-store'
 *
 * const store = await EvmStore.open({ chainId: 43114n, folder: 'c-chain' })
 * const { blocks } = await resetEvmChain(store)
 * ```
 * @throws StoreError `STORE_EMPTY` if no chain is stored, `STORE_UNAVAILABLE`
 */
export async function resetEvmChain(store: EvmStore): Promise<RemovedChain> {
  // If nothing is stored, the schema and its tables must not be created.
  const rows = await fetchRows(
    store,
    sql<{
      table: unknown
    }>`select to_regclass(${`${store.schema}.chain`}) as table`,
  )
  if (rows[0]?.table === null) throw missing(store)
  await store.migrate()
  const removed = await store.driver.transaction(async (session) => {
    // The lock waits for a running commit, and makes later commits fail.
    await lockFence(session, undefined)
    await session.query('update writer set reserved = greatest(reserved, (select max(sequence) from change))')
    const [row] = await session.query('select * from chain')
    if (row === undefined) throw missing(store)
    const chain = ofRow(row as unknown as ChainRow)
    const [cursor] = await session.query('select height from cursor')
    const last = cursor?.['height'] as bigint | undefined
    const tables = await session.query(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition and not c.relname = any($2)`,
      [store.schema, KEPT],
    )
    await session.query(`truncate ${tables.map(({ name }) => `"${name}"`).join(', ')}`)
    await session.query('select pg_notify($1, $2)', [channelName(store.schema), ''])
    return { chain, blocks: last === undefined ? undefined : { first: chain.firstHeight, last } }
  })
  store.advanced(undefined)
  return removed
}

function missing({ chainId, schema }: EvmStore): StoreError {
  return new StoreError(
    'STORE_EMPTY',
    `chain ${chainId} is not stored in schema ${schema}; there is nothing to remove`,
  )
}
