import type { BypassTokenRow } from './Schema.ts'
import type { UsageStore } from './UsageStore.ts'

/** All tokens, revoked ones included, the oldest first. */
export async function list(store: UsageStore): Promise<BypassTokenRow[]> {
  return store.db.selectFrom('bypass_token').selectAll().orderBy('created_at').orderBy('hint').execute()
}

/**
 * Keeps a new token.
 * @throws StoreError `STORE_QUERY`: another one that holds has the name
 */
export async function add(store: UsageStore, row: BypassTokenRow): Promise<void> {
  await store.db.insertInto('bypass_token').values(row).execute()
}

/** Revokes the token of a name; the result tells how many there were that were not revoked before. */
export async function revoke(store: UsageStore, name: string, time: bigint): Promise<number> {
  const { numUpdatedRows } = await store.db
    .updateTable('bypass_token')
    .set({ revoked_at: time })
    .where('name', '=', name)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
