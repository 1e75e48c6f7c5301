import { L1Message, Payload, SignedMessage } from '@firn/warp'
import { refuse } from './refuse.ts'

/** A message from an L1's manager to the P-chain. */
export type Call = L1Message.RegisterL1Validator | L1Message.L1ValidatorWeight

/** A received message with its sender and its encoded bytes. */
export interface Received<T extends Call['type']> {
  readonly sourceChainId: Uint8Array
  readonly sourceAddress: Uint8Array
  readonly bytes: Uint8Array
  readonly call: Extract<Call, { readonly type: T }>
}

/**
 * Returns the L1 message in a signed Warp message. The L1 message must be of the given type. Does not check the
 * signature.
 */
export function receive<T extends Call['type']>(message: Uint8Array, type: T): Received<T> {
  const { sourceChainID: sourceChainId, payload } = SignedMessage.decode(message).unsigned
  const addressed = Payload.decode(payload)
  if (addressed.type !== 'AddressedCall') {
    return refuse('LEDGER_MESSAGE', `expected a payload of type AddressedCall, got ${addressed.type}`)
  }
  const call = L1Message.decode(addressed.payload)
  if (call.type !== type)
    return refuse('LEDGER_MESSAGE', `expected a message of type ${type}, got ${call.type}`)
  const { sourceAddress, payload: bytes } = addressed
  return { sourceChainId, sourceAddress, bytes, call: call as Received<T>['call'] }
}
