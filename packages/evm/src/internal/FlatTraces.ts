import type { CallFrame, CallType, Transaction } from '../Block.ts'
import * as Answer from './Answer.ts'

/** A call of a flat list whose inner calls have not all been read. */
interface Growing {
  readonly frame: Omit<CallFrame, 'calls'>
  readonly inner: Growing[]
  /** Number of inner calls that the call's entry announces in `subtraces`. */
  readonly announced: number
  readonly field: string
}

/** Maximum nesting depth of calls in the EVM, not counting the outermost call. */
export const DEEPEST = 1024

const CALLS: Readonly<Record<string, CallType>> = {
  call: 'CALL',
  callcode: 'CALLCODE',
  delegatecall: 'DELEGATECALL',
  staticcall: 'STATICCALL',
}

const CREATIONS: Readonly<Record<string, CallType>> = { create: 'CREATE', create2: 'CREATE2' }

/** Returns whether the traces are the flat list of `trace_block`, not one trace per transaction. */
export function isFlat(traces: readonly unknown[]): boolean {
  const [first] = traces
  return typeof first === 'object' && first !== null && 'action' in first
}

/** Reads the outermost call of each transaction from the flat list of a whole block. */
export function readAll(traces: readonly unknown[], transactions: readonly Transaction[]): CallFrame[] {
  const lists = transactions.map((): unknown[] => [])
  traces.forEach((value, i) => {
    const field = `traces[${i}]`
    const trace = Answer.members(value, field)
    if (trace['type'] === 'reward') return
    const { transactionPosition: position } = trace
    const transaction = transactions[position as number]
    if (transaction === undefined) {
      const expected = `an index below ${transactions.length}`
      throw Answer.incoherent(`${field}.transactionPosition`, expected, position)
    }
    const hash = Answer.bytes(trace['transactionHash'], `${field}.transactionHash`, 32)
    Answer.sameBytes(hash, transaction.hash, `${field}.transactionHash`)
    lists[transaction.index]?.push(trace)
  })
  return lists.map((list, i) => readOne(list, `trace of transaction ${i}`))
}

/** Reads the outermost call of a transaction from its flat list. */
export function readOne(list: readonly unknown[], field: string): CallFrame {
  let root: Growing | undefined
  list.forEach((value, i) => {
    const trace = Answer.members(value, `${field}[${i}]`)
    const call = readCall(trace, `${field}[${i}]`)
    const address = Answer.list(trace['traceAddress'], `${call.field}.traceAddress`)
    if (address.length > DEEPEST) {
      throw Answer.malformed(`${call.field}.traceAddress`, `at most ${DEEPEST} nested calls`, address)
    }
    if (address.length === 0 && root === undefined) {
      root = call
      return
    }
    const siblings = at(root, address.slice(0, -1))?.inner
    if (siblings === undefined || address.at(-1) !== siblings.length) {
      throw Answer.incoherent(`${call.field}.traceAddress`, 'the next call at this level', address.join())
    }
    siblings.push(call)
  })
  if (root === undefined) throw Answer.incoherent(field, 'an outermost call', undefined)
  return complete(root)
}

function at(root: Growing | undefined, address: readonly unknown[]): Growing | undefined {
  return address.reduce<Growing | undefined>((call, i) => call?.inner[i as number], root)
}

function complete({ frame, inner, announced, field }: Growing): CallFrame {
  if (inner.length !== announced) throw Answer.incoherent(`${field}.subtraces`, inner.length, announced)
  return { ...frame, calls: inner.map(complete) }
}

function readCall(trace: Answer.Members, field: string): Growing {
  const { subtraces, error } = trace
  if (typeof subtraces !== 'number') throw Answer.malformed(`${field}.subtraces`, 'a number', subtraces)
  if (error !== undefined && error !== null && (typeof error !== 'string' || error === '')) {
    throw Answer.malformed(`${field}.error`, 'text', error)
  }
  const succeeded = error === undefined || error === null
  const frame = { ...readAction(trace, succeeded, field), succeeded }
  return { frame, inner: [], announced: subtraces, field }
}

function readAction(trace: Answer.Members, succeeded: boolean, field: string): Read {
  const action = Answer.members(trace['action'], `${field}.action`)
  switch (trace['type']) {
    case 'call':
      return readMessage(action, trace, succeeded, field)
    case 'create':
      return readCreation(action, trace, succeeded, field)
    case 'suicide':
    case 'selfdestruct':
      return {
        type: 'SELFDESTRUCT',
        from: Answer.bytes(action['address'], `${field}.action.address`, 20),
        to: Answer.bytes(action['refundAddress'], `${field}.action.refundAddress`, 20),
        value: Answer.quantity(action['balance'], Answer.UINT256, `${field}.action.balance`),
        gas: 0n,
        gasUsed: 0n,
      }
    default:
      throw Answer.malformed(`${field}.type`, 'call, create, suicide, reward', trace['type'])
  }
}

type Read = Pick<CallFrame, 'type' | 'from' | 'to' | 'value' | 'gas' | 'gasUsed'>

function readMessage(action: Answer.Members, trace: Answer.Members, succeeded: boolean, field: string): Read {
  const type = kind(CALLS, action['callType'], `${field}.action.callType`)
  const movesNothing = type === 'DELEGATECALL' || type === 'STATICCALL'
  return {
    type,
    to: Answer.bytes(action['to'], `${field}.action.to`, 20),
    ...readGas(action, trace, succeeded, field),
    ...(movesNothing ? { value: 0n } : {}),
  }
}

function readCreation(
  action: Answer.Members,
  trace: Answer.Members,
  succeeded: boolean,
  field: string,
): Read {
  // Older nodes do not distinguish CREATE from CREATE2.
  const method = action['creationMethod'] ?? 'create'
  const at = `${field}.result.address`
  return {
    type: kind(CREATIONS, method, `${field}.action.creationMethod`),
    to: succeeded ? Answer.bytes(Answer.members(trace['result'], at)['address'], at, 20) : undefined,
    ...readGas(action, trace, succeeded, field),
  }
}

/**
 * Returns the sender, value and gas of a call. Most nodes omit the result of a failed call, so the gas limit is then
 * returned as the gas used.
 */
function readGas(
  action: Answer.Members,
  trace: Answer.Members,
  succeeded: boolean,
  field: string,
): Pick<CallFrame, 'from' | 'value' | 'gas' | 'gasUsed'> {
  const gas = Answer.quantity(action['gas'], Answer.UINT64, `${field}.action.gas`)
  const { result } = trace
  const isAbsent = !succeeded && (result === undefined || result === null)
  const at = `${field}.result`
  return {
    from: Answer.bytes(action['from'], `${field}.action.from`, 20),
    value: Answer.quantity(action['value'], Answer.UINT256, `${field}.action.value`),
    gas,
    gasUsed: isAbsent
      ? gas
      : Answer.quantity(Answer.members(result, at)['gasUsed'], Answer.UINT64, `${at}.gasUsed`),
  }
}

function kind(kinds: Readonly<Record<string, CallType>>, value: unknown, field: string): CallType {
  const type = typeof value === 'string' && Object.hasOwn(kinds, value) ? kinds[value] : undefined
  if (type === undefined) throw Answer.malformed(field, Object.keys(kinds).join(', '), value)
  return type
}
