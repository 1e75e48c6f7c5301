import { type RawBuilder, sql } from 'kysely'
import { fetchRows } from '../internal/database.ts'
import type { UsageStore } from './UsageStore.ts'

/** Length of the intervals. They start at 0:00 UTC; weeks start on Monday, and months on the 1st. */
export type Interval = 'hourly' | 'daily' | 'weekly' | 'monthly'

/** Property by which the requests of an interval are grouped. */
export type Grouping = 'rpcMethod' | 'responseCode' | 'rlBypassToken'

/** The filters of {@link read}. */
export interface UsageQuery {
  readonly interval: Interval
  /** Start of the time range in Unix seconds. It includes hours that start at or after this time. */
  readonly from: bigint
  /** End of the time range in Unix seconds. It includes only hours that start before this time. */
  readonly to: bigint
  readonly groupBy?: Grouping | undefined
  readonly chainId?: string | undefined
  readonly method?: string | undefined
  readonly status?: number | undefined
  readonly token?: string | undefined
  /** Maximum number of rows to return. */
  readonly limit: number
}

/** Totals of the requests of one group in one interval. */
export interface UsageSum {
  /** Start of the interval, in Unix seconds. */
  readonly begin: bigint
  /** Method, status or token by which requests are grouped; empty without grouping. */
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

/**
 * SQL expressions for the start of the interval that contains an hour. The first day of 1970 was a Thursday.
 */
const BEGIN: { readonly [I in Interval]: RawBuilder<bigint> } = {
  hourly: sql`hour`,
  daily: sql`hour - hour % 86400`,
  weekly: sql`hour - (hour + 259200) % 604800`,
  monthly: sql`extract(epoch from date_trunc('month', to_timestamp(hour) at time zone 'UTC'))::int8`,
}

const GROUP: { readonly [G in Grouping]: RawBuilder<string> } = {
  rpcMethod: sql`method`,
  responseCode: sql`status::text`,
  rlBypassToken: sql`token`,
}

/**
 * Returns the request totals by interval and group. Intervals and groups without requests are left out.
 *
 * @example
 * ```ts
 * import { UsageMetrics, type UsageStore } from '@firn/store'
 *
 * declare const store: UsageStore
 * const [from, to] = [1_767_225_600n, 1_767_312_000n]
 * const query = { interval: 'hourly', from, to, groupBy: 'rpcMethod', limit: 100 } as const
 * const sums = await UsageMetrics.read(store, query)
 * ```
 */
export async function read(store: UsageStore, query: UsageQuery): Promise<readonly UsageSum[]> {
  const { interval, from, to, groupBy, limit } = query
  const group = groupBy === undefined ? sql`''` : GROUP[groupBy]
  // Half of the requests took at most the lower of the two middle durations, the other half at least the
  // upper one.
  const rows = await fetchRows(
    store,
    sql<Sum>`
    with times as (
      select ${BEGIN[interval]} as begin, ${group} as "group", milliseconds,
        sum(requests)::int8 as requests, sum(credits)::int8 as credits,
        coalesce(sum(requests) filter (where status between 400 and 499), 0)::int8 as invalid_requests,
        coalesce(sum(credits) filter (where status between 400 and 499), 0)::int8 as invalid_credits,
        coalesce(sum(requests) filter (where status < 400), 0)::int8 as successes
      from usage where hour >= ${String(from)} and hour < ${String(to)} and ${filterOf(query)}
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

function filterOf({ chainId, method, status, token }: UsageQuery): RawBuilder<boolean> {
  const filters = [
    ...(chainId === undefined ? [] : [sql<boolean>`chain_id = ${chainId}`]),
    ...(method === undefined ? [] : [sql<boolean>`method = ${method}`]),
    ...(status === undefined ? [] : [sql<boolean>`status = ${status}`]),
    ...(token === undefined ? [] : [sql<boolean>`token = ${token}`]),
  ]
  return filters.length === 0 ? sql`true` : sql`${sql.join(filters, sql` and `)}`
}
