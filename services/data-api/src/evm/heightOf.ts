import type { EvmSnapshot } from '@firn/store/evm'
import * as Parameter from '../front/Parameter.ts'
import type { EvmChainSource } from './EvmContext.ts'

/**
 * The block that a balance is asked for at: the snapshot's where none is named.
 * @throws DataApiError `DATA_PARAMETER` of a block that isn't here
 */
export function heightOf(
  { chain }: EvmChainSource,
  at: EvmSnapshot,
  blockNumber: bigint | undefined,
): bigint {
  if (blockNumber === undefined) return at.height
  if (blockNumber >= chain.firstHeight && blockNumber <= at.height) return blockNumber
  const expected = `a block from ${chain.firstHeight} to ${at.height}`
  throw Parameter.refused('blockNumber', expected, String(blockNumber))
}
