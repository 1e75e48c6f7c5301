import { sql } from 'kysely'
import { fetchRows } from '../../internal/database.ts'
import type { ChangeRow } from '../EvmSchema.ts'
import type { EvmStore } from '../EvmStore.ts'

/** Returns at most `limit` changes after a sequence number, in ascending order. */
export function after(store: EvmStore, sequence: bigint, limit: number): Promise<ChangeRow[]> {
  return fetchRows(
    store,
    sql<ChangeRow>`select * from change where sequence > ${sequence} order by sequence limit ${limit}`,
  )
}
