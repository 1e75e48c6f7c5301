import { Bytes, Id } from '@firn/codec'
import { Justification, L1Message, Payload, ValidationId } from '@firn/warp'
import { key, type State } from '../State.ts'
import { type Refusal, tryDecode } from './refusal.ts'

const MAX_NONCE = 2n ** 64n - 1n

/**
 * Returns the reason why the P-chain does not sign a payload, or undefined if it signs the payload. The
 * reason contains an error code of avalanchego's P-chain.
 */
export function verifyPlatform(
  payload: Uint8Array,
  justification: Uint8Array,
  state: State,
): Refusal | undefined {
  const call = tryDecode(() => Payload.decodeAs(payload, 'AddressedCall'))
  if (call === undefined) return { code: 1, text: 'failed to parse warp addressed call' }
  if (call.sourceAddress.length > 0) return { code: 2, text: 'source address should be empty' }
  const message = tryDecode(() => L1Message.decode(call.payload))
  if (message === undefined) return { code: 3, text: 'failed to parse warp addressed call payload' }
  switch (message.type) {
    case 'RegisterL1Validator':
      return { code: 4, text: 'unsupported warp addressed call payload type: RegisterL1Validator' }
    case 'SubnetToL1Conversion':
      return verifyConversion(message, justification, state)
    case 'L1ValidatorRegistration':
      return message.registered
        ? verifyRegistered(message.validationID, state)
        : verifyNotRegistered(message.validationID, justification, state)
    case 'L1ValidatorWeight':
      return verifyWeight(message, state)
  }
}

function verifyConversion(
  message: L1Message.SubnetToL1Conversion,
  justification: Uint8Array,
  state: State,
): Refusal | undefined {
  if (justification.length !== 32) {
    return {
      code: 5,
      text: `failed to parse justification: expected 32 bytes but got ${justification.length}`,
    }
  }
  const conversion = state.subnets.get(key(justification))?.conversion
  if (!conversion) return { code: 6, text: `subnet "${Id.format(justification)}" has not been converted` }
  if (Bytes.equals(conversion.id, message.id)) return undefined
  return {
    code: 7,
    text: `provided conversion id "${Id.format(message.id)}" != expected "${Id.format(conversion.id)}"`,
  }
}

function verifyRegistered(validationId: Uint8Array, state: State): Refusal | undefined {
  if (state.l1Validators.has(key(validationId))) return undefined
  return { code: 11, text: `validation "${Id.format(validationId)}" does not exist` }
}

function verifyNotRegistered(validationId: Uint8Array, bytes: Uint8Array, state: State): Refusal | undefined {
  const decoded = tryDecode(() => ({ justification: Justification.decode(bytes) }))
  if (decoded === undefined) return { code: 5, text: 'failed to parse justification' }
  const { justification } = decoded
  if (justification === null) return { code: 8, text: 'invalid justification type' }
  return justification.type === 'ConvertSubnetToL1TxData'
    ? verifyInitialRemoved(validationId, justification.subnetId, justification.index, state)
    : verifyNeverAgain(validationId, justification.message, state)
}

function verifyInitialRemoved(
  validationId: Uint8Array,
  subnetId: Uint8Array,
  index: number,
  state: State,
): Refusal | undefined {
  if (subnetId.length !== 32)
    return { code: 9, text: `failed to parse subnet id: expected 32 bytes but got ${subnetId.length}` }
  const mismatch = expectId(validationId, ValidationId.initial(subnetId, index))
  if (mismatch !== undefined) return mismatch
  if (!state.subnets.get(key(subnetId))?.conversion) {
    return { code: 6, text: `subnet "${Id.format(subnetId)}" has not been converted` }
  }
  return expectAbsent(validationId, state)
}

function verifyNeverAgain(validationId: Uint8Array, message: Uint8Array, state: State): Refusal | undefined {
  const registration = tryDecode(() => L1Message.decodeAs(message, 'RegisterL1Validator'))
  if (registration === undefined)
    return { code: 13, text: 'failed to parse RegisterL1Validator justification' }
  const refusal =
    expectId(validationId, ValidationId.registered(message)) ?? expectAbsent(validationId, state)
  if (refusal !== undefined) return refusal
  if (registration.expiry <= state.time || state.expiries.has(key(validationId))) return undefined
  return {
    code: 14,
    text: `validation "${Id.format(validationId)}" can be registered until ${registration.expiry}`,
  }
}

function expectId(expected: Uint8Array, got: Uint8Array): Refusal | undefined {
  if (Bytes.equals(expected, got)) return undefined
  return { code: 10, text: `validationID "${Id.format(expected)}" != justificationID "${Id.format(got)}"` }
}

function expectAbsent(validationId: Uint8Array, state: State): Refusal | undefined {
  if (!state.l1Validators.has(key(validationId))) return undefined
  return { code: 12, text: `validation "${Id.format(validationId)}" exists` }
}

function verifyWeight(
  { validationID: validationId, nonce, weight }: L1Message.L1ValidatorWeight,
  state: State,
): Refusal | undefined {
  if (nonce === MAX_NONCE) return { code: 15, text: `impossible nonce ${nonce}` }
  const validator = state.l1Validators.get(key(validationId))
  if (validator === undefined)
    return { code: 11, text: `validation "${Id.format(validationId)}" does not exist` }
  if (nonce + 1n !== validator.minNonce)
    return { code: 16, text: `provided nonce ${nonce} != expected nonce (${validator.minNonce} - 1)` }
  if (weight !== validator.weight)
    return { code: 17, text: `provided weight ${weight} != expected weight ${validator.weight}` }
  return undefined
}
