import type { ApiKeyRow, ServiceStore } from './ServiceTables.ts'

/** All keys, revoked ones included, the oldest first. */
export async function list(store: ServiceStore): Promise<ApiKeyRow[]> {
  return store.db.selectFrom('api_key').selectAll().orderBy('created_at').orderBy('hint').execute()
}

/** Keeps a new key. */
export async function add(store: ServiceStore, row: ApiKeyRow): Promise<void> {
  await store.db.insertInto('api_key').values(row).execute()
}

/** Revokes the key with a hash; returns false if there is none, or if it was revoked before. `time` is in Unix seconds. */
export async function revoke(store: ServiceStore, hash: Uint8Array, time: bigint): Promise<boolean> {
  const { numUpdatedRows } = await store.db
    .updateTable('api_key')
    .set({ revoked_at: time })
    .where('hash', '=', hash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
