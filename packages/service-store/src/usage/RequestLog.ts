import { fetchRows } from '@firn/sql'
import { sql } from 'kysely'
import type { ApiRequestRow } from './apiTables.ts'
import { equals } from './requestSums.ts'
import type { UsageStore } from './UsageStore.ts'

export type { ApiRequestRow }

/** A position in the log, which lists the newest requests first. */
export interface LogPlace {
  /** Unix milliseconds. */
  readonly time: bigint
  readonly id: string
}

/** The filters of {@link page}. */
export interface LogQuery {
  /** Start of the time range in Unix milliseconds. */
  readonly from: bigint
  /** End of the time range in Unix milliseconds. Requests at this time are not included. */
  readonly to: bigint
  /** Id of the API key; undefined for all keys. */
  readonly keyId?: string | undefined
  readonly chainId?: string | undefined
  readonly status?: number | undefined
  /** Path of the requests, or path pattern of their endpoint. */
  readonly path?: string | undefined
  /** Last request of the previous page. */
  readonly after?: LogPlace | undefined
  readonly limit: number
}

/**
 * Returns logged requests to the Data API, newest first.
 *
 * @example
 * ```ts
 * import { RequestLog, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * const [from, to] = [1_767_225_600_000n, 1_767_312_000_000n]
 * const rows = await RequestLog.page(store, { from, to, keyId: '0123456789abcdef', limit: 10 })
 * ```
 */
export async function page(store: UsageStore, query: LogQuery): Promise<readonly ApiRequestRow[]> {
  const { from, to, keyId, chainId, status, path, after, limit } = query
  const filters = [
    sql<boolean>`time_ms >= ${String(from)} and time_ms < ${String(to)}`,
    ...equals('key_id', keyId),
    ...equals('chain_id', chainId),
    ...equals('status', status),
    ...(path === undefined ? [] : [sql<boolean>`(path = ${path} or endpoint = ${path})`]),
    ...(after === undefined ? [] : [sql<boolean>`(time_ms, id) < (${String(after.time)}, ${after.id})`]),
  ]
  return fetchRows(
    store,
    sql<ApiRequestRow>`select * from api_request where ${sql.join(filters, sql` and `)}
      order by time_ms desc, id desc limit ${limit}`,
  )
}

/** Which requests {@link sweep} keeps. */
export interface Kept {
  /** Time before which requests are removed, in Unix milliseconds. */
  readonly from: bigint
  /** Keys of which only the newest `rows` requests are kept. */
  readonly keyIds: readonly string[]
  readonly rows: number
}

/**
 * Removes old requests from the log. Several processes may call it at the same time.
 *
 * @example
 * ```ts
 * import { RequestLog, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * const keyIds = ['0123456789abcdef']
 * await RequestLog.sweep(store, { from: 1_767_225_600_000n, keyIds, rows: 100_000 })
 * ```
 */
export async function sweep(store: UsageStore, { from, keyIds, rows }: Kept): Promise<void> {
  await store.driver.transaction(async ({ query }) => {
    await query('delete from api_request where time_ms < $1', [String(from)])
    for (const keyId of keyIds) {
      await query(
        `delete from api_request where key_id = $1 and (time_ms, id) <= (
           select time_ms, id from api_request where key_id = $1 order by time_ms desc, id desc offset $2 limit 1
         )`,
        [keyId, String(rows)],
      )
    }
  })
}
