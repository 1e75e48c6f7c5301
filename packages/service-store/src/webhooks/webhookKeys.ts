import { fetchRows } from '@firn/sql'
import { sql } from 'kysely'
import type { ServiceStore } from '../ServiceTables.ts'

/**
 * Returns the keys of a webhook in ascending order, after a key.
 *
 * @example
 * ```ts
 * import { type ServiceStore, Webhooks } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * const keys = await Webhooks.keysPage(store, '6f1c7a3e-0d5b-4c7e-8a53-0d6f1f0c2b11', { after: undefined, limit: 10 })
 * ```
 */
export async function keysPage(
  store: ServiceStore,
  id: string,
  { after, limit }: { readonly after: Uint8Array | undefined; readonly limit: number },
): Promise<readonly Uint8Array[]> {
  const behind = after === undefined ? sql`true` : sql`key > ${after}`
  const rows = await fetchRows(
    store,
    sql<{
      key: Uint8Array
    }>`select key from webhook_key where webhook_id = ${id} and ${behind} order by key limit ${limit}`,
  )
  return rows.map(({ key }) => key)
}

/**
 * Returns the number of keys of each of the given webhooks, by id.
 *
 * @example
 * ```ts
 * import { type ServiceStore, Webhooks } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * const counts = await Webhooks.countKeys(store, ['6f1c7a3e-0d5b-4c7e-8a53-0d6f1f0c2b11'])
 * ```
 */
export async function countKeys(
  store: ServiceStore,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await fetchRows(
    store,
    sql<{ id: string; count: number }>`select webhook_id as id, count(*)::int as count from webhook_key
      where webhook_id = any(${sql.val([...ids])}::text[]) group by webhook_id`,
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/**
 * Returns the first keys of each of the given webhooks, by id.
 *
 * @example
 * ```ts
 * import { type ServiceStore, Webhooks } from '@firn/service-store'
 *
 * declare const store: ServiceStore
 * const keys = await Webhooks.firstKeys(store, ['6f1c7a3e-0d5b-4c7e-8a53-0d6f1f0c2b11'], 100)
 * ```
 */
export async function firstKeys(
  store: ServiceStore,
  ids: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, readonly Uint8Array[]>> {
  const rows = await fetchRows(
    store,
    sql<{ id: string; key: Uint8Array }>`select given.id, k.key
      from unnest(${sql.val([...ids])}::text[]) as given (id)
      cross join lateral (select key from webhook_key where webhook_id = given.id order by key limit ${limit}) as k
      order by given.id, k.key`,
  )
  return groupKeys(rows)
}

export function groupKeys(
  rows: readonly { readonly id: string; readonly key: Uint8Array }[],
): ReadonlyMap<string, Uint8Array[]> {
  const byId = new Map<string, Uint8Array[]>()
  for (const { id, key } of rows) {
    const known = byId.get(id)
    if (known === undefined) byId.set(id, [key])
    else known.push(key)
  }
  return byId
}
