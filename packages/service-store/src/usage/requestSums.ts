import { fetchRows } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { UsageStore } from './UsageStore.ts'

/** Totals of the requests of one group in one interval. */
export interface UsageSum {
  /** Start of the interval, in Unix seconds. */
  readonly begin: bigint
  /** Value of the property by which requests are grouped; empty without grouping. */
  readonly group: string
  readonly requests: bigint
  readonly credits: bigint
  /** Number of requests with a 4xx status. */
  readonly invalidRequests: bigint
  readonly invalidCredits: bigint
  /** Number of requests with a status below 400. */
  readonly successes: bigint
  /** Median duration. For an even number of requests, it is the mean of the middle two. */
  readonly medianMilliseconds: number
}

/** What {@link requestSums} adds up. */
export interface SumQuery {
  /** Table with the columns `status`, `milliseconds`, `requests` and `credits`. */
  readonly table: 'usage' | 'api_usage'
  /** Start of the interval of a row. */
  readonly begin: RawBuilder<bigint>
  /** Group of a row; undefined without grouping. */
  readonly group: RawBuilder<string> | undefined
  /** Conditions that the rows must fulfill. */
  readonly filters: readonly RawBuilder<boolean>[]
  /** Maximum number of rows to return. */
  readonly limit: number
}

/** Returns the request totals by interval and group. Intervals and groups without requests are left out. */
export async function requestSums(store: UsageStore, query: SumQuery): Promise<readonly UsageSum[]> {
  const { table, begin, group = sql`''`, filters, limit } = query
  // Half of the requests took at most the lower of the two middle durations, the other half at least the
  // upper one.
  const rows = await fetchRows(
    store,
    sql<Sum>`
    with times as (
      select ${begin} as begin, ${group} as "group", milliseconds,
        sum(requests)::int8 as requests, sum(credits)::int8 as credits,
        coalesce(sum(requests) filter (where status between 400 and 499), 0)::int8 as invalid_requests,
        coalesce(sum(credits) filter (where status between 400 and 499), 0)::int8 as invalid_credits,
        coalesce(sum(requests) filter (where status < 400), 0)::int8 as successes
      from ${sql.table(table)} where ${sql.join(filters, sql` and `)}
      group by 1, 2, 3
    ), ranked as (
      select *, sum(requests) over (partition by begin, "group" order by milliseconds) as so_far,
        sum(requests) over (partition by begin, "group") as in_all
      from times
    )
    select begin, "group", sum(requests)::int8 as requests, sum(credits)::int8 as credits,
      sum(invalid_requests)::int8 as invalid_requests, sum(invalid_credits)::int8 as invalid_credits,
      sum(successes)::int8 as successes,
      min(milliseconds) filter (where so_far * 2 >= in_all) as lower,
      min(milliseconds) filter (where so_far * 2 > in_all) as upper
    from ranked group by begin, "group" order by begin, "group" collate "C" limit ${limit}`,
  )
  return rows.map(({ invalid_requests, invalid_credits, lower, upper, ...sum }) => ({
    ...sum,
    invalidRequests: invalid_requests,
    invalidCredits: invalid_credits,
    medianMilliseconds: (lower + upper) / 2,
  }))
}

interface Sum extends Omit<UsageSum, 'invalidRequests' | 'invalidCredits' | 'medianMilliseconds'> {
  readonly invalid_requests: bigint
  readonly invalid_credits: bigint
  readonly lower: number
  readonly upper: number
}

/** Returns the condition that a column has a value, or none if the value is undefined. */
export function equals(column: string, value: string | number | undefined): readonly RawBuilder<boolean>[] {
  return value === undefined ? [] : [sql<boolean>`${sql.ref(column)} = ${value}`]
}

/** Length of the intervals. They start at 0:00 UTC; weeks start on Monday, and months on the 1st. */
export type Interval = 'hourly' | 'daily' | 'weekly' | 'monthly'

/**
 * Returns SQL expressions for the start of the interval that contains the time of a column. The first day of 1970 was a
 * Thursday.
 */
export function beginsOf(column: string): { readonly [I in Interval]: RawBuilder<bigint> } {
  const time = sql.ref(column)
  return {
    hourly: sql`${time} - ${time} % 3600`,
    daily: sql`${time} - ${time} % 86400`,
    weekly: sql`${time} - (${time} + 259200) % 604800`,
    monthly: sql`extract(epoch from date_trunc('month', to_timestamp(${time}) at time zone 'UTC'))::int8`,
  }
}
