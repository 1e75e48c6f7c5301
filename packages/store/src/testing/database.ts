import type { Kysely } from 'kysely'
import type { EvmDatabase } from '../evm/EvmSchema.ts'
import type { EvmStore } from '../evm/EvmStore.ts'
import { DATABASE } from '../internal/database.ts'
import type { Database } from '../Schema.ts'
import type { Store } from '../Store.ts'
import type { UsageDatabase } from '../usage/Schema.ts'
import type { UsageStore } from '../usage/UsageStore.ts'

/**
 * Returns access to a store's tables, so that tests can read and change all data.
 *
 * @example
 * ```ts
 * import type { Store } from '@firn/store'
 * import { database } from '@firn/store/testing'
 *
 * declare const store: Store
 * await database(store).deleteFrom('block').execute()
 * ```
 */
export function database(store: Store): Kysely<Database>
export function database(store: EvmStore): Kysely<EvmDatabase>
export function database(store: UsageStore): Kysely<UsageDatabase>
export function database(store: Store | EvmStore | UsageStore): unknown {
  return store[DATABASE]
}
