import { Hex } from '@firn/codec'
import { isObject } from '@firn/rpc'
import { IndexerError as Failure, type IndexerError } from '../../IndexerError.ts'
import type { EvmUpstreams } from '../EvmUpstreams.ts'
import type { Answer, Call } from '../JsonRpc.ts'
import * as Calls from './calls.ts'
import { isStateGone } from './refusals.ts'

/** A call of a contract. */
export interface ContractCall {
  readonly to: Uint8Array
  readonly data: Uint8Array
}

/** A block at whose state calls are made. */
export interface At {
  readonly height: bigint
  readonly hash: Uint8Array
}

/** How the state is named: by the block's hash, by its height where a node takes no hashes, or as the newest there is. */
export type Naming = 'hash' | 'height' | 'latest'

/** What a contract returned; undefined when it reverted, or what came is nothing that a contract returns. */
export type Returned = Uint8Array | undefined

/** How one attempt of a call went. */
export type Attempt =
  | { readonly kind: 'returned'; readonly value: Returned }
  /** The node no longer has the state of that block. */
  | { readonly kind: 'stateless' }
  /** The node doesn't have that block, or not yet. */
  | { readonly kind: 'absent' }
  /** The node takes no hashes. */
  | { readonly kind: 'unnamed' }
  /** The node failed, or says so in words that aren't known: another attempt may help. */
  | { readonly kind: 'failed'; readonly error: IndexerError }

/** Words of nodes for a call that the contract itself made fail. */
const REVERTED =
  /revert|invalid opcode|out of gas|stack (under|over)flow|stack limit|invalid jump|bad instruction|vm exception|vm execution|gas required exceeds|intrinsic gas|code size|contract creation|opcode .* not defined|write protection|execution (aborted|error|timeout|failed)|memory limit|return data|precompile|max call depth|evm (error|timeout)/i
const NO_BLOCK = /(block|header|hash).*(not found|unknown|missing)|unknown block|cannot query unfinalized/i
/** Words of nodes that take no object for a block. */
const NO_HASHES = /cannot unmarshal|invalid (argument|params|block|type)|block (number|tag|parameter)/i
/** Gas that a call may use: some nodes have no limit of their own, and contracts may never end. */
const GAS = '0x1c9c380'

/**
 * Makes calls once, of the node whose turn it is, with one further call that tells whether it is the node that fails, and whether it
 * is at the block. Without `at` the newest state of whichever node is taken.
 */
export async function attemptCalls(
  upstreams: Pick<EvmUpstreams, 'ask'>,
  calls: readonly ContractCall[],
  { at, naming, turn }: { readonly at?: At | undefined; readonly naming: Naming; readonly turn: number },
  signal: AbortSignal,
): Promise<readonly Attempt[]> {
  const height = at === undefined ? 'latest' : Calls.quantity(at.height)
  const hash = Hex.encode(at?.hash ?? new Uint8Array())
  const block = naming === 'hash' ? { blockHash: hash } : naming === 'height' ? height : 'latest'
  const sent = calls.map(({ to, data }): Call => {
    return { method: 'eth_call', params: [{ to: Hex.encode(to), data: Hex.encode(data), gas: GAS }, block] }
  })
  const control = Calls.header(naming === 'height' && at !== undefined ? at.height : 'latest')
  const answers = await upstreams.ask([...sent, control], signal, turn)
  const told = answers.at(-1)
  const isWell = told?.error === undefined
  if (isWell && at !== undefined && !isAt(told?.result, at, hash, naming))
    return calls.map(() => ({ kind: 'absent' }))
  return calls.map((_call, i) => judge(answers[i] as Answer, isWell))
}

/** A node that lags answers with the state of before, as if it were that of the block. */
function isAt(header: unknown, { height }: At, hash: string, naming: Naming): boolean {
  if (naming === 'hash') return true
  if (!isObject(header)) return false
  if (naming === 'height') return header['hash'] === hash
  return /^0x[0-9a-f]+$/i.test(String(header['number'])) && BigInt(String(header['number'])) >= height
}

function judge({ error, result }: Answer, isWell: boolean): Attempt {
  if (error === undefined) return { kind: 'returned', value: readBytes(result) }
  const words = String(error.details['rpcMessage'] ?? '')
  const rpcCode = error.details['rpcCode']
  if (rpcCode === 3 || REVERTED.test(words)) return { kind: 'returned', value: undefined }
  if (NO_BLOCK.test(words)) return { kind: 'absent' }
  if (isStateGone(error)) return { kind: 'stateless' }
  if (rpcCode === -32602 || NO_HASHES.test(words)) return { kind: 'unnamed' }
  // More than is read, or than the node gives, from this one call.
  if (error.code === 'INDEXER_RPC_TOO_LARGE' && isWell) return { kind: 'returned', value: undefined }
  return { kind: 'failed', error: isWell ? error : unwell(error) }
}

function readBytes(result: unknown): Returned {
  if (typeof result !== 'string' || !/^0x([0-9a-fA-F]{2})*$/.test(result)) return undefined
  return new Uint8Array(Buffer.from(result.slice(2), 'hex'))
}

/** Marks an error that the node gives to anything. */
function unwell(cause: IndexerError): IndexerError {
  return new Failure('INDEXER_RPC_UNAVAILABLE', cause.message, { details: cause.details, cause })
}
