import { DataApiError } from '../DataApiError.ts'
import type { EvmChainSource } from './EvmContext.ts'

/**
 * Rejects sums over all blocks where the first blocks are missing, because they would be wrong.
 * @throws DataApiError `DATA_NOT_FOUND`
 */
export function assertWhole({ chain }: EvmChainSource): void {
  // The genesis block has no transactions, so it may be missing.
  if (chain.firstHeight <= 1n) return
  const message = `token balances are sums over all blocks of a chain, and those before ${chain.firstHeight} are not indexed here`
  throw new DataApiError('DATA_NOT_FOUND', message)
}
