import type { Block, Transaction } from './Block.ts'
import { EvmError } from './EvmError.ts'
import * as Answer from './internal/Answer.ts'
import * as Receipts from './internal/Receipts.ts'
import * as Totals from './internal/Totals.ts'
import * as TraceReader from './TraceReader.ts'

/** A node's responses about one block, as parsed JSON. */
export interface Parts {
  /** Result of `eth_getBlockByNumber` or `eth_getBlockByHash` with full transactions. */
  readonly block: unknown
  /**
   * Receipts of the block's transactions in any order, from `eth_getBlockReceipts` or from one request per
   * receipt.
   */
  readonly receipts: unknown
  /**
   * Result of `debug_traceBlockBy…` with `callTracer` or `flatCallTracer`, or of `trace_block`; absent if the
   * node does not trace.
   */
  readonly traces?: unknown
}

/** Last second that `Date` can represent (in the year 275760). */
const LAST_TIME = 8_640_000_000_000n

/**
 * Reads a block from its parts. Unused members may have any value. The header's gas and bloom are compared with the
 * receipts, unless the header has a settled height: then they belong to an earlier block. Roots are not computed.
 * @throws EvmError `EVM_MALFORMED` if a part is malformed; `EVM_INCOHERENT` if parts are missing or belong to
 * another block or transaction. Details: `height` and `hash` of the block if they could be read, `field`,
 * `expected`, `actual`.
 * @example
 * ```ts
 * import { BlockReader } from '@firn/evm'
 *
 * declare const block: unknown // result of eth_getBlockByNumber with full transactions
 * declare const receipts: unknown // result of eth_getBlockReceipts
 * const { height, transactions } = BlockReader.read({ block, receipts })
 * ```
 */
export function read({ block, receipts, traces }: Parts): Block {
  return placed((place) => {
    const members = Answer.members(block, 'block')
    const { header, frame } = readHeader(members, place)
    const answers = Answer.list(members['transactions'], 'transactions')
    const ordered = Receipts.inOrder(receipts, answers.length)
    const { transactions, gas } = readTransactions(answers, ordered, frame)
    Totals.assertMatch(members, header, ordered, gas)
    return {
      ...header,
      transactions,
      traces: traces === undefined ? undefined : TraceReader.read(traces, transactions),
    }
  })
}

/** A node's responses about one block without its transactions, as parsed JSON. */
export interface SelectedParts {
  /** Result of `eth_getBlockByNumber` or `eth_getBlockByHash` with the hashes of the transactions. */
  readonly block: unknown
  /** Results of `eth_getLogs` about the block. */
  readonly logs: readonly unknown[]
}

/**
 * Reads a block without its transactions, with selected logs. The header's bloom is not used, because it belongs to
 * earlier blocks on chains that execute asynchronously.
 * @throws EvmError `EVM_MALFORMED` if a part is malformed; `EVM_INCOHERENT` if a log belongs to another block. Details
 * as in {@link read}.
 * @example
 * ```ts
 * import { BlockReader } from '@firn/evm'
 *
 * declare const block: unknown // result of eth_getBlockByNumber
 * declare const logs: unknown[] // result of eth_getLogs
 * const { height, selected } = BlockReader.readSelected({ block, logs })
 * ```
 */
export function readSelected({ block, logs }: SelectedParts): Block {
  return placed((place) => {
    const members = Answer.members(block, 'block')
    const { header, frame } = readHeader(members, place)
    const hashes = Answer.list(members['transactions'], 'transactions')
    const transactions = Receipts.selected(logs, hashes, frame)
    return {
      ...header,
      transactions: [],
      traces: undefined,
      selected: { count: hashes.length, transactions },
    }
  })
}

interface Place {
  height?: bigint
  hash?: string
}

/** Runs a reader, and adds the block to the messages of its errors. */
function placed(work: (place: Place) => Block): Block {
  const place: Place = {}
  try {
    return work(place)
  } catch (error) {
    if (!(error instanceof EvmError)) throw error
    const where = place.height === undefined ? '' : `block ${place.height} ${place.hash ?? ''}: `
    throw new EvmError(error.code, `${where}${error.message}`, { details: { ...place, ...error.details } })
  }
}

