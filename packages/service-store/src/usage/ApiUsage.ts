import { type RawBuilder, sql } from 'kysely'
import type { ApiUsageRow } from './apiTables.ts'
import { beginsOf, equals, type Interval as Longer, requestSums, type UsageSum } from './requestSums.ts'
import type { UsageStore } from './UsageStore.ts'

/** Length of the intervals. */
export type Interval = 'minute' | Longer

/** Property by which the requests of an interval are grouped. */
export type Grouping = 'requestPath' | 'responseCode' | 'chainId' | 'apiKeyId'

/** The filters of {@link read}. */
export interface ApiUsageQuery {
  readonly interval: Interval
  /** Start of the time range in Unix seconds. */
  readonly from: bigint
  /** End of the time range in Unix seconds. Requests at this time are not included. */
  readonly to: bigint
  readonly groupBy?: Grouping | undefined
  /** Id of the API key; undefined for all keys. */
  readonly keyId?: string | undefined
  readonly chainId?: string | undefined
  /** Path pattern of the endpoint. */
  readonly endpoint?: string | undefined
  readonly status?: number | undefined
  /** Maximum number of rows to return. */
  readonly limit: number
}

/** Time in seconds for which requests are counted by minute, and after that by hour. */
export const MINUTES_SECONDS = 4n * 86_400n
const HOUR_SECONDS = 3_600n

const BEGIN: { readonly [I in Interval]: RawBuilder<bigint> } = { minute: sql`minute`, ...beginsOf('minute') }

const GROUP: { readonly [G in Grouping]: RawBuilder<string> } = {
  requestPath: sql`endpoint`,
  responseCode: sql`status::text`,
  chainId: sql`chain_id`,
  apiKeyId: sql`key_id`,
}

/**
 * Returns the totals of requests to the Data API by interval and group. Intervals and groups without requests are left
 * out.
 *
 * @example
 * ```ts
 * import { ApiUsage, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * const [from, to] = [1_767_225_600n, 1_767_312_000n]
 * const query = { interval: 'hourly', from, to, groupBy: 'requestPath', limit: 100 } as const
 * const sums = await ApiUsage.read(store, query)
 * ```
 */
export async function read(store: UsageStore, query: ApiUsageQuery): Promise<readonly UsageSum[]> {
  const { interval, from, to, groupBy, keyId, chainId, endpoint, status, limit } = query
  return requestSums(store, {
    table: 'api_usage',
    begin: BEGIN[interval],
    group: groupBy && GROUP[groupBy],
    filters: [
      sql<boolean>`minute >= ${String(from)} and minute < ${String(to)}`,
      ...equals('key_id', keyId),
      ...equals('chain_id', chainId),
      ...equals('endpoint', endpoint),
      ...equals('status', status),
    ],
    limit,
  })
}

const SAME = ['key_id', 'chain_id', 'endpoint', 'status', 'milliseconds'] satisfies (keyof ApiUsageRow)[]
const HOUR = 'minute - minute % 3600'

/**
 * Removes counts that are older than `keepSeconds`, and sums the counts of old minutes to hours. `now` is in Unix
 * seconds. Several processes may call it at the same time.
 *
 * @example
 * ```ts
 * import { ApiUsage, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * await ApiUsage.sweep(store, 1_767_312_000n, 34_560_000n)
 * ```
 */
export async function sweep(store: UsageStore, now: bigint, keepSeconds: bigint): Promise<void> {
  await store.driver.transaction(async ({ query }) => {
    await query('delete from api_usage where minute < $1', [String(now - keepSeconds)])
    // Rows that another process has deleted meanwhile are not returned, so no request is counted twice. Whole hours
    // are summed, so that the rows of an hour have one start.
    const end = now - MINUTES_SECONDS
    await query(
      `with old as (
         delete from api_usage where minute < $1 and minute % 3600 <> 0 returning *
       )
       insert into api_usage as u (minute, ${SAME.join(', ')}, requests, credits)
       select ${HOUR}, ${SAME.join(', ')}, sum(requests)::int8, sum(credits)::int8 from old group by ${HOUR}, ${SAME.join(', ')}
       order by ${HOUR}, ${SAME.join(', ')}
       on conflict (key_id, minute, chain_id, endpoint, status, milliseconds)
         do update set requests = u.requests + excluded.requests, credits = u.credits + excluded.credits`,
      [String(end - (end % HOUR_SECONDS))],
    )
  })
}
