import { sql } from 'kysely'
import { fetchRows, insertRow } from './internal/database.ts'
import type { ApiKeyRow, ServiceStore } from './ServiceTables.ts'

/** Returns all API keys, including revoked ones, oldest first. */
export function list(store: ServiceStore): Promise<ApiKeyRow[]> {
  return fetchRows(store, sql<ApiKeyRow>`select * from api_key order by created_at, hint`)
}

/** Stores a new API key. */
export async function add(store: ServiceStore, row: ApiKeyRow): Promise<void> {
  await insertRow(store, 'api_key', row)
}

/**
 * Revokes the API key with the given hash at `time` (Unix seconds). Returns false if no such key exists or if
 * it is already revoked.
 */
export async function revoke(store: ServiceStore, hash: Uint8Array, time: bigint): Promise<boolean> {
  const rows = await fetchRows(
    store,
    sql`update api_key set revoked_at = ${time} where hash = ${hash} and revoked_at is null returning hash`,
  )
  return rows.length > 0
}
