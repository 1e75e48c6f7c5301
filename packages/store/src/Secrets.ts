import type { ServiceStore } from './ServiceTables.ts'

/** The secret of a name: that of the first process that asked for it, which made it. The same for all that share the database. */
export async function shared(store: ServiceStore, name: string, make: () => Uint8Array): Promise<Uint8Array> {
  const known = await find(store, name)
  if (known !== undefined) return known
  await store.db
    .insertInto('secret')
    .values({ name, value: make() })
    .onConflict((on) => on.doNothing())
    .execute()
  return (await find(store, name)) as Uint8Array
}

async function find(store: ServiceStore, name: string): Promise<Uint8Array | undefined> {
  const row = await store.db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}
