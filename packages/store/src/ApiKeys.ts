import type { ApiKeyRow, ServiceStore } from './ServiceTables.ts'

/** All keys, revoked ones included, the oldest first. */
export async function list(store: ServiceStore): Promise<ApiKeyRow[]> {
  return store.db.selectFrom('api_key').selectAll().orderBy('created_at').orderBy('hint').execute()
}

/** Keeps a new key. */
export async function add(store: ServiceStore, row: ApiKeyRow): Promise<void> {
  await store.db.insertInto('api_key').values(row).execute()
}

/** Revokes the keys whose first characters these are; the result tells how many there were that were not revoked before. */
export async function revoke(store: ServiceStore, hint: string, time: bigint): Promise<number> {
  const { numUpdatedRows } = await store.db
    .updateTable('api_key')
    .set({ revoked_at: time })
    .where('hint', '=', hint)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
