import { isFirnError } from '@firn/codec'
import type { Driver, Session } from '@firn/sql'
import { EVM_TABLES } from '../EvmSchema.ts'
import type { EvmTable } from './evmTable.ts'

/** An index of a chain's table. */
export interface Index {
  readonly table: string
  /** The SQL after `create index on <table>`. */
  readonly definition: string
}

/** An index that was built. */
export interface BuiltIndex {
  readonly index: Index
  /** Number of indexes that are still missing. */
  readonly missing: number
}

/** The indexes that only requests need, in the order in which they are built. */
const REQUEST_INDEXES: readonly Index[] = requestIndexes()

function requestIndexes(): readonly Index[] {
  const tables: Readonly<Record<string, Partial<EvmTable>>> = EVM_TABLES
  return Object.entries(tables).flatMap(([table, declared]) =>
    (declared.requestIndexes ?? []).map((definition) => ({ table, definition })),
  )
}

/** Returns the indexes that are not built yet. */
export async function missingIndexes(session: Session): Promise<readonly Index[]> {
  const rows = await session.query('select indexed, definition from deferred_index order by position')
  return rows.map(({ indexed, definition }) => ({
    table: indexed as string,
    definition: definition as string,
  }))
}

/**
 * Removes the indexes that only requests need, if no block is stored. Partitions that are added later lack them too.
 */
export async function deferIndexes(session: Session): Promise<void> {
  if ((await session.query('select from cursor')).length > 0) return
  await session.query(SEQUENTIAL)
  const tables: Readonly<Record<string, Partial<EvmTable>>> = EVM_TABLES
  for (const table of new Set(REQUEST_INDEXES.map((index) => index.table))) {
    for (const { name } of await session.query(SECONDARY, [table]))
      await session.query(`drop index "${name}"`)
    // The catalog spells definitions differently, so the other indexes are created again instead of being compared.
    const { indexes = [], requestIndexes: own = [] } = tables[table] ?? {}
    for (const index of indexes)
      if (!own.includes(index)) await session.query(`create index on ${table} ${index}`)
  }
  await session.query('delete from deferred_index')
  for (const [position, { table, definition }] of REQUEST_INDEXES.entries()) {
    const add = 'insert into deferred_index (position, indexed, definition) values ($1, $2, $3)'
    await session.query(add, [position, table, definition])
  }
}

/** Citus rejects statements that change tables after others have changed rows through several connections. */
const SEQUENTIAL = `set local citus.multi_shard_modify_mode to 'sequential'`

const SECONDARY = `select i.relname as name from pg_index x join pg_class i on i.oid = x.indexrelid
  where x.indrelid = to_regclass($1) and not x.indisprimary order by i.relname`

/**
 * Builds the next missing index in a separate database transaction, and returns it; undefined if none is missing or
 * the signal is aborted. Commits to the table wait meanwhile, and so do other processes that call it. If the process is
 * killed, the server rolls the transaction back.
 * @throws StoreError `STORE_UNAVAILABLE`, `STORE_QUERY`
 */
export async function buildNextIndex(driver: Driver, signal?: AbortSignal): Promise<BuiltIndex | undefined> {
  const isAborted = () => signal?.aborted === true
  if (isAborted()) return undefined
  try {
    return await driver.transaction((session) =>
      cancellable(session, driver, signal, () => build(session, driver)),
    )
  } catch (error) {
    if (isAborted() && isFirnError(error)) return undefined
    throw error
  }
}

/** Cancels the statement that `work` waits for when the signal is aborted. Building an index can take an hour. */
async function cancellable<T>(
  session: Session,
  driver: Driver,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (!driver.isShared || signal === undefined) return work()
  const [backend] = await session.query('select pg_backend_pid() as pid')
  // If the statement cannot be cancelled, it runs to its end.
  const cancel = () => void driver.control(CANCEL, [backend?.['pid']]).catch(() => undefined)
  signal.addEventListener('abort', cancel)
  try {
    return await work()
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Citus adds a function of the same name for 64-bit numbers, so the type of the parameter must be declared. */
const CANCEL = 'select pg_cancel_backend($1::int4)'

async function build(session: Session, { isShared }: Driver): Promise<BuiltIndex | undefined> {
  if (isShared) await session.query(NOTICE_KILLS)
  await session.query(
    `select pg_advisory_xact_lock(hashtextextended('firn indexes ' || current_schema(), 0))`,
  )
  const [row] = await session.query(TAKE)
  if (row === undefined) return undefined
  const [table, definition] = [row['indexed'] as string, row['definition'] as string]
  await session.query(SEQUENTIAL)
  await session.query(`create index on ${table} ${definition}`)
  return { index: { table, definition }, missing: (await missingIndexes(session)).length }
}

/** Makes the server end the statement of a killed process. Before version 14, it ends the statement once it is done. */
const NOTICE_KILLS = `select set_config(name, '5s', true) from pg_settings where name = 'client_connection_check_interval'`

const TAKE = `delete from deferred_index where position = (select min(position) from deferred_index)
  returning indexed, definition`
