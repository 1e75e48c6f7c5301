import type { EvmSnapshot } from '@firn/evm-store'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import type { EvmChainSource } from './EvmContext.ts'

/**
 * Returns the height at which a balance is requested; by default the snapshot's height.
 * @throws DataApiError `DATA_PARAMETER` if the block at the requested height is not indexed
 */
export function heightOf(
  { chain }: EvmChainSource,
  at: EvmSnapshot,
  blockNumber: bigint | undefined,
): bigint {
  if (blockNumber === undefined) return at.height
  if (blockNumber >= chain.firstHeight && blockNumber <= at.height) return blockNumber
  const expected = `a block number from ${chain.firstHeight} to ${at.height}`
  throw Parameter.refused('blockNumber', expected, String(blockNumber))
}
