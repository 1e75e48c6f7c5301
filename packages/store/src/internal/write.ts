import type { Vertices } from '@firn/ledger'
import { type CopyTarget, formatArray, type Session, StoreError, TableRows } from '@firn/sql'
import { type Database, LEDGER_TABLE_NAMES, LEDGER_TABLES, type LedgerTable, WAITING } from '../Schema.ts'
import { addressesOf } from './addresses.ts'
import type { Batch, Consumption, Ending } from './Batch.ts'
import { unique } from './versions.ts'

/**
 * Writes the rows of a batch. Versions of earlier batches are ended first, because only one version of a
 * record may be current.
 */
export async function write(session: Session, batch: Batch): Promise<void> {
  await end(session, batch.ended)
  await consume(session, batch.consumed)
  for (const table of LEDGER_TABLE_NAMES) await copyTable(session, table, batch.rows[table])
  if (batch.vertices !== undefined) await writeWaiting(session, batch.vertices)
  for (const [chain, cursor] of Object.entries(batch.cursors)) {
    const { height, blockId, time } = cursor
    await session.query(
      `insert into cursor (chain, height, block_id, time, derived, rewarded) values ($1, $2, $3, $4, $2, $2)
        on conflict (chain) do update set height = excluded.height, block_id = excluded.block_id, time = excluded.time,
          derived = excluded.derived, rewarded = excluded.rewarded`,
      [chain, String(height), blockId, String(time)],
    )
  }
}

/** The targets of COPY. The mapped type ensures that each table gets its own row type. */
const TARGETS: { readonly [T in LedgerTable]: CopyTarget<Database[T]> } = LEDGER_TABLES

function copyTable<T extends LedgerTable>(
  session: Session,
  table: T,
  rows: readonly Database[T][],
): Promise<void> {
  return copy<Database[T]>(session, table, TARGETS[table], rows)
}

async function copy<Row>(
  session: Session,
  table: string,
  target: CopyTarget<Row>,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return
  const copied = new TableRows<Row>(table, target)
  for (const row of rows) copied.add(row)
  await session.copy(copied.target, copied.finish())
}

/** Stores the transactions that wait, and removes those that no longer wait. */
async function writeWaiting(session: Session, { waiting }: Vertices.Progress): Promise<void> {
  const positions = formatArray(waiting.map(({ position }) => position))
  await session.query('delete from waiting_transaction where position <> all($1::int4[])', [positions])
  const stored = await session.query('select position from waiting_transaction')
  const known = new Set(stored.map(({ position }) => position))
  const rows = waiting.filter(({ position }) => !known.has(position))
  await copy(
    session,
    'waiting_transaction',
    WAITING,
    rows.map(({ position, ordinal, txId: id, bytes }) => ({ position, ordinal, id, bytes })),
  )
}

async function end(session: Session, endings: readonly Ending[]): Promise<void> {
  for (const [table, group] of Map.groupBy(endings, (ending) => ending.table)) {
    await change(
      session,
      `update ${table} v set until = c.until from unnest($1::bytea[], $2::int8[]) as c (key, until)
        where v.key = c.key and v.until is null`,
      [group.map(({ key }) => key), formatArray(group.map(({ until }) => until))],
      group.length,
    )
  }
}

async function consume(session: Session, consumptions: readonly Consumption[]): Promise<void> {
  if (consumptions.length === 0) return
  const values = valuesOf(consumptions)
  await change(session, CONSUME, values, consumptions.length)
  const owned = consumptions.reduce(
    (sum, { record }) => sum + unique(addressesOf(record.utxo.output)).length,
    0,
  )
  await change(session, CONSUME_ADDRESSES, values.slice(0, 4), owned)
}

/**
 * Marks UTXOs as consumed if they aren't consumed yet. With the condition `is null`, the planner would assume
 * that one row in two hundred matches, and would scan all rows instead of looking up each one.
 */
export const CONSUME = `update utxo u set consumed_height = c.consumed_height, consumed_tx_id = c.consumed_tx_id,
    consumed_time = c.consumed_time
  from unnest($1::text[], $2::int8[], $3::int4[], $4::int8[], $5::bytea[], $6::int8[])
    as c (source, height, ordinal, consumed_height, consumed_tx_id, consumed_time)
  where u.source = c.source and u.height = c.height and u.ordinal = c.ordinal and coalesce(u.consumed_height, -1) < 0`

/** Marks the rows of consumed UTXOs in `utxo_address` as consumed. */
export const CONSUME_ADDRESSES = `update utxo_address u set consumed_height = c.consumed_height
  from unnest($1::text[], $2::int8[], $3::int4[], $4::int8[]) as c (source, height, ordinal, consumed_height)
  where u.source = c.source and u.height = c.height and u.ordinal = c.ordinal`

function valuesOf(consumptions: readonly Consumption[]): readonly unknown[] {
  return [
    formatArray(consumptions.map(({ record }) => record.source)),
    formatArray(consumptions.map(({ record }) => record.height)),
    formatArray(consumptions.map(({ record }) => record.ordinal)),
    formatArray(consumptions.map(({ height }) => height)),
    consumptions.map(({ txId }) => txId),
    formatArray(consumptions.map(({ time }) => time)),
  ]
}

/**
 * Runs an update that must change exactly `expected` rows. Any other number means that the database differs from the
 * ledger's state.
 */
async function change(
  session: Session,
  text: string,
  values: readonly unknown[],
  expected: number,
): Promise<void> {
  const [row] = await session.query(
    `with changed as (${text} returning 1) select count(*) from changed`,
    values,
  )
  if (row?.['count'] === BigInt(expected)) return
  const message = `the database differs from the ledger's state: expected to update ${expected} rows, updated ${row?.['count']}`
  throw new StoreError('STORE_CORRUPT', message, { details: { expected, actual: row?.['count'] } })
}
