import { EvmRetention, type EvmStore } from '@firn/evm-store'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'

/**
 * Throws if balances or owners at a height were removed. Must be called after they were read.
 * @throws DataApiError `DATA_NOT_FOUND`
 */
export async function assertBalancesKept(store: EvmStore, height: bigint): Promise<void> {
  const first = await EvmRetention.keptFrom(store, 'balances')
  if (first === undefined || height >= first) return
  const message = `balances and owners at block ${height} are not kept; they are kept from block ${first} on`
  throw new DataApiError('DATA_NOT_FOUND', message)
}
