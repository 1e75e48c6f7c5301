import { Id } from '@firn/codec'
import * as L1Message from './L1Message.ts'

/**
 * Returns the validation id (32 bytes) of the validator at `index` in a subnet's conversion: SHA-256 of the
 * subnet id and the index (u32).
 *
 * @throws CodecError `CODEC_ID` if the subnet id does not have 32 bytes
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { ValidationId } from '@firn/warp'
 *
 * const subnetId = Id.parse('p433wpuXyJiDhyazPYyZMJeaoPSW76CBZ2x7wrVPLgvokotXz')
 * const first = ValidationId.initial(subnetId, 0)
 * ```
 */
export function initial(subnetId: Uint8Array, index: number): Uint8Array {
  return Id.append(subnetId, index)
}

/**
 * Returns the validation id (32 bytes) of a validator that was registered after the conversion: SHA-256 of its
 * encoded RegisterL1Validator message.
 *
 * @throws CodecError `CODEC_VALUE`, `CODEC_SIZE` if a decoded message cannot be encoded
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { ValidationId } from '@firn/warp'
 *
 * declare const bytes: Uint8Array // an encoded RegisterL1Validator message
 * const text = Id.format(ValidationId.registered(bytes))
 * ```
 */
export function registered(message: L1Message.RegisterL1Validator | Uint8Array): Uint8Array {
  return Id.hash(message instanceof Uint8Array ? message : L1Message.encode(message))
}
