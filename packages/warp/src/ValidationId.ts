import { Id } from '@firn/codec'
import * as L1Message from './L1Message.ts'

/**
 * Returns the validation id (32 bytes) of the validator at `index` in a subnet's conversion: SHA-256 of the
 * subnet id and the index (u32).
 */
export function initial(subnetId: Uint8Array, index: number): Uint8Array {
  return Id.append(subnetId, index)
}

/**
 * Returns the validation id (32 bytes) of a validator that was registered later: SHA-256 of its encoded
 * RegisterL1Validator message.
 */
export function registered(message: L1Message.RegisterL1Validator | Uint8Array): Uint8Array {
  return Id.hash(message instanceof Uint8Array ? message : L1Message.encode(message))
}
