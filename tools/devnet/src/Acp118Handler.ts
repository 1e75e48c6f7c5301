import { Bytes, Id } from '@firn/codec'
import { Acp118, UnsignedMessage } from '@firn/warp'
import { verifyEvm } from './internal/evmRules.ts'
import { verifyPlatform } from './internal/platformRules.ts'
import { type Refusal, tryDecode } from './internal/refusal.ts'
import type { Chain, EvmState, State } from './State.ts'

/** Decision of a validator about a signature request: either the bytes to sign, or an error code. */
export type Decision =
  | { readonly kind: 'sign'; readonly message: Uint8Array; readonly messageId: Uint8Array }
  | { readonly kind: 'refuse'; readonly code: number; readonly text: string }

/** The state on which a validator bases its signing decision. */
export interface Knowledge {
  readonly state: State
  /** State of the requested chain; undefined unless it is an EVM chain. */
  readonly evm: EvmState | undefined
  /**
   * Returns whether this node has already signed the message. EVM chains do not check a signed message again.
   */
  readonly isCached?: (messageId: Uint8Array) => boolean
}

const UNEXPECTED = -1

/**
 * Decides like a node of the chain whether to sign a request. `body` is the protobuf body without the handler
 * prefix. Source: avalanchego's ACP-118 handler, and the warp verifiers of platformvm, coreth and subnet-evm.
 */
export function decide(body: Uint8Array, chain: Chain, knowledge: Knowledge): Decision {
  const request = tryDecode(() => Acp118.decodeRequest(body))
  if (request === undefined) return refuse(UNEXPECTED, 'failed to unmarshal request')
  const message = tryDecode(() => UnsignedMessage.decode(request.message))
  if (message === undefined) return refuse(UNEXPECTED, 'failed to parse warp unsigned message')
  const messageId = Id.hash(request.message)
  const signed: Decision = { kind: 'sign', message: request.message, messageId }
  if (chain.vm !== 'platformvm' && knowledge.isCached?.(messageId)) return signed
  const refusal = verify(message, messageId, request.justification, chain, knowledge)
  if (refusal !== undefined) return refuse(refusal.code, refusal.text)
  if (!Bytes.equals(message.sourceChainID, chain.id))
    return refuse(UNEXPECTED, 'failed to sign message: wrong SourceChainID')
  if (message.networkID !== knowledge.state.networkId)
    return refuse(UNEXPECTED, 'failed to sign message: wrong networkID')
  return signed
}

function verify(
  message: UnsignedMessage.UnsignedMessage,
  messageId: Uint8Array,
  justification: Uint8Array,
  chain: Chain,
  { state, evm }: Knowledge,
): Refusal | undefined {
  if (chain.vm === 'platformvm') return verifyPlatform(message.payload, justification, state)
  if (evm === undefined) return { code: -2, text: 'unregistered handler' }
  return verifyEvm(message.payload, messageId, chain.vm, evm)
}

function refuse(code: number, text: string): Decision {
  return { kind: 'refuse', code, text }
}
