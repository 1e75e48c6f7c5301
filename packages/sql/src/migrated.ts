/**
 * Migrates the tables of a store that was just opened, and returns the store. Closes it if that fails.
 *
 * @throws StoreError
 * @example
 * ```ts
 * import { migrated } from '@firn/sql'
 *
 * declare const opened: { migrate(): Promise<void>; close(): Promise<void> }
 * const store = await migrated(opened)
 * ```
 */
export async function migrated<T extends { migrate(): Promise<void>; close(): Promise<void> }>(
  store: T,
): Promise<T> {
  try {
    await store.migrate()
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