function readHeader(block: Answer.Members, place: Place) {
  const height = Answer.quantity(block['number'], Answer.UINT63, 'number')
  place.height = height
  const hash = Answer.bytes(block['hash'], 'hash', 32)
  const frame: Receipts.Frame = { height, number: String(block['number']), hash: String(block['hash']) }
  place.hash = frame.hash
  Totals.assertExtra(block['extraData'])
  const header = {
    height,
    hash,
    parentHash: Answer.bytes(block['parentHash'], 'parentHash', 32),
    ...readTimes(block),
    minDelayExcess: Answer.maybeQuantity(block['minDelayExcess'], Answer.UINT63, 'minDelayExcess'),
    miner: Answer.bytes(block['miner'], 'miner', 20),
    baseFee: Answer.maybeQuantity(block['baseFeePerGas'], Answer.UINT256, 'baseFeePerGas'),
    gasLimit: Answer.quantity(block['gasLimit'], Answer.UINT64, 'gasLimit'),
    gasUsed: Answer.quantity(block['gasUsed'], Answer.UINT64, 'gasUsed'),
    blockGasCost: Answer.maybeQuantity(block['blockGasCost'], Answer.UINT256, 'blockGasCost'),
    settledHeight: Answer.maybeQuantity(block['settledHeight'], height, 'settledHeight'),
  }
  return { header, frame }
}

function maybe64(block: Answer.Members, name: string): bigint | undefined {
  return Answer.maybeQuantity(block[name], Answer.UINT64, name)
}

function readTimes(block: Answer.Members): Pick<Block, 'timestamp' | 'timestampMilliseconds'> {
  const timestamp = Answer.quantity(block['timestamp'], LAST_TIME, 'timestamp')
  const timestampMilliseconds = maybe64(block, 'timestampMilliseconds')
  if (timestampMilliseconds !== undefined && timestampMilliseconds / 1000n !== timestamp) {
    throw Answer.incoherent(
      'timestampMilliseconds',
      `milliseconds within the second ${timestamp}`,
      timestampMilliseconds,
    )
  }
  return { timestamp, timestampMilliseconds }
}

function readTransactions(
  answers: readonly unknown[],
  receipts: readonly Answer.Members[],
  frame: Receipts.Frame,
): { readonly transactions: readonly Transaction[]; readonly gas: bigint } {
  const hashes = new Set<string>()
  const logIndices = Receipts.createIndices()
  let spent = 0n
  const transactions = receipts.map((receipt, index) => {
    const members = Answer.member(answers, index, 'transactions')
    const transaction = readTransaction(members, index, frame)
    const outcome = Receipts.read(receipt, transaction, members, frame, logIndices)
    const { cumulativeGasUsed } = outcome
    const total = spent + outcome.gasUsed
    // Some nodes report 0 for all transactions.
    if (cumulativeGasUsed !== total && (cumulativeGasUsed > 0n || spent > 0n)) {
      const field = `receipt of transaction ${index}: cumulativeGasUsed`
      throw Answer.incoherent(field, `${total} (the gas of all transactions so far)`, cumulativeGasUsed)
    }
    spent = cumulativeGasUsed
    const hash = String(members['hash']).toLowerCase()
    if (hashes.has(hash))
      throw Answer.incoherent(`transactions[${index}].hash`, 'unique transaction hashes', hash)
    hashes.add(hash)
    const { succeeded, gasUsed, gasPrice, contractAddress, logs } = outcome
    return { ...transaction, succeeded, gasUsed, gasPrice, contractAddress, logs }
  })
  return { transactions, gas: spent }
}

function readTransaction(
  members: Answer.Members,
  index: number,
  frame: Receipts.Frame,
): Omit<Transaction, keyof Receipts.Outcome> {
  try {
    Answer.sameQuantity(
      members['transactionIndex'],
      BigInt(index),
      Receipts.indexText(index),
      'transactionIndex',
    )
    Answer.sameText(members['blockHash'], frame.hash, 'blockHash')
    Answer.sameQuantity(members['blockNumber'], frame.height, frame.number, 'blockNumber')
    return {
      hash: Answer.bytes(members['hash'], 'hash', 32),
      index,
      type: Number(Answer.maybeQuantity(members['type'], 0xffn, 'type') ?? 0n),
      from: Answer.bytes(members['from'], 'from', 20),
      to: Answer.maybeBytes(members['to'], 'to', 20),
      nonce: Answer.quantity(members['nonce'], Answer.UINT64, 'nonce'),
      value: Answer.quantity(members['value'], Answer.UINT256, 'value'),
      input: Answer.bytes(members['input'], 'input'),
      gasLimit: Answer.quantity(members['gas'], Answer.UINT64, 'gas'),
      maxFeePerGas: maybe256(members, 'maxFeePerGas'),
      maxPriorityFeePerGas: maybe256(members, 'maxPriorityFeePerGas'),
    }
  } catch (error) {
    throw Answer.inside(`transactions[${index}].`, error)
  }
}

function maybe256(members: Answer.Members, name: string): bigint | undefined {
  return Answer.maybeQuantity(members[name], Answer.UINT256, name)
}
