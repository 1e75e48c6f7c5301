import { Hex } from '@firn/codec'
import { isObject } from '@firn/rpc'
import { IndexerError as Failure, type IndexerError } from '../../common/IndexerError.ts'
import * as Calls from '../upstream/calls.ts'
import type { EvmUpstreams } from '../upstream/EvmUpstreams.ts'
import type { Answer, Call } from '../upstream/JsonRpc.ts'
import { isStateGone, isUnknownMethod } from '../upstream/refusals.ts'

/** A call to a contract. */
export interface ContractCall {
  readonly to: Uint8Array
  readonly data: Uint8Array
  /** Sender of the call; by default the node's. */
  readonly from?: Uint8Array
  /** Gas limit of the call; by default {@link GAS}. */
  readonly gas?: bigint
}

/** What to read of a block's state: the result of a call, the code of a contract, or a slot of its storage. */
export type StateRead =
  | ContractCall
  | { readonly codeOf: Uint8Array }
  | { readonly storageOf: Uint8Array; readonly slot: string }

/** The block whose state the calls read. */
export interface At {
  readonly height: bigint
  readonly hash: Uint8Array
}

/**
 * How a call identifies the state: by block hash, by height if a node does not accept hashes, or as the
 * latest state.
 */
export type Naming = 'hash' | 'height' | 'latest'

/** Data that was read; undefined if the call reverted, or the answer is not a valid result. */
export type Returned = Uint8Array | undefined

/** Outcome of one attempt to make a call. */
export type Attempt =
  | { readonly kind: 'returned'; readonly value: Returned }
  /** The node no longer has the state of the block. */
  | { readonly kind: 'stateless' }
  /** The node does not have the block, or does not have it yet. */
  | { readonly kind: 'absent' }
  /** The node does not accept block hashes. */
  | { readonly kind: 'unnamed' }
  /** The node failed, or answered with an unknown message, so a retry may help. */
  | { readonly kind: 'failed'; readonly error: IndexerError }

/** Matches nodes' error messages for a call that the contract reverted. */
const REVERTED =
  /revert|invalid opcode|out of gas|stack (under|over)flow|stack limit|invalid jump|bad instruction|vm exception|vm execution|gas required exceeds|intrinsic gas|code size|contract creation|opcode .* not defined|write protection|execution (aborted|error|timeout|failed)|memory limit|return data|precompile|max call depth|evm (error|timeout)/i
const NO_BLOCK =
  /(block|header|hash).*(not found|unknown|missing)|unknown block|resource not found|cannot query unfinalized/i
/** Matches the error messages of nodes that do not accept an object as the block parameter. */
const NO_HASHES = /cannot unmarshal|invalid (argument|params|block|type)|block (number|tag|parameter)/i
/**
 * Gas limit of a call. It is needed because some nodes have no limit, and a contract may run
 * forever.
 */
const GAS = 30_000_000n

/**
 * Reads from the state once, at the state of the block `at` or, without `at`, at the node's newest state. Nodes are tried in
 * turn, starting with index `turn`, until one answers. An additional request for a header distinguishes a failing
 * node from a failing call. If the calls do not name the block by hash, it also shows whether the node has the block.
 */
export async function attemptCalls(
  upstreams: Pick<EvmUpstreams, 'ask'>,
  reads: readonly StateRead[],
  { at, naming, turn }: { readonly at?: At | undefined; readonly naming: Naming; readonly turn: number },
  signal: AbortSignal,
): Promise<readonly Attempt[]> {
  const height = at === undefined ? 'latest' : Calls.quantity(at.height)
  const hash = Hex.encode(at?.hash ?? new Uint8Array())
  const block = naming === 'hash' ? { blockHash: hash } : naming === 'height' ? height : 'latest'
  const sent = reads.map((read) => toRequest(read, block))
  const control = Calls.header(naming === 'height' && at !== undefined ? at.height : 'latest')
  const answers = await upstreams.ask([...sent, control], signal, turn)
  const last = answers.at(-1)
  const isWell = last?.error === undefined
  if (isWell && at !== undefined && !isAt(last?.result, at, hash, naming))
    return reads.map(() => ({ kind: 'absent' }))
  return reads.map((read, i) => {
    const answer = answers[i] as Answer
    // Some nodes allow calls only.
    const isRefused = !('to' in read) && answer.error !== undefined && isUnknownMethod(answer.error)
    return isRefused ? { kind: 'returned', value: undefined } : judge(answer, isWell)
  })
}

function toRequest(read: StateRead, block: unknown): Call {
  if ('codeOf' in read) return { method: 'eth_getCode', params: [Hex.encode(read.codeOf), block] }
  if ('storageOf' in read)
    return { method: 'eth_getStorageAt', params: [Hex.encode(read.storageOf), read.slot, block] }
  const { to, data, from, gas = GAS } = read
  const sender = from === undefined ? {} : { from: Hex.encode(from) }
  const call = { ...sender, to: Hex.encode(to), data: Hex.encode(data), gas: Calls.quantity(gas) }
  return { method: 'eth_call', params: [call, block] }
}

/**
 * Returns whether the node has the requested block. A lagging node would answer with an older state.
 */
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
  // The answer to this call alone exceeds the size limit of the indexer or of the node.
  if (error.code === 'INDEXER_RPC_TOO_LARGE' && isWell) return { kind: 'returned', value: undefined }
  return { kind: 'failed', error: isWell ? error : unwell(error) }
}

function readBytes(result: unknown): Returned {
  if (typeof result !== 'string' || !/^0x([0-9a-fA-F]{2})*$/.test(result)) return undefined
  return new Uint8Array(Buffer.from(result.slice(2), 'hex'))
}

/** Marks an error that the node returns for every call, not only for this one. */
function unwell(cause: IndexerError): IndexerError {
  return new Failure('INDEXER_RPC_UNAVAILABLE', cause.message, { details: cause.details, cause })
}
