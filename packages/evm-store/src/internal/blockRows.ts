import {
  type Block,
  Creations,
  IcmEvents,
  InternalCalls,
  type Log,
  type Transaction,
  Transfers,
  Wrappings,
} from '@firn/evm'
import type {
  BlockRow,
  BlockTable,
  CreationRow,
  EvmDatabase,
  InternalCallRow,
  LogRow,
  LogTransactionRow,
  TransactionRow,
  TransferRow,
  WrappingRow,
} from '../EvmSchema.ts'
import { fitting } from './fitting.ts'
import { type IcmRow, icmRow } from './icmRows.ts'
import { asStored, type Collections } from './idTransfers.ts'
import { greatest } from './Rollups.ts'

/** A block's rows in `BLOCK_TABLES`, from which the rows of all other tables are derived. */
export type BlockRows = {
  readonly [T in BlockTable]: T extends 'block' ? BlockRow : readonly EvmDatabase[T][]
}

/** The rows of a block, and its transfers. */
export interface Derived {
  readonly rows: BlockRows
  readonly wrappings: readonly WrappingRow[]
  readonly icm: readonly IcmRow[]
  readonly transfers: readonly Transfers.Transfer[]
}

const NO_DIGEST = new Uint8Array()
/** Placeholder digests of a block whose digests are not computed yet. */
export const UNDIGESTED = { digest: NO_DIGEST, chain_digest: NO_DIGEST }

const SELECTOR = 4

/**
 * Derives the rows of a block.
 * @param before number of transactions from the chain's first stored block through the previous block
 * @param hasLogs whether the logs of the block are stored
 * @param collections contracts whose ERC-20 transfer logs contain token ids
 * @throws StoreError `STORE_BLOCK`
 */
export function derive(
  block: Block,
  before: bigint,
  hasLogs: boolean,
  collections: Collections = new Set(),
): Derived {
  const { height } = block
  const transfers = Transfers.of(block)
  const creations = Creations.of(block)
  const transaction = block.transactions.map((one) => transactionRow(height, one))
  return {
    transfers,
    wrappings: Wrappings.of(block).map(({ logIndex, ...wrapping }) => ({
      height,
      log_index: fitting(logIndex, height, 'logIndex'),
      ...wrapping,
    })),
    icm: icmRows(block),
    rows: {
      block: { ...blockRow(block, before, creations), log_digest: hasLogs ? NO_DIGEST : null },
      transaction,
      transfer: transfers.map((transfer) => asStored(transferRow(height, transfer), collections)),
      internal_call: InternalCalls.of(block).map((call) => internalCallRow(height, call)),
      creation: creations.map((creation) => creationRow(height, creation)),
      log: hasLogs ? logRows(block) : [],
      log_transaction: hasLogs ? logTransactionRows(block) : [],
    },
  }
}

function icmRows({ height, timestamp: time, transactions }: Block): readonly IcmRow[] {
  return transactions.flatMap((transaction) =>
    IcmEvents.ofTransaction(transaction).map((event) => icmRow(event, { height, time, transaction })),
  )
}

function logRows({ height, transactions, selected }: Block): readonly LogRow[] {
  const ofTransactions = selected?.transactions ?? transactions
  return ofTransactions.flatMap(({ index, logs }) => logs.map((log) => logRow(height, index, log)))
}

function logTransactionRows({ height, selected }: Block): readonly LogTransactionRow[] {
  const transactions = selected?.transactions ?? []
  return transactions.map(({ index, hash }) => ({ height, transaction_index: index, hash }))
}

function blockRow(
  block: Block,
  before: bigint,
  creations: readonly Creations.Creation[],
): Omit<BlockRow, 'log_digest'> {
  const { height, transactions, selected } = block
  const count = selected?.count ?? transactions.length
  const prices = transactions.map(({ gasPrice }) => gasPrice)
  return {
    height: fitting(height, height, 'height'),
    hash: block.hash,
    parent_hash: block.parentHash,
    time: fitting(block.timestamp, height, 'timestamp'),
    time_milliseconds: optional(block.timestampMilliseconds, height, 'timestampMilliseconds'),
    min_delay_excess: optional(block.minDelayExcess, height, 'minDelayExcess'),
    base_fee: block.baseFee ?? null,
    gas_limit: block.gasLimit,
    gas_used: block.gasUsed,
    block_gas_cost: block.blockGasCost ?? null,
    transactions: count,
    cumulative_transactions: before + BigInt(count),
    gas_executed: sum(transactions.map(({ gasUsed }) => gasUsed)),
    fees_spent: sum(transactions.map(({ gasUsed, gasPrice }) => gasUsed * gasPrice)),
    gas_price_sum: sum(prices),
    gas_price_max: prices.reduce<bigint | null>(greatest, null),
    creations: creations.length,
    settled_height: optional(block.settledHeight, height, 'settledHeight'),
    contracts: creations.filter(({ succeeded }) => succeeded).length,
    ...UNDIGESTED,
  }
}

function transactionRow(height: bigint, transaction: Transaction): TransactionRow {
  return {
    height,
    transaction_index: transaction.index,
    hash: transaction.hash,
    type: transaction.type,
    sender: transaction.from,
    recipient: transaction.to ?? null,
    created: transaction.contractAddress ?? null,
    nonce: transaction.nonce,
    value: transaction.value,
    selector: transaction.input.subarray(0, SELECTOR),
    input: transaction.input,
    max_fee_per_gas: transaction.maxFeePerGas ?? null,
    max_priority_fee_per_gas: transaction.maxPriorityFeePerGas ?? null,
    gas_limit: transaction.gasLimit,
    gas_used: transaction.gasUsed,
    gas_price: transaction.gasPrice,
    succeeded: transaction.succeeded,
  }
}

function transferRow(height: bigint, transfer: Transfers.Transfer): TransferRow {
  return {
    height,
    log_index: fitting(transfer.logIndex, height, 'logIndex'),
    position: transfer.position,
    transaction_index: transfer.transactionIndex,
    standard: transfer.standard,
    contract: transfer.contract,
    sender: transfer.from,
    recipient: transfer.to,
    token_id: transfer.tokenId ?? null,
    amount: transfer.amount,
  }
}

function internalCallRow(height: bigint, call: InternalCalls.InternalCall): InternalCallRow {
  return {
    height,
    transaction_index: call.transactionIndex,
    position: call.position,
    type: call.type,
    sender: call.from,
    recipient: call.to ?? null,
    value: call.value,
    gas: call.gas,
    gas_used: call.gasUsed,
    succeeded: call.succeeded,
  }
}

function creationRow(height: bigint, creation: Creations.Creation): CreationRow {
  return {
    height,
    transaction_index: creation.transactionIndex,
    position: creation.position,
    opcode: creation.opcode,
    contract: creation.contract ?? null,
    deployer: creation.deployer,
    creator: creation.creator,
    succeeded: creation.succeeded,
  }
}

function logRow(height: bigint, transaction: number, { index, address, topics, data }: Log): LogRow {
  const [topic0 = null, topic1 = null, topic2 = null, topic3 = null] = topics
  return {
    height,
    log_index: fitting(index, height, 'logIndex'),
    transaction_index: transaction,
    address,
    topic0,
    topic1,
    topic2,
    topic3,
    data,
  }
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((all, value) => all + value, 0n)
}

function optional(value: bigint | undefined, height: bigint, field: string): bigint | null {
  return value === undefined ? null : fitting(value, height, field)
}
