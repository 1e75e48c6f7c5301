import { sql } from 'kysely'
import { fetchRows } from '../internal/database.ts'
import type { UsageStore } from './UsageStore.ts'
import type { UsageSums } from './UsageSums.ts'

/** The beginning of a log: its number of lines, and the SHA-256 of their bytes. */
export interface Beginning {
  readonly lines: bigint
  readonly digest: Uint8Array
}

/** Returns the beginnings of logs whose requests are already counted, shortest beginning first. */
export async function beginnings(store: UsageStore): Promise<Beginning[]> {
  return fetchRows(store, sql<Beginning>`select lines, digest from usage_load order by lines`)
}

/**
 * Counts the requests of a log's next lines. `end` is the beginning of the log up to and including these
 * lines. If the lines were already counted, it counts nothing and returns false.
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
