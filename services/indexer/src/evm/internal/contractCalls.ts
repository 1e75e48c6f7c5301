import { Hex } from '@firn/codec'
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

/** At which state a call is made: that of a block, or the newest there is. */
export type At = { readonly height: bigint; readonly hash: Uint8Array } | 'latest'

/** What a contract returned; undefined when it reverted, or what came is nothing that a contract returns. */
export type Returned = Uint8Array | undefined

/** How one attempt of a call went. */
export type Attempt =
  | { readonly kind: 'returned'; readonly value: Returned }
  /** The node no longer has, or doesn't know, the state of that block. */
  | { readonly kind: 'stateless'; readonly error: IndexerError }
  /** The node failed, or says so in words that aren't known: another attempt may help. */
  | { readonly kind: 'failed'; readonly error: IndexerError }

/** Words of nodes for a call that the contract itself made fail. */
const REVERTED =
  /revert|invalid opcode|out of gas|stack (under|over)flow|stack limit|invalid jump|bad instruction|vm exception|vm execution|gas required exceeds|intrinsic gas|code size|contract creation|opcode .* not defined|write protection|execution (aborted|error|timeout|failed)|memory limit|return data|precompile|max call depth|evm (error|timeout)/i
const NO_BLOCK = /(block|header|hash).*(not found|unknown|missing)|unknown block|cannot query unfinalized/i
/** Gas that a call may use: some nodes have no limit of their own, and contracts may never end. */
const GAS = '0x1c9c380'

/** Makes calls once, with one further call that every node answers, which tells whether it is the node that fails. */
export async function attemptCalls(
  upstreams: Pick<EvmUpstreams, 'ask'>,
  calls: readonly ContractCall[],
  at: At,
  signal: AbortSignal,
): Promise<readonly Attempt[]> {
  const block = at === 'latest' ? at : Calls.quantity(at.height)
  const sent = calls.map(({ to, data }): Call => {
    const call = { to: Hex.encode(to), data: Hex.encode(data), gas: GAS }
    return { method: 'eth_call', params: [call, block] }
  })
  const control: Call = { method: 'eth_blockNumber', params: [] }
  const answers = await upstreams.ask([...sent, control], signal)
  const isWell = answers.at(-1)?.error === undefined
  return calls.map((_call, i) => judge(answers[i] as Answer, isWell))
}

function judge({ error, result }: Answer, isWell: boolean): Attempt {
  if (error === undefined) return { kind: 'returned', value: readBytes(result) }
  const words = String(error.details['rpcMessage'] ?? '')
  if (error.details['rpcCode'] === 3 || REVERTED.test(words)) return { kind: 'returned', value: undefined }
  if (isStateGone(error) || NO_BLOCK.test(words)) return { kind: 'stateless', error }
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
