import { behind, fetchRows, orderBy, toKey } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { EvmSnapshot } from '../EvmSnapshot.ts'
import type { EvmStore } from '../EvmStore.ts'
import { columnNames } from '../internal/eventColumns.ts'
import { type EventTable, type EventTableRow, ofRow } from '../internal/eventTable.ts'
import type { LogPlace } from './Logs.ts'
import { narrowed, ofValue, type Range, within } from './Range.ts'
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
 * import { EvmEvents, type EvmStore } from '@firn/evm-store'
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

/** A value that a parameter of the listed events has. */
export interface ArgumentFilter {
  /** Position of the parameter in the event. Its values must not be arrays or tuples. */
  readonly index: number
  readonly value: bigint | boolean | string | Uint8Array
}

/** A part of a list of events. */
export interface EventPage {
  readonly events: readonly DecodedEvent[]
  /** Position up to which events were examined, if the query stopped before the end of the range and the limit. */
  readonly stoppedAt: LogPlace | undefined
}

/** Options of {@link page}. */
export interface EventQuery extends Range {
  /** Contracts whose events are returned; empty for all contracts. */
  readonly addresses: readonly Uint8Array[]
  /** Values that the events have, all of them; none by default. */
  readonly args?: readonly ArgumentFilter[] | undefined
  readonly after: LogPlace | undefined
  readonly limit: number
  /** Maximum number of events to examine if there are `args`; 10,000 by default. */
  readonly mostExamined?: number | undefined
}

const MOST_EXAMINED = 10_000

/**
 * Returns the events of a table, newest first. Events are found by an index of the first of the `args` whose parameter is
 * indexed, or of the contracts, and then examined one after the other. If the query stops before the end of the range, the
 * page says where, and the next page can start there.
 *
 * @example
 * ```ts
 * import { EvmEvents, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const [table] = await EvmEvents.tables(store)
 * if (table !== undefined) {
 *   const { events } = await EvmEvents.page(store, at, table, { addresses: [], after: undefined, limit: 25 })
 *   console.log(events.map(({ values }) => values))
 * }
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function page(
  store: EvmStore,
  at: EvmSnapshot,
  { name, source }: EventTable,
  query: EventQuery,
): Promise<EventPage> {
  const columns = columnNames(source.event)
  const values = columns.map((column, i) => sql`, t.${sql.id(column)} as ${sql.id(`value${i}`)}`)
  const { found, examined } = candidates(at, { name, source }, query)
  const rows = await fetchRows(
    store,
    sql<Found>`
    with examined as materialized (${found}),
    stop as (select height, log_index from (select *, count(*) over () as examined from examined) as e
      where e.examined >= ${examined} order by height, log_index limit 1),
    matched as (select height, log_index, false as "isStop" from examined where matches
        order by height desc, log_index desc limit ${query.limit}),
    places as (select * from matched union all select height, log_index, true from stop)
    select p."isStop", t.height, t.log_index as "logIndex", t.transaction_index as "transactionIndex", t.address,
      coalesce(x.hash, l.hash) as "transactionHash", b.hash as "blockHash", b.time, b.time_milliseconds as "timeMilliseconds"
      ${sql.join(values, sql``)}
    from places as p join ${sql.table(name)} as t on t.height = p.height and t.log_index = p.log_index
    left join transaction as x on x.height = t.height and x.transaction_index = t.transaction_index
    left join log_transaction as l on l.height = t.height and l.transaction_index = t.transaction_index
    join block as b on b.height = t.height ${orderBy(PLACE)}`,
  )
  const events = rows.filter(({ isStop }) => !isStop).map((row) => toEvent(row, columns.length))
  const stop = events.length < query.limit ? rows.find(({ isStop }) => isStop) : undefined
  return { events, stoppedAt: stop && { height: stop.height, logIndex: stop.logIndex } }
}

type Found = Omit<DecodedEvent, 'values'> & { readonly isStop: boolean } & Readonly<
    Record<`value${number}`, unknown>
  >

const PLACE = [sql`t.height`, sql`t.log_index`]

/** Selects the places of the events to examine, and whether they match. Returns how many of them are examined at most. */
function candidates(
  at: EvmSnapshot,
  { name, source }: Pick<EventTable, 'name' | 'source'>,
  { addresses, args = [], after, limit, mostExamined = MOST_EXAMINED, ...range }: EventQuery,
): { readonly found: RawBuilder<unknown>; readonly examined: number } {
  const column = ({ index }: ArgumentFilter) => sql.ref(`t.${columnNames(source.event)[index]}`)
  const contracts = [...new Map(addresses.map((address) => [toKey(address), address])).values()]
  const key = args.find(({ index }) => source.event.inputs[index]?.indexed === true)
  const rest = args.filter((one) => one !== key)
  const conditions = rest.map((one) => sql`${column(one)} = ${one.value}`)
  if (key !== undefined && contracts.length > 0)
    conditions.push(sql`t.address = any(${sql.val(contracts)}::bytea[])`)
  const matches = conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`
  // Without further conditions, all that is found by an index matches.
  const examined = conditions.length === 0 ? limit : Math.max(mostExamined, limit)
  const where = sql`${within(sql`t.height`, at, narrowed(range, after))} and ${behind(PLACE, after && [after.height, after.logIndex])}`
  const select = sql`select t.height, t.log_index, ${matches} as matches from ${sql.table(name)} as t`
  const found = (of: RawBuilder<unknown>, value: unknown) =>
    sql`(${select} where ${ofValue(of, sql`${value}`, at, narrowed(range, after))} and ${where}
      ${orderBy([of, ...PLACE])} limit ${examined})`
  if (key !== undefined) return { found: found(column(key), key.value), examined }
  if (contracts.length === 0)
    return { found: sql`${select} where ${where} ${orderBy(PLACE)} limit ${examined}`, examined }
  const ofContracts = contracts.map((contract) => found(sql`t.address`, contract))
  return {
    found: sql`select * from (${sql.join(ofContracts, sql` union all `)}) as t ${orderBy(PLACE)} limit ${examined}`,
    examined,
  }
}

function toEvent(row: Found, parameters: number): DecodedEvent {
  const { isStop: _, height, logIndex, transactionIndex, transactionHash, blockHash, address } = row
  const values = Array.from({ length: parameters }, (_value, i) => row[`value${i}`])
  const { time, timeMilliseconds } = row
  return {
    height,
    logIndex,
    transactionIndex,
    transactionHash,
    blockHash,
    time,
    timeMilliseconds,
    address,
    values,
  }
}
