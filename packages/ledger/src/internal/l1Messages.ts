import { L1Message, Payload, SignedMessage } from '@firn/warp'
import { refuse } from './refuse.ts'

/** A request of an L1's manager to the P-chain. */
export type Call = L1Message.RegisterL1Validator | L1Message.L1ValidatorWeight

/** A message with its sender and its own bytes. */
export interface Received<T extends Call['type']> {
  readonly sourceChainId: Uint8Array
  readonly sourceAddress: Uint8Array
  readonly bytes: Uint8Array
  readonly call: Extract<Call, { readonly type: T }>
}

/**
 * Returns the call in a signed Warp message, which must be of the given type. Its signature is not checked.
 */
export function receive<T extends Call['type']>(message: Uint8Array, type: T): Received<T> {
  const { sourceChainID: sourceChainId, payload } = SignedMessage.decode(message).unsigned
  const addressed = Payload.decode(payload)
  if (addressed.type !== 'AddressedCall') {
    return refuse('LEDGER_MESSAGE', `expected an AddressedCall, got a ${addressed.type}`)
  }
  const call = L1Message.decode(addressed.payload)
  if (call.type !== type) return refuse('LEDGER_MESSAGE', `expected a ${type}, got a ${call.type}`)
  const { sourceAddress, payload: bytes } = addressed
  return { sourceChainId, sourceAddress, bytes, call: call as Received<T>['call'] }
}
