import type { Kysely } from 'kysely'
import { DATABASE } from '../Queryable.ts'

/**
 * Returns access to a store's tables, so that tests can read and change all data.
 *
 * @example
 * ```ts
 * import { database } from '@firn/sql/testing'
 * import type { DATABASE } from '@firn/sql'
 * import type { Kysely } from 'kysely'
 *
 * declare const store: { readonly [DATABASE]: Kysely<{ city: { id: bigint } }> }
 * await database(store).deleteFrom('city').execute()
 * ```
 */
// biome-ignore lint/suspicious/noExplicitAny: the stores have different tables
export function database<S extends { readonly [DATABASE]: Kysely<any> }>(store: S): S[typeof DATABASE] {
  return store[DATABASE]
}
