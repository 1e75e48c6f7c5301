import { Hex } from '@firn/codec'
import type { EvmBlocks, EvmChain, EvmSnapshot } from '@firn/evm-store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainIdText } from './ChainInfo.ts'

/** Block number, time and hash of the block that contains an item. */
export const inBlock = {
  blockNumber: Field.height('Number of the block'),
  blockTimestamp: Field.seconds('Time of the block'),
  blockTimestampMilliseconds: Schema.optional(
    Schema.integer(
      'Time of the block, in Unix milliseconds; absent if the header has none',
      1_795_219_200_250,
    ),
  ),
  blockHash: Field.hash('Hash of the block'),
}

/** Members of an item that belongs to a transaction of a block. */
export const inTransaction = { ...inBlock, txHash: Field.hash('Hash of the transaction') }

/** Members of a log, or of an event that a log contains. */
export const inLog = {
  ...inTransaction,
  txIndex: Schema.integer('Index of the transaction in its block', 0),
  logIndex: Schema.integer('Index of the log in its block', 4),
}

/** Finality of a block; see {@link finalityAt}. */
export const Finality = Schema.optional(
  Schema.choice(
    ['executed', 'settled'],
    'executed: the block is accepted and executed; settled: a later block contains the results of its execution. Blocks are returned once they are executed. Absent if the headers of the chain declare no settled height (no asynchronous execution).',
  ),
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
export const EvmBlock = Schema.object('EvmBlock', 'A block of an EVM chain', {
  chainId: chainIdText,
  ...inBlock,
  blockMinDelayExcess: Schema.optional(
    Schema.integer('Minimum delay to the next block, as the excess in the header', 7_970_124),
  ),
  txCount: Field.count('Number of transactions'),
  baseFee: Field.wei('Base fee for each unit of gas; 0 if the header has none'),
  gasUsed: Field.gas(
    'Gas used according to the header; with asynchronous execution the reserved gas',
    '1250000',
  ),
  gasLimit: Field.gas('Gas limit of the block', '15000000'),
  gasCost: Schema.text('Block gas cost of the header, as decimal text; 0 if the header has none', '0'),
  parentHash: Field.hash('Hash of the parent block'),
  feesSpent: Field.wei('Total fees paid by the transactions of the block', '31250000000000000'),
  cumulativeTransactions: Schema.text(
    'Number of transactions from the first indexed block up to this block, as decimal text',
    '918273645',
  ),
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
