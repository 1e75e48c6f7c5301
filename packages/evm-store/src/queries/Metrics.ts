import { fetchFirst, fetchRows, prepared, shareReadsPerStore } from '@firn/sql'
import { sql } from 'kysely'
import type { BlockRow, Period, RollupRow } from '../EvmSchema.ts'
import type { EvmStore } from '../EvmStore.ts'

/** Totals over all blocks before a day. */
export interface Before {
  readonly transactions: bigint
  readonly creations: bigint
  readonly addresses: bigint
  readonly deployers: bigint
  /** Time of the last block before the day, in Unix milliseconds; null if there is no such block. */
  readonly lastMilliseconds: bigint | null
}

export type { RollupRow }

/** Name of a total of a rollup. */
export type RollupColumn = Exclude<keyof RollupRow, 'period' | 'start'>

/**
 * Returns the rollups of the periods whose start is between `from` and `to` (Unix seconds, both inclusive), oldest
 * first, with their start and the given columns. Periods without blocks are left out.
 *
 * @example
 * ```ts
 * import { EvmMetrics, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const range = { from: 1_767_225_600n, to: 1_769_817_600n }
 * const days = await EvmMetrics.rollups(store, 'day', range, ['transactions', 'gas'])
 * ```
 */
export async function rollups<Column extends RollupColumn>(
  store: EvmStore,
  period: Period,
  { from, to }: { readonly from: bigint; readonly to: bigint },
  columns: readonly Column[],
): Promise<readonly Pick<RollupRow, 'start' | Column>[]> {
  const names = ['start', ...columns] as const
  // Reading one row of arrays takes less time than reading a row for each of thousands of periods.
  const [lists] = await fetchRows(
    store,
    sql<Record<'start' | Column, readonly unknown[] | null>>`${prepared} select
      ${sql.join(names.map((name) => sql`array_agg(${sql.ref(name)}) as ${sql.ref(name)}`))}
    from (select ${sql.join(names.map((name) => sql.ref(name)))} from rollup
      where period = ${period} and start >= ${from} and start <= ${to} order by start) as r`,
  )
  const starts = lists?.start ?? []
  return starts.map((_, i) => {
    const row: Partial<Record<'start' | Column, unknown>> = {}
    for (const name of names) row[name] = lists?.[name]?.[i]
    return row as Pick<RollupRow, 'start' | Column>
  })
}

/**
 * Returns the totals over all blocks before the day that starts at `start` (Unix seconds). The query reads one row
 * per day.
 *
 * @example
 * ```ts
 * import { EvmMetrics, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const { transactions, addresses } = await EvmMetrics.beforeDay(store, 1_767_225_600n)
 * ```
 */
export async function beforeDay(store: EvmStore, start: bigint): Promise<Before> {
  const rows = await fetchRows(
    store,
    sql<Before>`
    ${prepared} select coalesce(sum(transactions), 0) as transactions, coalesce(sum(creations), 0) as creations,
      coalesce(sum(new_addresses), 0) as addresses, coalesce(sum(new_deployers), 0) as deployers,
      max(last_milliseconds) as "lastMilliseconds"
    from rollup where period = 'day' and start < ${start}`,
  )
  const [row] = rows
  return row ?? { transactions: 0n, creations: 0n, addresses: 0n, deployers: 0n, lastMilliseconds: null }
}

/** The columns of the first block that metrics need. */
export type FirstBlock = Pick<BlockRow, 'time' | 'time_milliseconds' | 'transactions' | 'gas_executed'>

/**
 * Returns the first stored block, or undefined if no block is stored.
 *
 * @example
 * ```ts
 * import { EvmMetrics, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const first = await EvmMetrics.firstBlock(store)
 * ```
 */
export async function firstBlock(store: EvmStore): Promise<FirstBlock | undefined> {
  return readFirst(store)
}

const readFirst = shareReadsPerStore((store: EvmStore) =>
  fetchFirst(
    store,
    sql<FirstBlock>`${prepared} select time, time_milliseconds, transactions, gas_executed from block order by height limit 1`,
  ),
)

/** The kinds of activity for which distinct addresses are counted. */
export type Meaning = 'addresses' | 'senders' | 'deployers'

/** A window of time: all periods of a kind that start at or after `from` (Unix seconds). */
export interface Window {
  readonly period: Period
  readonly from: bigint
}

/** Totals over the periods of a window. */
export type WindowTotals<Column extends RollupColumn> = Pick<RollupRow, Column> & {
  /** Time of the last block before the window, in Unix milliseconds; null if there is no such block. */
  readonly before: bigint | null
  /**
   * Number of distinct addresses that were active in the window; null if none were requested. It is only valid for days,
   * and for hours in the last 24 hours.
   */
  readonly distinct: bigint | null
}

/** Columns of which a window has the highest value. It has the sum of all other columns. */
const HIGHEST: ReadonlySet<RollupColumn> = new Set([
  'gas_price_max',
  'last_milliseconds',
  'max_gas_per_second',
  'max_transactions_per_second',
])

/**
 * Returns the totals of windows, in the given order; undefined for a window without blocks. In the totals, an address
 * counts once per period. `meaning` requests the number of distinct addresses, too: for each period, the database stores
 * how many addresses were active in it for the last time, so the sum of these from a period on is that number. The query
 * reads one row per period of each window. Hours of earlier days may be removed, but not the last 24 hours; the
 * last block before a window is then known from its day.
 *
 * @example
 * ```ts
 * import { EvmMetrics, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const days = { period: 'day', from: 1_767_225_600n } as const
 * const [totals] = await EvmMetrics.windows(store, [days], ['senders'], 'senders')
 * console.log(totals?.senders, totals?.distinct)
 * ```
 */
export async function windows<Column extends RollupColumn>(
  store: EvmStore,
  given: readonly Window[],
  columns: readonly Column[],
  meaning?: Meaning,
): Promise<readonly (WindowTotals<Column> | undefined)[]> {
  const totals = columns.map((column) => {
    const all = HIGHEST.has(column) ? sql`max` : sql`sum`
    return sql`${all}(r.${sql.ref(column)}) as ${sql.ref(column)}`
  })
  const distinct =
    meaning === undefined
      ? sql`null::numeric`
      : sql`(select sum(c.${sql.ref(meaning)}) from last_activity_count as c
          where c.period = w.period and c.start >= w.start)`
  const rows = await fetchRows(
    store,
    sql<WindowTotals<Column> & { readonly periods: bigint }>`
    ${prepared} select t.*, ${distinct} as "distinct",
      coalesce((select b.last_milliseconds from rollup as b where b.period = w.period and b.start < w.start
          order by b.start desc limit 1),
        (select b.last_milliseconds from rollup as b where b.period = 'day' and b.start < w.start
          and b.last_milliseconds < 1000 * w.start order by b.start desc limit 1)) as before
    from unnest(${sql.val(given.map(({ period }) => period))}::text[], ${sql.val(given.map(({ from }) => String(from)))}::bigint[])
      with ordinality as w (period, start, place)
    cross join lateral (select count(*) as periods, ${sql.join(totals)} from rollup as r
      where r.period = w.period and r.start >= w.start) as t
    order by w.place`,
  )
  return rows.map((row) => (row.periods === 0n ? undefined : row))
}
