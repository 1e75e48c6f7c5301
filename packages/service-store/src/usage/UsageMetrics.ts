import { type RawBuilder, sql } from 'kysely'
import { beginsOf, equals, type Interval, requestSums, type UsageSum } from './requestSums.ts'
import type { UsageStore } from './UsageStore.ts'

export type { Interval, UsageSum }

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

const BEGIN = beginsOf('hour')

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
 * import { UsageMetrics, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * const [from, to] = [1_767_225_600n, 1_767_312_000n]
 * const query = { interval: 'hourly', from, to, groupBy: 'rpcMethod', limit: 100 } as const
 * const sums = await UsageMetrics.read(store, query)
 * ```
 */
export async function read(store: UsageStore, query: UsageQuery): Promise<readonly UsageSum[]> {
  const { interval, from, to, groupBy, chainId, method, status, token, limit } = query
  return requestSums(store, {
    table: 'usage',
    begin: BEGIN[interval],
    group: groupBy && GROUP[groupBy],
    filters: [
      sql<boolean>`hour >= ${String(from)} and hour < ${String(to)}`,
      ...equals('chain_id', chainId),
      ...equals('method', method),
      ...equals('status', status),
      ...equals('token', token),
    ],
    limit,
  })
}
