import { sql } from 'kysely'
import { keyOf } from '../../internal/arrays.ts'
import { fetchRows } from '../../internal/database.ts'
import { behind, by } from '../../internal/Order.ts'
import type { EvmSnapshot } from '../EvmSnapshot.ts'
import type { EvmStore } from '../EvmStore.ts'
import { columnNames } from '../internal/eventColumns.ts'
import { type EventTable, type EventTableRow, ofRow } from '../internal/eventTable.ts'
import type { LogPlace } from './Logs.ts'
import { narrowed, type Range, within } from './Range.ts'
import type { InBlock } from './Transactions.ts'

/** A decoded event with its block and transaction. */
export interface DecodedEvent extends LogPlace, InBlock {
  readonly transactionIndex: number
  readonly transactionHash: Uint8Array
  readonly address: Uint8Array
  /**
   * The values of the event's parameters: integers as `bigint`, addresses and bytes as bytes, `bool` and `string` as in
   * TypeScript, arrays and tuples as arrays in which integers and bytes are text.
   */
  readonly values: readonly unknown[]
}

/**
 * Returns the tables of decoded events, by name.
 *
 * @example
 * ```ts
 * import { EvmEvents, type EvmStore } from '@firn/store/evm'
 *
 * declare const store: EvmStore
 * const tables = await EvmEvents.tables(store)
 * console.log(tables.map(({ source }) => source.event.name))
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function tables(store: EvmStore): Promise<readonly EventTable[]> {
  const rows = await fetchRows(store, sql<EventTableRow>`select * from event_table order by name`)
  return rows.map(ofRow)
}

/**
 * Returns the events of a table, newest first. If `addresses` is not empty, only events of these contracts are
 * returned.
 *
 * @example
 * ```ts
 * import { EvmEvents, type EvmStore } from '@firn/store/evm'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const [table] = await EvmEvents.tables(store)
 * if (table !== undefined) {
 *   const events = await EvmEvents.page(store, at, table, { addresses: [], after: undefined, limit: 25 })
 *   console.log(events.map(({ values }) => values))
 * }
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function page(
  store: EvmStore,
  at: EvmSnapshot,
  { name, source }: EventTable,
  {
    addresses,
    after,
    limit,
    ...range
  }: Range & {
    readonly addresses: readonly Uint8Array[]
    readonly after: LogPlace | undefined
    readonly limit: number
  },
): Promise<readonly DecodedEvent[]> {
  const place = [sql`t.height`, sql`t.log_index`]
  const key = after && [after.height, after.logIndex]
  const rest = sql`${within(sql`t.height`, at, narrowed(range, after))} and ${behind(place, key)} ${by(place)} limit ${limit}`
  const table = sql.table(name)
  const columns = columnNames(source.event)
  const values = columns.map((column, i) => sql`, t.${sql.id(column)} as ${sql.id(`value${i}`)}`)
  // One query for each contract lets the planner read each in the order of its index.
  const ofContracts = [...new Map(addresses.map((address) => [keyOf(address), address])).values()].map(
    (address) => sql`(select t.* from ${table} as t where t.address = ${address} and ${rest})`,
  )
  const found =
    addresses.length === 0
      ? sql`select t.* from ${table} as t where ${rest}`
      : sql`select t.* from (${sql.join(ofContracts, sql` union all `)}) as t ${by(place)} limit ${limit}`
  const rows = await fetchRows(
    store,
    sql<Omit<DecodedEvent, 'values'> & Readonly<Record<`value${number}`, unknown>>>`
    select t.height, t.log_index as "logIndex", t.transaction_index as "transactionIndex", t.address,
      coalesce(x.hash, l.hash) as "transactionHash", b.hash as "blockHash", b.time, b.time_milliseconds as "timeMilliseconds"
      ${sql.join(values, sql``)}
    from (${found}) as t
    left join transaction as x on x.height = t.height and x.transaction_index = t.transaction_index
    left join log_transaction as l on l.height = t.height and l.transaction_index = t.transaction_index
    join block as b on b.height = t.height ${by(place)}`,
  )
  return rows.map((row) => ({
    height: row.height,
    logIndex: row.logIndex,
    transactionIndex: row.transactionIndex,
    transactionHash: row.transactionHash,
    blockHash: row.blockHash,
    time: row.time,
    timeMilliseconds: row.timeMilliseconds,
    address: row.address,
    values: columns.map((_, i) => row[`value${i}`]),
  }))
}
