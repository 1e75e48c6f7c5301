import { sql } from 'kysely'
import { prepared } from '../../internal/prepared.ts'
import type { EvmSnapshot } from '../EvmSnapshot.ts'
import type { EvmStore } from '../EvmStore.ts'

/** A contract and what it says of itself. */
export interface Contract {
  readonly address: Uint8Array
  /** 20, 721, 1155, or 0 for any other. */
  readonly standard: number
  /** The bytes of the texts, which may be no UTF-8. */
  readonly name: Uint8Array | null
  readonly symbol: Uint8Array | null
  readonly decimals: number | null
}

/** Those of some addresses that are contracts which were created or which told of transfers. */
export async function byAddresses(
  store: EvmStore,
  at: EvmSnapshot,
  addresses: readonly Uint8Array[],
): Promise<readonly Contract[]> {
  if (addresses.length === 0) return []
  // Joined, as all of an array would be looked through for each contract where the table is read as a whole.
  const { rows } = await sql<Contract>`${prepared} select address, standard, name, symbol, decimals
    from unnest(${sql.val([...addresses])}::bytea[]) as given (address) join ${sql.table('contract')} using (address)
    where since <= ${at.height}`.execute(store.db)
  return rows
}
