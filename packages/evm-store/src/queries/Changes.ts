import { fetchRows, StoreError } from '@firn/sql'
import { sql } from 'kysely'
import type { ChangeRow } from '../EvmSchema.ts'
import type { EvmStore } from '../EvmStore.ts'
import { keptFrom } from './Retention.ts'

/**
 * Returns at most `limit` changes after a sequence number, in ascending order.
 * @throws StoreError `STORE_PRUNED` if some of the changes after it were removed; `details.oldest` is the sequence number
 * after which all are kept. `STORE_UNAVAILABLE`
 *
 * @example
 * ```ts
 * import { EvmChanges, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const changes = await EvmChanges.after(store, 0n, 100)
 * ```
 */
export async function after(store: EvmStore, sequence: bigint, limit: number): Promise<ChangeRow[]> {
  const rows = await fetchRows(
    store,
    sql<ChangeRow & { readonly isFirst: boolean }>`
      select *, not exists (select from change where sequence <= ${sequence}) as "isFirst" from change
      where sequence > ${sequence} order by sequence limit ${limit}`,
  )
  const [first] = rows
  // The oldest kept change is only read by those that start before it.
  if (first?.isFirst === true && (await keptFrom(store, 'changes')) !== undefined) {
    const oldest = first.sequence
    const message = `changes between ${sequence} and ${oldest} were removed (--keep changes); read the blocks again, and continue after change ${oldest}`
    throw new StoreError('STORE_PRUNED', message, { details: { oldest, actual: sequence } })
  }
  return rows.map(({ isFirst: _, ...row }) => row)
}
