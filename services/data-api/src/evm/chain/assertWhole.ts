import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import type { EvmChainSource } from './EvmContext.ts'

/**
 * Throws if the first blocks of the chain are missing, because totals over all blocks would be wrong.
 * @throws DataApiError `DATA_NOT_FOUND`
 */
export function assertWhole({ chain }: EvmChainSource): void {
  // The genesis block has no transactions, so it may be missing.
  if (chain.firstHeight <= 1n) return
  const message = `token balances are unavailable: they require all blocks, but blocks before ${chain.firstHeight} are not indexed here`
  throw new DataApiError('DATA_NOT_FOUND', message)
}
