import type { Log, Transaction } from '../Block.ts'
import * as Answer from './Answer.ts'
import * as Bloom from './Bloom.ts'

/** The block to which a receipt must belong. */
export interface Frame {
  /** Block hash as text, exactly as in the block. */
  readonly hash: string
  readonly height: bigint
}

/** The fields of a transaction that come from its receipt. */
export type Outcome = Pick<Transaction, 'succeeded' | 'gasUsed' | 'gasPrice' | 'contractAddress' | 'logs'> & {
  readonly cumulativeGasUsed: bigint
}

/**
 * Returns the receipts by the index of their transactions. The indices must be 0 to `count` - 1 without
 * duplicates.
 */
export function inOrder(answer: unknown, count: number): readonly Answer.Members[] {
  const receipts = Answer.list(answer, 'receipts')
  if (receipts.length !== count) throw Answer.incoherent('receipts', `an array of length ${count}`, receipts)
  const ordered = new Array<Answer.Members | undefined>(count)
  receipts.forEach((value, i) => {
    const receipt = Answer.members(value, `receipts[${i}]`)
    const field = `receipts[${i}].transactionIndex`
    const index = Number(Answer.quantity(receipt['transactionIndex'], Answer.UINT64, field))
    if (index >= count) throw Answer.incoherent(field, `an index below ${count}`, index)
    if (ordered[index] !== undefined) throw Answer.incoherent(field, 'unique indices', index)
    ordered[index] = receipt
  })
  return ordered as Answer.Members[]
}

/**
 * Reads the receipt of `transaction` in the block described by `frame`. Adds the indices of the logs to
 * `indices`.
 */
export function read(
  receipt: Answer.Members,
  transaction: Omit<Transaction, keyof Outcome>,
  members: Answer.Members,
  frame: Frame,
  indices: Set<bigint>,
): Outcome {
  const field = `receipt of transaction ${transaction.index}`
  Answer.sameText(receipt['transactionHash'], String(members['hash']), `${field}: transactionHash`)
  Answer.sameText(receipt['blockHash'], frame.hash, `${field}: blockHash`)
  Answer.sameQuantity(receipt['blockNumber'], frame.height, `${field}: blockNumber`)
  Answer.sameBytes(Answer.bytes(receipt['from'], `${field}: from`, 20), transaction.from, `${field}: from`)
  Answer.sameBytes(Answer.maybeBytes(receipt['to'], `${field}: to`, 20), transaction.to, `${field}: to`)
  const succeeded = isSuccess(receipt, field)
  const price = receipt['effectiveGasPrice'] ?? members['gasPrice']
  const answers = Answer.list(receipt['logs'], `${field}: logs`)
  const logs = answers.map((value, i) => readLog(value, `${field}: logs[${i}]`, receipt, frame, indices))
  // The logs are hexadecimal text, because reading them succeeded.
  Bloom.assertCovered(receipt['logsBloom'], answers as readonly Bloom.Items[], `${field}: logsBloom`)
  return {
    succeeded,
    gasUsed: Answer.quantity(receipt['gasUsed'], Answer.UINT64, `${field}: gasUsed`),
    gasPrice: Answer.quantity(price, Answer.UINT256, `${field}: effectiveGasPrice`),
    cumulativeGasUsed: Answer.quantity(
      receipt['cumulativeGasUsed'],
      Answer.UINT64,
      `${field}: cumulativeGasUsed`,
    ),
    contractAddress: created(receipt, transaction, succeeded, field),
    logs,
  }
}

/**
 * Returns whether the transaction succeeded. Receipts from before Byzantium have a state root instead of a
 * status and do not report failure.
 */
function isSuccess(receipt: Answer.Members, field: string): boolean {
  const status = receipt['status']
  if ((status === undefined || status === null) && receipt['root'] !== undefined) {
    Answer.bytes(receipt['root'], `${field}: root`, 32)
    return true
  }
  return Answer.quantity(status, 1n, `${field}: status`) === 1n
}

/**
 * Returns the address of the created contract; undefined if none was created. Nodes also report an address for a
 * failed creation, and some nodes report one for a call to a built-in contract that deploys a contract. Both are
 * ignored.
 */
function created(
  receipt: Answer.Members,
  { to }: Pick<Transaction, 'to'>,
  succeeded: boolean,
  field: string,
): Uint8Array | undefined {
  if (to !== undefined || !succeeded) return undefined
  const at = `${field}: contractAddress`
  const address = Answer.maybeBytes(receipt['contractAddress'], at, 20)
  if (address === undefined) throw Answer.incoherent(at, 'the address of the created contract', address)
  return address
}

function readLog(
  value: unknown,
  field: string,
  receipt: Answer.Members,
  frame: Frame,
  indices: Set<bigint>,
): Log {
  const log = Answer.members(value, field)
  Answer.sameText(log['blockHash'], frame.hash, `${field}: blockHash`)
  Answer.sameQuantity(log['blockNumber'], frame.height, `${field}: blockNumber`)
  Answer.sameText(log['transactionHash'], String(receipt['transactionHash']), `${field}: transactionHash`)
  if (log['removed'] !== undefined && log['removed'] !== false) {
    throw Answer.incoherent(`${field}: removed`, false, log['removed'])
  }
  const index = Answer.quantity(log['logIndex'], Answer.UINT64, `${field}: logIndex`)
  if (indices.has(index)) throw Answer.incoherent(`${field}: logIndex`, 'unique indices', log['logIndex'])
  indices.add(index)
  const topics = Answer.list(log['topics'], `${field}: topics`)
  if (topics.length > 4) throw Answer.malformed(`${field}: topics`, 'at most 4', topics)
  return {
    index,
    address: Answer.bytes(log['address'], `${field}: address`, 20),
    topics: topics.map((topic, i) => Answer.bytes(topic, `${field}: topics[${i}]`, 32)),
    data: Answer.bytes(log['data'], `${field}: data`),
  }
}
