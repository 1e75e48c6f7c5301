import { fetchRows } from '@firn/sql'
import { sql } from 'kysely'
import type { EvmStore } from '../EvmStore.ts'
import type { Creator } from './checkedBalances.ts'

/**
 * Returns the accounts that created contracts: the senders of the transactions and the creators.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { EvmBalanceChecks, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const creators = await EvmBalanceChecks.creators(store, [contract])
 * ```
 */
export async function creators(
  store: EvmStore,
  contracts: readonly Uint8Array[],
): Promise<readonly Creator[]> {
  if (contracts.length === 0) return []
  return fetchRows(
    store,
    sql<Creator>`select distinct c.contract, side.address from creation as c
    cross join lateral (values (c.deployer), (c.creator)) as side (address)
    where c.contract = any(${sql.val([...contracts])}::bytea[]) and c.succeeded`,
  )
}
