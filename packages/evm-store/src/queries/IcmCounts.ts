import { fetchRows } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { Period } from '../EvmSchema.ts'
import type { EvmStore } from '../EvmStore.ts'
import { notIn } from '../internal/notIn.ts'

/** Which messages are counted. */
export interface Counted {
  /** Whether to count the messages that this chain sent, or those that it received. */
  readonly isSent: boolean
  readonly source?: Uint8Array | undefined
  readonly destination?: Uint8Array | undefined
  /** Blockchain ids of sources whose messages are left out. */
  readonly exceptSources?: readonly Uint8Array[]
  /** Columns to group by; none by default. */
  readonly groupBy: readonly ('source' | 'destination')[]
}

/** The route of counted messages. A member is null unless numbers are grouped by it. */
export interface CountedRoute {
  readonly source: Uint8Array | null
  readonly destination: Uint8Array | null
}

/** A number of messages in a period. */
export interface IcmCount extends CountedRoute {
  /** Start of the period in Unix seconds. */
  readonly start: bigint
  readonly messages: bigint
}

/** Options of {@link series}. */
export interface SeriesQuery extends Counted {
  readonly period: Exclude<Period, 'all'>
  /** The first start of a period, inclusive, and the last one, exclusive. */
  readonly from?: bigint | undefined
  readonly until?: bigint | undefined
  /** The period and route after which the page starts. */
  readonly after?: Omit<IcmCount, 'messages'> | undefined
  readonly limit: number
}

/**
 * Returns numbers of messages per period and route, newest period first, then by blockchain ids. Periods without messages
 * have none.
 *
 * @example
 * ```ts
 * import { EvmIcm, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const counts = await EvmIcm.series(store, { isSent: true, groupBy: [], period: 'day', limit: 30 })
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function series(store: EvmStore, query: SeriesQuery): Promise<readonly IcmCount[]> {
  const { period, from = 0n, until, after, limit } = query
  const { columns, where } = partsOf(query)
  const bounds = [sql`c.start >= ${from}`]
  if (until !== undefined) bounds.push(sql`c.start < ${until}`)
  if (after !== undefined) bounds.push(sql`c.start <= ${after.start}`)
  const route = after && [after.source, after.destination].filter((id) => id !== null)
  const isAfter =
    after === undefined || route === undefined
      ? sql`true`
      : route.length === 0
        ? sql`c.start < ${after.start}`
        : sql`(c.start < ${after.start} or (${sql.join(columns)}) > (${sql.join(route.map((id) => sql`${id}::bytea`))}))`
  const groups = [sql`c.start`, ...columns]
  return fetchRows(
    store,
    sql<IcmCount>`select c.start, ${selected(query)}, sum(c.messages)::int8 as messages from icm_count as c
    where c.period = ${period} and ${where} and ${sql.join(bounds, sql` and `)} and ${isAfter}
    group by ${sql.join(groups)} order by ${sql.join([sql`c.start desc`, ...columns])} limit ${limit}`,
  )
}

/** A number of messages in each window, in the order of the windows. */
export interface IcmWindows extends CountedRoute {
  readonly messages: readonly bigint[]
}

/**
 * Returns the numbers of messages in windows of time: all periods that start at a time or later. Of routes, at most
 * `limit` with the most messages in the last window are returned.
 *
 * @example
 * ```ts
 * import { EvmIcm, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const windows = [{ period: 'all', from: 0n }] as const
 * const [total] = await EvmIcm.windows(store, { isSent: true, groupBy: [] }, windows, 1)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function windows(
  store: EvmStore,
  counted: Counted,
  given: readonly { readonly period: Period; readonly from: bigint }[],
  limit: number,
): Promise<readonly IcmWindows[]> {
  const { columns, where } = partsOf(counted)
  const sums = given.map(
    ({ period, from }) =>
      sql`(coalesce(sum(c.messages) filter (where c.period = ${period} and c.start >= ${from}), 0))::int8`,
  )
  const ranges = given.map(({ period, from }) => sql`(c.period = ${period} and c.start >= ${from})`)
  const group = columns.length === 0 ? sql`` : sql`group by ${sql.join(columns)}`
  return fetchRows(
    store,
    sql<IcmWindows>`select ${selected(counted)}, array[${sql.join(sums)}] as messages from icm_count as c
    where ${where} and (${sql.join(ranges, sql` or `)}) ${group}
    order by ${sums.at(-1) ?? sql`1`} desc ${columns.length === 0 ? sql`` : sql`, ${sql.join(columns)}`} limit ${limit}`,
  )
}

function partsOf({ isSent, source, destination, exceptSources = [], groupBy }: Counted) {
  const conditions: RawBuilder<unknown>[] = [sql`c.is_sent = ${isSent}`, notIn(sql`c.source`, exceptSources)]
  if (source !== undefined) conditions.push(sql`c.source = ${source}`)
  if (destination !== undefined) conditions.push(sql`c.destination = ${destination}`)
  return { where: sql.join(conditions, sql` and `), columns: groupBy.map((name) => sql.ref(`c.${name}`)) }
}

function selected({ groupBy }: Counted): RawBuilder<unknown> {
  const column = (name: 'source' | 'destination') =>
    groupBy.includes(name) ? sql.ref(`c.${name}`) : sql`null::bytea as ${sql.ref(name)}`
  return sql`${column('source')}, ${column('destination')}`
}
