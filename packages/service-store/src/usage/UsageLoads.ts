import { fetchRows } from '@firn/sql'
import { sql } from 'kysely'
import type { UsageStore } from './UsageStore.ts'
import type { UsageSums } from './UsageSums.ts'

/** The beginning of a log: its number of lines, and the SHA-256 of their bytes. */
export interface Beginning {
  readonly lines: bigint
  readonly digest: Uint8Array
}

/**
 * Returns the beginnings of logs whose requests are already counted, shortest beginning first.
 *
 * @example
 * ```ts
 * import { UsageLoads, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * const [shortest] = await UsageLoads.beginnings(store)
 * console.log(shortest?.lines)
 * ```
 */
export async function beginnings(store: UsageStore): Promise<Beginning[]> {
  return fetchRows(store, sql<Beginning>`select lines, digest from usage_load order by lines`)
}

/**
 * Stores `sums`, the counts of the requests in a log's next lines. `end` describes the log from its first line
 * through the last of these lines. If these lines were already counted, stores nothing and returns false.
 *
 * @example
 * ```ts
 * import { UsageLoads, type UsageRequest, type UsageStore, UsageSums } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * declare const end: UsageLoads.Beginning
 * declare const request: UsageRequest
 * const sums = new UsageSums()
 * sums.add(request)
 * const isCounted = await UsageLoads.count(store, sums, end)
 * ```
 */
export function count(store: UsageStore, sums: UsageSums, { lines, digest }: Beginning): Promise<boolean> {
  return store.driver.transaction(async (session) => {
    const rows = await session.query(
      'insert into usage_load (digest, lines) values ($1, $2) on conflict do nothing returning lines',
      [digest, String(lines)],
    )
    if (rows.length > 0) await sums.write(session)
    return rows.length > 0
  })
}
