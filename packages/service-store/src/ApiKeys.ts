import { fetchRows, insertRow } from '@firn/sql'
import { sql } from 'kysely'
import type { ApiKeyRow, ServiceStore } from './ServiceTables.ts'

/**
 * Returns all API keys, including revoked ones, oldest first.
 *
 * @example
 * ```ts
 * import { ApiKeys, type ServiceStore } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * const valid = (await ApiKeys.list(store)).filter((key) => key.revoked_at === null)
 * ```
 */
export function list(store: ServiceStore): Promise<ApiKeyRow[]> {
  return fetchRows(store, sql<ApiKeyRow>`select * from api_key order by created_at, added_at`)
}

/**
 * Stores a new API key.
 *
 * @example
 * ```ts
 * import { type ApiKeyRow, ApiKeys, type ServiceStore } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * declare const row: Omit<ApiKeyRow, 'added_at'>
 * await ApiKeys.add(store, row)
 * ```
 */
export async function add(store: ServiceStore, row: Omit<ApiKeyRow, 'added_at'>): Promise<void> {
  await insertRow(store, 'api_key', row)
}

/**
 * Revokes the API key with the given hash at `time` (Unix seconds). Returns false if no such key exists or if
 * it is already revoked.
 *
 * @example
 * ```ts
 * import { ApiKeys, type ServiceStore } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * declare const hash: Uint8Array // SHA-256 of the key
 * const isRevoked = await ApiKeys.revoke(store, hash, 1_767_225_600n)
 * ```
 */
export async function revoke(store: ServiceStore, hash: Uint8Array, time: bigint): Promise<boolean> {
  const rows = await fetchRows(
    store,
    sql`update api_key set revoked_at = ${time} where hash = ${hash} and revoked_at is null returning hash`,
  )
  return rows.length > 0
}

/**
 * Replaces the scopes of the API key with the given hash. Returns false if no such key exists or if it is revoked.
 *
 * @example
 * ```ts
 * import { ApiKeys, type ServiceStore } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * declare const hash: Uint8Array // SHA-256 of the key
 * const isChanged = await ApiKeys.setScopes(store, hash, ['data'])
 * ```
 */
export async function setScopes(
  store: ServiceStore,
  hash: Uint8Array,
  scopes: readonly string[],
): Promise<boolean> {
  const rows = await fetchRows(
    store,
    sql`update api_key set scopes = ${[...scopes]} where hash = ${hash} and revoked_at is null returning hash`,
  )
  return rows.length > 0
}
