import { Bytes } from '@firn/codec'
import { bytesField, read, uint32Field } from './internal/Protobuf.ts'
import * as ValidationId from './ValidationId.ts'
import { WarpError } from './WarpError.ts'

/**
 * A justification that lets the P-chain state that a validation does not exist (L1ValidatorRegistration with
 * `registered: false`). It contains the pre-image of the validation id.
 * - `ConvertSubnetToL1TxData`: the validator at `index` in the conversion of `subnetId` (32 bytes).
 * - `RegisterL1ValidatorMessage`: the bytes of the RegisterL1Validator message, without any wrapper.
 *
 * The justification of a SubnetToL1Conversion is not this structure but the bare subnet id (32 bytes).
 * Source: avalanchego `platformvm.L1ValidatorRegistrationJustification`.
 */
export type Justification =
  | { readonly type: 'ConvertSubnetToL1TxData'; readonly subnetId: Uint8Array; readonly index: number }
  | { readonly type: 'RegisterL1ValidatorMessage'; readonly message: Uint8Array }

/**
 * Encodes a justification as protobuf.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Justification } from '@firn/warp'
 *
 * const subnetId = Id.parse('p433wpuXyJiDhyazPYyZMJeaoPSW76CBZ2x7wrVPLgvokotXz')
 * const bytes = Justification.encode({ type: 'ConvertSubnetToL1TxData', subnetId, index: 0 })
 * ```
 */
export function encode(justification: Justification): Uint8Array {
  if (justification.type === 'RegisterL1ValidatorMessage') return bytesField(2, justification.message)
  const { subnetId, index } = justification
  return bytesField(
    1,
    Bytes.concat(
      subnetId.length === 0 ? subnetId : bytesField(1, subnetId),
      index === 0 ? new Uint8Array() : uint32Field(2, index),
    ),
  )
}

/**
 * Decodes a justification from protobuf. Returns null if the bytes contain none, and the last one if they
 * contain several, as protobuf does.
 * @throws WarpError `WARP_PROTOBUF`
 * @example
 * ```ts
 * import { Justification } from '@firn/warp'
 *
 * Justification.decode(new Uint8Array()) // null
 * ```
 */
export function decode(bytes: Uint8Array): Justification | null {
  let found: Justification | null = null
  read(bytes, {
    bytes(field, value) {
      if (field === 2) found = { type: 'RegisterL1ValidatorMessage', message: new Uint8Array(value) }
      // If this field occurs again, protobuf merges the two messages instead of replacing the first.
      if (field === 1) found = decodeConversion(value, found)
    },
  })
  return found
}

/**
 * Returns the validation id (32 bytes) whose pre-image the justification contains.
 * @throws WarpError `WARP_JUSTIFICATION` if the subnet id is not 32 bytes long
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Justification } from '@firn/warp'
 *
 * const subnetId = Id.parse('p433wpuXyJiDhyazPYyZMJeaoPSW76CBZ2x7wrVPLgvokotXz')
 * const id = Justification.validationId({ type: 'ConvertSubnetToL1TxData', subnetId, index: 0 })
 * ```
 */
export function validationId(justification: Justification): Uint8Array {
  if (justification.type === 'RegisterL1ValidatorMessage')
    return ValidationId.registered(justification.message)
  const { subnetId, index } = justification
  if (subnetId.length !== 32) {
    throw new WarpError('WARP_JUSTIFICATION', `expected a subnet id of 32 bytes, got ${subnetId.length}`)
  }
  return ValidationId.initial(subnetId, index)
}

function decodeConversion(bytes: Uint8Array, before: Justification | null): Justification {
  let { subnetId, index } =
    before?.type === 'ConvertSubnetToL1TxData' ? before : { subnetId: new Uint8Array(), index: 0 }
  read(bytes, {
    bytes(field, value) {
      if (field === 1) subnetId = new Uint8Array(value)
    },
    uint32(field, value) {
      if (field === 2) index = value
    },
  })
  return { type: 'ConvertSubnetToL1TxData', subnetId, index }
}
