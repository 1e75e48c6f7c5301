import { ConversionData, Justification, L1Message, Payload, UnsignedMessage } from '@firn/warp'
import type { L1 } from './Genesis.ts'
import { PRIMARY } from './State.ts'

/** A P-chain message and the justification that validators need to sign it. */
export interface PlatformMessage {
  /** Bytes of the unsigned message. */
  readonly message: Uint8Array
  readonly justification: Uint8Array
}

/** Returns the unsigned bytes of a P-chain message. */
export function unsigned(networkId: number, message: L1Message.L1Message): Uint8Array {
  const payload = Payload.encode({
    type: 'AddressedCall',
    sourceAddress: new Uint8Array(0),
    payload: L1Message.encode(message),
  })
  return UnsignedMessage.encode({ networkID: networkId, sourceChainID: PRIMARY, payload })
}

/** Returns the message that reports the conversion of a subnet to an L1. */
export function conversion(networkId: number, l1: L1): PlatformMessage {
  const message = unsigned(networkId, { type: 'SubnetToL1Conversion', id: ConversionData.id(l1.conversion) })
  return { message, justification: l1.subnetId }
}

/** Returns the message that reports that a validation exists. */
export function registered(networkId: number, validationId: Uint8Array): PlatformMessage {
  const message = unsigned(networkId, {
    type: 'L1ValidatorRegistration',
    validationID: validationId,
    registered: true,
  })
  return { message, justification: new Uint8Array(0) }
}

/** Returns the message that reports that a validation does not exist and never will. */
export function notRegistered(
  networkId: number,
  justification: Justification.Justification,
): PlatformMessage {
  const validationId = Justification.validationId(justification)
  const message = unsigned(networkId, {
    type: 'L1ValidatorRegistration',
    validationID: validationId,
    registered: false,
  })
  return { message, justification: Justification.encode(justification) }
}

/** Returns the message that reports a validator's weight. */
export function weight(
  networkId: number,
  validationId: Uint8Array,
  nonce: bigint,
  value: bigint,
): PlatformMessage {
  const message = unsigned(networkId, {
    type: 'L1ValidatorWeight',
    validationID: validationId,
    nonce,
    weight: value,
  })
  return { message, justification: new Uint8Array(0) }
}
