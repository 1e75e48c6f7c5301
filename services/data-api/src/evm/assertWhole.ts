import { DataApiError } from '../DataApiError.ts'
import type { EvmChainSource } from './EvmContext.ts'

/**
 * Refuses what is a sum over all blocks where the first ones are missing: it would be wrong.
 * @throws DataApiError `DATA_NOT_FOUND`
 */
export function assertWhole({ chain }: EvmChainSource): void {
  // The genesis block has no transactions: nothing is missing without it.
  if (chain.firstHeight <= 1n) return
  const message = `balances of tokens are sums over all blocks of a chain, and those before ${chain.firstHeight} are not here`
  throw new DataApiError('DATA_NOT_FOUND', message)
}
