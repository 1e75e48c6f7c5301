import { sql } from 'kysely'
import { fetchRows, insertRow } from '../internal/database.ts'
import type { BypassTokenRow } from './Schema.ts'
import type { UsageStore } from './UsageStore.ts'

/** Returns all tokens including revoked ones, oldest first. */
export async function list(store: UsageStore): Promise<BypassTokenRow[]> {
  return fetchRows(store, sql<BypassTokenRow>`select * from bypass_token order by created_at, hint`)
}

/**
 * Stores a new token.
 * @throws StoreError `STORE_QUERY` when another valid token has the name
 */
export async function add(store: UsageStore, row: BypassTokenRow): Promise<void> {
  await insertRow(store, 'bypass_token', row)
}

/** Revokes the token with a name, and returns the number of tokens that were not revoked before. */
export async function revoke(store: UsageStore, name: string, time: bigint): Promise<number> {
  const rows = await fetchRows(
    store,
    sql`update bypass_token set revoked_at = ${time} where name = ${name} and revoked_at is null returning hash`,
  )
  return rows.length
}
