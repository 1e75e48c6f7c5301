import { fetchRows, insertRow } from '@firn/sql'
import { sql } from 'kysely'
import type { BypassTokenRow } from './Schema.ts'
import type { UsageStore } from './UsageStore.ts'

/**
 * Returns all bypass tokens, including revoked ones, oldest first.
 *
 * @example
 * ```ts
 * import { BypassTokens, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * const valid = (await BypassTokens.list(store)).filter((token) => token.revoked_at === null)
 * ```
 */
export async function list(store: UsageStore): Promise<BypassTokenRow[]> {
  return fetchRows(store, sql<BypassTokenRow>`select * from bypass_token order by created_at, added_at`)
}

/**
 * Stores a new bypass token.
 * @throws StoreError `STORE_QUERY` if another valid token has the same name
 * @example
 * ```ts
 * import { BypassTokens, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * declare const hash: Uint8Array // SHA-256 of the token
 * const limits = { credits_per_second: null, created_at: 1_767_225_600n, revoked_at: null }
 * await BypassTokens.add(store, { hash, hint: 'fx12', name: 'load-test', ...limits })
 * ```
 */
export async function add(store: UsageStore, row: Omit<BypassTokenRow, 'added_at'>): Promise<void> {
  await insertRow(store, 'bypass_token', row)
}

/**
 * Revokes the valid bypass token with the given name at `time` (Unix seconds). Returns the number of revoked tokens:
 * 1, or 0 if there is no such token.
 *
 * @example
 * ```ts
 * import { BypassTokens, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * const revoked = await BypassTokens.revoke(store, 'load-test', 1_767_225_600n)
 * ```
 */
export async function revoke(store: UsageStore, name: string, time: bigint): Promise<number> {
  const rows = await fetchRows(
    store,
    sql`update bypass_token set revoked_at = ${time} where name = ${name} and revoked_at is null returning hash`,
  )
  return rows.length
}
