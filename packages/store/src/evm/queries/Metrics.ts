import { sql } from 'kysely'
import { fetchFirst, fetchRows } from '../../internal/database.ts'
import { prepared } from '../../internal/prepared.ts'
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

/** Name of a total of a rollup. */
export type RollupColumn = Exclude<keyof RollupRow, 'period' | 'start'>

/**
 * Returns the rollups of the periods whose start is between `from` and `to` (Unix seconds, both inclusive), oldest
 * first, with their start and the given columns. Periods without blocks are left out.
 *
 * @example
 * ```ts
 * import { EvmMetrics, type EvmStore } from '@firn/store/evm'
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
  const selected = sql.join(columns.map((column) => sql.ref(column)))
  return fetchRows(
    store,
    sql<
      Pick<RollupRow, 'start' | Column>
    >`${prepared} select start, ${selected} from rollup where period = ${period} and start >= ${from} and start <= ${to} order by start`,
  )
}

/**
 * Returns the totals over all blocks before the day that starts at `start` (Unix seconds). The query reads one row
 * per day.
 *
 * @example
 * ```ts
 * import { EvmMetrics, type EvmStore } from '@firn/store/evm'
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
 * import { EvmMetrics, type EvmStore } from '@firn/store/evm'
 *
 * declare const store: EvmStore
 * const first = await EvmMetrics.firstBlock(store)
 * ```
 */
export async function firstBlock(store: EvmStore): Promise<FirstBlock | undefined> {
  return fetchFirst(
    store,
    sql<FirstBlock>`${prepared} select time, time_milliseconds, transactions, gas_executed from block order by height limit 1`,
  )
}

/** The kinds of activity for which distinct addresses are counted. */
export type Meaning = 'addresses' | 'senders' | 'deployers'

/** The number of addresses that were active in a period, but in no later period. */
export interface LastActive {
  /** Start of the period in Unix seconds. */
  readonly start: bigint
  readonly count: bigint
}

/**
 * For each period that starts at or after `from`, returns the number of addresses that were active in it for the last
 * time. The sum of these numbers from a period on is the number of distinct addresses active since then. Hours are
 * only valid for the last 24 hours. The query reads one row per period.
 *
 * @example
 * ```ts
 * import { EvmMetrics, type EvmStore } from '@firn/store/evm'
 *
 * declare const store: EvmStore
 * const counts = await EvmMetrics.lastActive(store, 'day', 'senders', 1_767_225_600n)
 * const senders = counts.reduce((sum, { count }) => sum + count, 0n)
 * ```
 */
export async function lastActive(
  store: EvmStore,
  period: 'hour' | 'day',
  meaning: Meaning,
  from: bigint,
): Promise<readonly LastActive[]> {
  return fetchRows(
    store,
    sql<LastActive>`${prepared} select start, ${sql.ref(meaning)} as count from last_activity_count
    where period = ${period} and start >= ${from} order by start`,
  )
}

/** Totals over several periods. */
export type Together = Omit<RollupRow, 'period' | 'start' | 'blocks' | 'new_addresses' | 'new_deployers'> & {
  /** Time of the last block before the periods, in Unix milliseconds; null if there is no such block. */
  readonly before: bigint | null
}

/**
 * Returns the totals over all periods that start at or after `from`, or undefined if none of them has a
 * block. An address counts once per period.
 *
 * @example
 * ```ts
 * import { EvmMetrics, type EvmStore } from '@firn/store/evm'
 *
 * declare const store: EvmStore
 * const sums = await EvmMetrics.together(store, 'month', 1_767_225_600n)
 * ```
 */
export async function together(store: EvmStore, period: Period, from: bigint): Promise<Together | undefined> {
  const rows = await fetchRows(
    store,
    sql<Together & { readonly blocks: bigint }>`
    ${prepared} select count(*) as blocks, sum(transactions) as transactions, sum(gas) as gas, sum(fees) as fees,
      sum(gas_price_sum) as gas_price_sum, max(gas_price_max) as gas_price_max, sum(creations) as creations,
      sum(addresses) as addresses, sum(senders) as senders, sum(deployers) as deployers,
      max(last_milliseconds) as last_milliseconds, max(max_gas_per_second) as max_gas_per_second,
      max(max_transactions_per_second) as max_transactions_per_second,
      (select last_milliseconds from rollup where period = ${period} and start < ${from}
        order by start desc limit 1) as before
    from rollup where period = ${period} and start >= ${from}`,
  )
  const [row] = rows
  return row === undefined || row.blocks === 0n ? undefined : row
}
