import type { Log, Transaction } from '../Block.ts'
import * as Answer from './Answer.ts'
import * as Bloom from './Bloom.ts'

/** The block to which a receipt must belong. */
export interface Frame {
  /** Block hash as text, exactly as in the block. */
  readonly hash: string
  readonly height: bigint
  /** Block height as text, exactly as in the block. */
  readonly number: string
}

/** Indices from here on belong to logs that some nodes add themselves. They need not be consecutive. */
const ADDED_FROM = 1n << 31n

/** The indices of a block's logs so far. The logs of transactions are numbered without gaps. */
export interface Indices {
  readonly all: Set<bigint>
  next: bigint
}

/** Returns the indices before the first log of a block. */
export function createIndices(): Indices {
  return { all: new Set(), next: 0n }
}

/** Checks that the logs of a receipt continue the numbering of the block's earlier logs. */
function assertNumbered(logs: readonly Log[], indices: Indices): void {
  for (const [i, { index }] of logs.entries()) {
    if (index >= ADDED_FROM) continue
    if (index !== indices.next) throw Answer.incoherent(`logs[${i}]: logIndex`, indices.next, index)
    indices.next += 1n
  }
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
  receipts.forEach((_, i) => {
    const receipt = Answer.member(receipts, i, 'receipts')
    const index = indexOf(receipt['transactionIndex'], i)
    if (index >= count) throw Answer.incoherent(indexField(i), `an index below ${count}`, index)
    if (ordered[index] !== undefined) throw Answer.incoherent(indexField(i), 'unique indices', index)
    ordered[index] = receipt
  })
  return ordered as Answer.Members[]
}

/** Reads the index of a receipt's transaction. Usually it is the receipt's place `i`. */
function indexOf(value: unknown, i: number): number {
  return value === indexText(i) ? i : Number(Answer.quantity(value, Answer.UINT64, indexField(i)))
}

function indexField(i: number): string {
  return `receipts[${i}].transactionIndex`
}

const indexTexts: string[] = []

/** Returns an index of a transaction in the form in which nodes return it. */
export function indexText(index: number): string {
  for (let i = indexTexts.length; i <= index; i++) indexTexts.push(`0x${i.toString(16)}`)
  return indexTexts[index] as string
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
  indices: Indices,
): Outcome {
  try {
    Answer.sameText(receipt['transactionHash'], String(members['hash']), 'transactionHash')
    Answer.sameText(receipt['blockHash'], frame.hash, 'blockHash')
    Answer.sameQuantity(receipt['blockNumber'], frame.height, frame.number, 'blockNumber')
    Answer.sameHex(receipt['from'], transaction.from, 'from')
    const { to } = transaction
    if (to === undefined || !Answer.isHexOf(receipt['to'], to))
      Answer.sameBytes(Answer.maybeBytes(receipt['to'], 'to', 20), to, 'to')
    const succeeded = isSuccess(receipt)
    const price = receipt['effectiveGasPrice'] ?? members['gasPrice']
    const answers = Answer.list(receipt['logs'], 'logs')
    const logs = answers.map((_, i) =>
      readLog(answers, i, String(receipt['transactionHash']), frame, indices.all),
    )
    // The logs are hexadecimal text, because reading them succeeded.
    Bloom.assertCovered(receipt['logsBloom'], answers as readonly Bloom.Items[], 'logsBloom')
    assertNumbered(logs, indices)
    return {
      succeeded,
      gasUsed: Answer.quantity(receipt['gasUsed'], Answer.UINT64, 'gasUsed'),
      gasPrice: Answer.quantity(price, Answer.UINT256, 'effectiveGasPrice'),
      cumulativeGasUsed: Answer.quantity(receipt['cumulativeGasUsed'], Answer.UINT64, 'cumulativeGasUsed'),
      contractAddress: created(receipt, transaction, succeeded),
      logs,
    }
  } catch (error) {
    throw Answer.inside(`receipt of transaction ${transaction.index}: `, error)
  }
}

/**
 * Returns whether the transaction succeeded. Receipts from before Byzantium have a state root instead of a
 * status and do not report failure.
 */
function isSuccess(receipt: Answer.Members): boolean {
  const status = receipt['status']
  if ((status === undefined || status === null) && receipt['root'] !== undefined) {
    Answer.bytes(receipt['root'], 'root', 32)
    return true
  }
  return Answer.quantity(status, 1n, 'status') === 1n
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
): Uint8Array | undefined {
  if (to !== undefined || !succeeded) return undefined
  const address = Answer.maybeBytes(receipt['contractAddress'], 'contractAddress', 20)
  if (address === undefined)
    throw Answer.incoherent('contractAddress', 'the address of the created contract', address)
  return address
}

function readLog(
  answers: readonly unknown[],
  i: number,
  transactionHash: string,
  frame: Frame,
  indices: Set<bigint>,
): Log {
  const log = Answer.member(answers, i, 'logs')
  try {
    Answer.sameText(log['blockHash'], frame.hash, 'blockHash')
    Answer.sameQuantity(log['blockNumber'], frame.height, frame.number, 'blockNumber')
    Answer.sameText(log['transactionHash'], transactionHash, 'transactionHash')
    if (log['removed'] !== undefined && log['removed'] !== false) {
      throw Answer.incoherent('removed', false, log['removed'])
    }
    const index = Answer.quantity(log['logIndex'], Answer.UINT63, 'logIndex')
    if (indices.has(index)) throw Answer.incoherent('logIndex', 'unique indices', log['logIndex'])
    indices.add(index)
    const topics = Answer.list(log['topics'], 'topics')
    if (topics.length > 4) throw Answer.malformed('topics', 'at most 4', topics)
    return {
      index,
      address: Answer.bytes(log['address'], 'address', 20),
      topics: topics.map(readTopic),
      data: Answer.bytes(log['data'], 'data'),
    }
  } catch (error) {
    throw Answer.inside(`logs[${i}]: `, error)
  }
}

/**
 * Reads the logs of the block described by `frame` from `eth_getLogs`, and groups them by transaction. `hashes` are the
 * hashes of the block's transactions.
 */
export function selected(
  answers: readonly unknown[],
  hashes: readonly unknown[],
  frame: Frame,
): readonly Pick<Transaction, 'hash' | 'index' | 'logs'>[] {
  const indices = new Set<bigint>()
  const logs = answers.map((answer, i) => {
    const field = `logs[${i}].transactionIndex`
    const at = Answer.quantity(Answer.members(answer, `logs[${i}]`)['transactionIndex'], Answer.UINT64, field)
    const hash = hashes[Number(at)]
    if (typeof hash !== 'string') throw Answer.incoherent(field, `an index below ${hashes.length}`, at)
    return { at: Number(at), log: readLog(answers, i, hash, frame, indices) }
  })
  const sorted = logs.toSorted((one, other) => (one.log.index < other.log.index ? -1 : 1))
  // Node 20 has no `Map.groupBy`.
  const byTransaction = new Map<number, (typeof logs)[number][]>()
  for (const one of sorted) {
    const own = byTransaction.get(one.at)
    if (own === undefined) byTransaction.set(one.at, [one])
    else own.push(one)
  }
  return [...byTransaction]
    .toSorted(([one], [other]) => one - other)
    .map(([index, own]) => ({
      index,
      hash: Answer.bytes(hashes[index], `transactions[${index}]`, 32),
      logs: own.map(({ log }) => log),
    }))
}

function readTopic(topic: unknown, i: number): Uint8Array {
  return Answer.bytes(topic, TOPICS[i] as string, 32)
}

const TOPICS = ['topics[0]', 'topics[1]', 'topics[2]', 'topics[3]']
