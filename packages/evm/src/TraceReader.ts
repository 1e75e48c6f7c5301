import type { CallFrame, Transaction } from './Block.ts'
import { CALL_TYPES, type CallType } from './Block.ts'
import * as Answer from './internal/Answer.ts'
import * as FlatTraces from './internal/FlatTraces.ts'

/**
 * Returns the outermost call of each transaction, in order. Accepts the nested frames of `callTracer` (`[{
 * txHash?, result }]`), the flat list of `trace_block`, and the flat lists of `flatCallTracer` (one in each
 * `result`). Rewards are skipped.
 * @throws EvmError `EVM_MALFORMED`; `EVM_INCOHERENT` if the number of traces differs, or if the hash, sender,
 * recipient, value or outcome of a trace does not match its transaction.
 * @example
 * ```ts
 * import { type Block, TraceReader } from '@firn/evm'
 *
 * declare const answer: unknown // result of debug_traceBlockByNumber with callTracer
 * declare const block: Block
 * const outermost = TraceReader.read(answer, block.transactions)
 * ```
 */
export function read(answer: unknown, transactions: readonly Transaction[]): readonly CallFrame[] {
  const traces = Answer.list(answer, 'traces')
  const frames = FlatTraces.isFlat(traces)
    ? FlatTraces.readAll(traces, transactions)
    : readNested(traces, transactions)
  frames.forEach((frame, i) => {
    const transaction = transactions[i]
    if (transaction !== undefined) assertOutermost(frame, transaction)
  })
  return frames
}

function readNested(traces: readonly unknown[], transactions: readonly Transaction[]): CallFrame[] {
  if (traces.length !== transactions.length) {
    throw Answer.incoherent('traces', `an array of length ${transactions.length}`, traces)
  }
  return transactions.map((transaction, i) => {
    const field = `traces[${i}]`
    const trace = Answer.members(traces[i], field)
    if (trace['txHash'] !== undefined) {
      const hash = Answer.bytes(trace['txHash'], `${field}.txHash`, 32)
      Answer.sameBytes(hash, transaction.hash, `${field}.txHash`)
    }
    if (trace['error'] !== undefined) throw Answer.malformed(field, 'a trace', `the error ${trace['error']}`)
    const { result } = trace
    if (Array.isArray(result)) return FlatTraces.readOne(result, `${field}.result`)
    return readFrame(result, `${field}.result`, 0)
  })
}

/**
 * Checks that a trace belongs to a transaction by comparing the outermost call with the transaction. Traces
 * with equal outermost calls cannot be distinguished.
 */
function assertOutermost(frame: CallFrame, transaction: Transaction): void {
  const field = `trace of transaction ${transaction.index}`
  const to = transaction.to ?? transaction.contractAddress
  Answer.sameBytes(frame.from, transaction.from, `${field}: from`)
  if (transaction.succeeded || transaction.to !== undefined) Answer.sameBytes(frame.to, to, `${field}: to`)
  const type = transaction.to === undefined ? 'CREATE' : 'CALL'
  if (frame.type !== type) throw Answer.incoherent(`${field}: type`, type, frame.type)
  if (frame.value !== transaction.value) {
    throw Answer.incoherent(`${field}: value`, transaction.value, frame.value)
  }
  if (frame.succeeded !== transaction.succeeded) {
    const [expected, actual] = [transaction, frame].map((one) => (one.succeeded ? 'success' : 'failure'))
    throw Answer.incoherent(`${field}: outcome`, expected, actual)
  }
}

function readFrame(value: unknown, field: string, depth: number): CallFrame {
  if (depth > FlatTraces.DEEPEST) {
    throw Answer.malformed(field, `at most ${FlatTraces.DEEPEST} nested calls`, depth)
  }
  const frame = Answer.members(value, field)
  const type = readType(frame['type'], `${field}.type`)
  const { error, calls } = frame
  if (error !== undefined && (typeof error !== 'string' || error === '')) {
    throw Answer.malformed(`${field}.error`, 'text', error)
  }
  const succeeded = error === undefined
  const inner = calls === undefined ? [] : Answer.list(calls, `${field}.calls`)
  return {
    type,
    from: Answer.bytes(frame['from'], `${field}.from`, 20),
    to: recipient(frame['to'], type, succeeded, `${field}.to`),
    value: MOVES_NOTHING.has(type) ? 0n : Answer.quantity(frame['value'], Answer.UINT256, `${field}.value`),
    gas: Answer.quantity(frame['gas'], Answer.UINT64, `${field}.gas`),
    gasUsed: Answer.quantity(frame['gasUsed'], Answer.UINT64, `${field}.gasUsed`),
    succeeded,
    calls: inner.map((call, i) => readFrame(call, `${field}.calls[${i}]`, depth + 1)),
  }
}

/**
 * Call types that transfer no value. For delegate calls, some nodes report the value of the calling frame.
 */
const MOVES_NOTHING: ReadonlySet<CallType> = new Set(['DELEGATECALL', 'STATICCALL'])

const TYPES: ReadonlySet<unknown> = new Set(CALL_TYPES)

function readType(value: unknown, field: string): CallType {
  if (!TYPES.has(value)) throw Answer.malformed(field, CALL_TYPES.join(', '), value)
  return value as CallType
}

function recipient(
  value: unknown,
  type: CallType,
  succeeded: boolean,
  field: string,
): Uint8Array | undefined {
  const mayBeAbsent = !succeeded && (type === 'CREATE' || type === 'CREATE2')
  return mayBeAbsent ? Answer.maybeBytes(value, field, 20) : Answer.bytes(value, field, 20)
}
