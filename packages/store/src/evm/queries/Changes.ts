import { sql } from 'kysely'
import { fetchRows } from '../../internal/database.ts'
import type { ChangeRow } from '../EvmSchema.ts'
import type { EvmStore } from '../EvmStore.ts'

/**
 * Returns at most `limit` changes after a sequence number, in ascending order.
 *
 * @example
 * ```ts
 * import { EvmChanges, type EvmStore } from '@firn/store/evm'
 *
 * declare const store: EvmStore
 * const changes = await EvmChanges.after(store, 0n, 100)
 * ```
 */
export function after(store: EvmStore, sequence: bigint, limit: number): Promise<ChangeRow[]> {
  return fetchRows(
    store,
    sql<ChangeRow>`select * from change where sequence > ${sequence} order by sequence limit ${limit}`,
  )
}
