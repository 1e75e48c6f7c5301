import { Hex } from '@firn/codec'
import type { EvmBlocks, EvmChain, EvmSnapshot } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'

/** Block number, time and hash of the block that contains an item. */
export const inBlock = {
  blockNumber: Type.String(),
  blockTimestamp: Type.Number(),
  blockTimestampMilliseconds: Type.Optional(Type.Number()),
  blockHash: Type.String(),
}

/** Finality of a block; see {@link finalityAt}. */
export const Finality = Type.Optional(
  Type.Enum(['executed', 'settled'], {
    description:
      'executed: the block is accepted and executed; settled: a later block contains the results of its execution. Blocks are returned once they are executed. Absent if the headers of the chain declare no settled height (no asynchronous execution).',
  }),
)

/**
 * Returns the finality of a block in a snapshot, from the settled height that the snapshot's last header declares.
 * Returns undefined if the header declares none.
 */
export function finalityAt({ settledHeight }: EvmSnapshot, height: bigint) {
  if (settledHeight === null) return undefined
  return height <= settledHeight ? 'settled' : 'executed'
}

/** A block of an EVM chain. */
export const EvmBlock = Type.Object({
  chainId: Type.String(),
  ...inBlock,
  blockMinDelayExcess: Type.Optional(Type.Number()),
  txCount: Type.Number(),
  baseFee: Type.String(),
  gasUsed: Type.String({
    description: 'gas used according to the block header; with asynchronous execution, the reserved gas',
  }),
  gasLimit: Type.String(),
  gasCost: Type.String(),
  parentHash: Type.String(),
  feesSpent: Type.String({ description: 'total fees paid by the block’s transactions' }),
  cumulativeTransactions: Type.String({ description: 'total from the first indexed block up to this block' }),
  finality: Finality,
})

/** Returns a block in the Data API's format. */
export function evmBlock({ chainId }: EvmChain, at: EvmSnapshot, block: EvmBlocks.Block): Body {
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
    finality: finalityAt(at, block.height),
  }
}
