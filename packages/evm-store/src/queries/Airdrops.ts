import { fetchRows, prepared } from '@firn/sql'
import { sql } from 'kysely'
import type { EvmStore } from '../EvmStore.ts'

/** How the tokens of a contract reached their recipients. */
export interface Reach {
  readonly contract: Uint8Array
  /** Number of transfers to one of at least ten recipients of a transaction that none of them sent. */
  readonly airdropped: bigint
  /** Number of all other transfers. */
  readonly others: bigint
}

/**
 * Returns the numbers of transfers of contracts, up to the newest block and including pruned transfers. Contracts
 * without transfers are left out.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { EvmAirdrops, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const [reach] = await EvmAirdrops.ofContracts(store, [contract])
 * console.log(reach?.airdropped, reach?.others)
 * ```
 */
export async function ofContracts(
  store: EvmStore,
  contracts: readonly Uint8Array[],
): Promise<readonly Reach[]> {
  if (contracts.length === 0) return []
  return fetchRows(
    store,
    sql<Reach>`${prepared} select a.contract, a.airdropped, a.others
    from (select distinct unnest(${sql.val([...contracts])}::bytea[]) as contract) as given
    join token_airdrop as a using (contract)`,
  )
}
