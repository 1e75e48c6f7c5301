import { Hex } from '@firn/codec'
import type { EvmBlocks, EvmChain } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'

/** Time and block of an event. */
export const inBlock = {
  blockNumber: Type.String(),
  blockTimestamp: Type.Number(),
  blockTimestampMilliseconds: Type.Optional(Type.Number()),
  blockHash: Type.String(),
}

/** A block. */
export const EvmBlock = Type.Object({
  chainId: Type.String(),
  ...inBlock,
  blockMinDelayExcess: Type.Optional(Type.Number()),
  txCount: Type.Number(),
  baseFee: Type.String(),
  gasUsed: Type.String({ description: 'from the header; with asynchronous execution the reserved gas' }),
  gasLimit: Type.String(),
  gasCost: Type.String(),
  parentHash: Type.String(),
  feesSpent: Type.String({ description: 'fees paid by the transactions' }),
  cumulativeTransactions: Type.String({ description: 'from the first indexed block through this one' }),
})

/** Returns a block in the Data API's shape. */
export function evmBlock({ chainId }: EvmChain, block: EvmBlocks.Block): Body {
  return {
    chainId: String(chainId),
    blockNumber: String(block.height),
    blockTimestamp: block.time,
    blockTimestampMilliseconds: block.timeMilliseconds ?? undefined,
    blockMinDelayExcess: block.minDelayExcess ?? undefined,
    blockHash: Hex.encode(block.hash),
    txCount: block.transactions,
    baseFee: String(block.baseFee ?? 0n),
    gasUsed: String(block.gasUsed),
    gasLimit: String(block.gasLimit),
    gasCost: String(block.blockGasCost ?? 0n),
    parentHash: Hex.encode(block.parentHash),
    feesSpent: String(block.feesSpent),
    cumulativeTransactions: String(block.cumulativeTransactions),
  }
}
