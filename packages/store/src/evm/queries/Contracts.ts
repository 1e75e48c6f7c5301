import { sql } from 'kysely'
import { fetchRows } from '../../internal/database.ts'
import { prepared } from '../../internal/prepared.ts'
import type { EvmSnapshot } from '../EvmSnapshot.ts'
import type { EvmStore } from '../EvmStore.ts'

/** A contract and the metadata that it returns. */
export interface Contract {
  readonly address: Uint8Array
  /** 20, 721, 1155, or 0 for any other. */
  readonly standard: number
  /** The bytes of the texts, which may not be UTF-8. */
  readonly name: Uint8Array | null
  readonly symbol: Uint8Array | null
  readonly decimals: number | null
}

/** Returns the contracts among some addresses: those that were created or that emitted transfers. */
export async function byAddresses(
  store: EvmStore,
  at: EvmSnapshot,
  addresses: readonly Uint8Array[],
): Promise<readonly Contract[]> {
  if (addresses.length === 0) return []
  // A join, because a scan of the whole table would compare each contract with all items of an array.
  return fetchRows(
    store,
    sql<Contract>`${prepared} select address, standard, name, symbol, decimals
    from unnest(${sql.val([...addresses])}::bytea[]) as given (address) join contract using (address)
    where since <= ${at.height}`,
  )
}
