import { fetchFirst, fetchRows } from '@firn/sql'
import { sql } from 'kysely'
import type { ServiceStore } from './ServiceTables.ts'

/**
 * Returns the secret with the given name and creates it on first use. All processes that share the database
 * get the same secret. A standby server has it once a process has created it on the primary server.
 *
 * @example
 * ```ts
 * import { Secrets, type ServiceStore } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * const secret = await Secrets.shared(store, 'page-token', () => crypto.getRandomValues(new Uint8Array(32)))
 * ```
 * @throws StoreError `STORE_READ_ONLY` if the secret is missing and the database is read-only, `STORE_UNAVAILABLE`
 */
export async function shared(store: ServiceStore, name: string, make: () => Uint8Array): Promise<Uint8Array> {
  const known = await find(store, name)
  if (known !== undefined) return known
  await fetchRows(
    store,
    sql`insert into secret (name, value) values (${name}, ${make()}) on conflict do nothing`,
  )
  return (await find(store, name)) as Uint8Array
}

async function find(store: ServiceStore, name: string): Promise<Uint8Array | undefined> {
  const row = await fetchFirst(
    store,
    sql<{ value: Uint8Array }>`select value from secret where name = ${name}`,
  )
  return row?.value
}
