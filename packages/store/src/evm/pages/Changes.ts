import type { ChangeRow } from '../EvmSchema.ts'
import type { EvmStore } from '../EvmStore.ts'

/** The changes after a sequence number, at most so many, in their order. */
export async function after(store: EvmStore, sequence: bigint, limit: number): Promise<ChangeRow[]> {
  return store.db
    .selectFrom('change')
    .selectAll()
    .where('sequence', '>', sequence)
    .orderBy('sequence')
    .limit(limit)
    .execute()
}
