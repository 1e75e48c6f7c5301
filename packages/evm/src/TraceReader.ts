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
    const trace = Answer.member(traces, i, 'traces')
    if (trace['txHash'] !== undefined && !Answer.isHexOf(trace['txHash'], transaction.hash)) {
      const hash = Answer.bytes(trace['txHash'], `traces[${i}].txHash`, 32)
      Answer.sameBytes(hash, transaction.hash, `traces[${i}].txHash`)
    }
    if (trace['error'] !== undefined)
      throw Answer.malformed(`traces[${i}]`, 'a trace', `the error ${trace['error']}`)
    const { result } = trace
    if (Array.isArray(result)) return FlatTraces.readOne(result, `traces[${i}].result`)
    try {
      return readFrame(result, 0)
    } catch (error) {
      throw Answer.inside(`traces[${i}].result`, error)
    }
  })
}

/**
 * Checks that a trace belongs to a transaction by comparing the outermost call with the transaction. Traces
 * with equal outermost calls cannot be distinguished.
 */
function assertOutermost(frame: CallFrame, transaction: Transaction): void {
  try {
    Answer.sameBytes(frame.from, transaction.from, 'from')
    const to = transaction.to ?? transaction.contractAddress
    if (transaction.succeeded || transaction.to !== undefined) Answer.sameBytes(frame.to, to, 'to')
    const type = transaction.to === undefined ? 'CREATE' : 'CALL'
    if (frame.type !== type) throw Answer.incoherent('type', type, frame.type)
    if (frame.value !== transaction.value) throw Answer.incoherent('value', transaction.value, frame.value)
    if (frame.succeeded !== transaction.succeeded) {
      const [expected, actual] = [transaction, frame].map((one) => (one.succeeded ? 'success' : 'failure'))
      throw Answer.incoherent('outcome', expected, actual)
    }
  } catch (error) {
    throw Answer.inside(`trace of transaction ${transaction.index}: `, error)
  }
}

/** Reads a call. The names of its fields in errors start with a period; the name of the call itself is empty. */
function readFrame(value: unknown, depth: number): CallFrame {
  if (depth > FlatTraces.DEEPEST) {
    throw Answer.malformed('', `at most ${FlatTraces.DEEPEST} nested calls`, depth)
  }
  const frame = Answer.members(value, '')
  const type = readType(frame['type'], '.type')
  const { error, calls } = frame
  if (error !== undefined && (typeof error !== 'string' || error === '')) {
    throw Answer.malformed('.error', 'text', error)
  }
  const succeeded = error === undefined
  const inner = calls === undefined ? [] : Answer.list(calls, '.calls')
  return {
    type,
    from: Answer.bytes(frame['from'], '.from', 20),
    to: recipient(frame['to'], type, succeeded, '.to'),
    value: MOVES_NOTHING.has(type) ? 0n : Answer.quantity(frame['value'], Answer.UINT256, '.value'),
    gas: Answer.quantity(frame['gas'], Answer.UINT64, '.gas'),
    gasUsed: Answer.quantity(frame['gasUsed'], Answer.UINT64, '.gasUsed'),
    succeeded,
    calls: inner.map((call, i) => readInner(call, i, depth + 1)),
  }
}

function readInner(value: unknown, i: number, depth: number): CallFrame {
  try {
    return readFrame(value, depth)
  } catch (error) {
    throw Answer.inside(`.calls[${i}]`, error)
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
