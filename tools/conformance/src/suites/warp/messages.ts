import { Id, Json } from '@firn/codec'
import {
  ConversionData,
  Justification,
  L1Message,
  Payload,
  SignedMessage,
  UnsignedMessage,
  ValidationId,
} from '@firn/warp'
import * as Case from '../../Case.ts'
import { ConformanceError } from '../../ConformanceError.ts'
import type { Check } from '../../Suite.ts'

/** Returns `value` with member names in the vectors' Go spelling, such as `SubnetID` for `subnetID`. */
function goNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(goNames)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  const name = (member: string) =>
    member.replace(/^bls/, 'BLS').replace(/^[a-z]/, (letter) => letter.toUpperCase())
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [name(member), goNames(inner)]))
}

interface Format {
  readonly decode: (bytes: Uint8Array) => unknown
  readonly encode: (value: never) => Uint8Array
}

const FORMATS: Readonly<Record<string, Format>> = {
  unsignedMessage: UnsignedMessage,
  message: SignedMessage,
  payload: Payload,
  pchainMessage: L1Message,
}

/**
 * Returns the Go name of a decoded variant's type, such as `*payload.Hash` or `*message.L1ValidatorWeight`.
 */
function goType(value: unknown): string {
  const { type } = value as { readonly type: string }
  return `${type === 'Hash' || type === 'AddressedCall' ? '*payload' : '*message'}.${type}`
}

const decode: Check = (it) => {
  const format = FORMATS[Case.text(it, 'type')]
  if (format === undefined)
    throw new ConformanceError(
      'CONFORMANCE_CASE',
      'expected the name of a known type in the name of the case',
    )
  const decoded = Case.verdict(it, () => format.decode(Case.bytes(it, 'bytes')))
  if (decoded === undefined) return undefined
  const encoded = format.encode(decoded.value as never)
  Case.equals(it, 'bytes', encoded)
  if (Case.has(it, 'sha256')) Case.equals(it, 'sha256', Id.hash(encoded))
  if (Case.has(it, 'goType')) Case.equals(it, 'goType', goType(decoded.value))
  return undefined
}

/** Checks that `value` encodes to the bytes of the case and that the bytes decode to `value`. */
function checkL1Message(it: Case.Case, value: L1Message.L1Message): void {
  Case.equals(it, 'bytes', L1Message.encode(value))
  Case.same('decoded message', value, L1Message.decodeAs(Case.bytes(it, 'bytes'), value.type))
}

/**
 * Checks the verdict on a message. `verifyError` is the reference's error text, or null if the message is
 * valid.
 */
function checkMeaning(it: Case.Case, value: L1Message.L1Message): void {
  const isMeaningful = Case.attempt(() => L1Message.assert(value)) !== undefined
  Case.same('verdict (verifyError is null)', Case.given(it, 'verifyError') === null, isMeaningful)
}

const registration: Check = (it) => {
  const bytes = Case.bytes(it, 'bytes')
  const message = L1Message.decodeAs(bytes, 'RegisterL1Validator')
  const { type: _, ...fields } = message
  Case.equals(it, 'fields', goNames(fields))
  Case.equals(it, 'bytes', L1Message.encode(message))
  const validationId = ValidationId.registered(message)
  Case.equals(it, 'validationIDBytes', validationId)
  Case.same('validationID of the bytes', validationId, ValidationId.registered(bytes))
  Case.equals(it, 'validationID', Id.format(validationId))
  const json = Case.text(it, 'json')
  Case.equals(it, 'json', Json.stringify(L1Message.codec.toJSON(message)))
  Case.same(
    'message after decoding the JSON',
    bytes,
    L1Message.encode(L1Message.codec.fromJSON(Json.parse(json))),
  )
  checkMeaning(it, message)
  return undefined
}

const addressedCall: Check = (it) => {
  const isTooLong = Case.has(it, 'payloadLength')
  const [sourceAddress, payload] = isTooLong
    ? [
        new Uint8Array(Case.number(it, 'sourceAddressLength')),
        new Uint8Array(Case.number(it, 'payloadLength')),
      ]
    : [Case.bytes(it, 'sourceAddress'), Case.bytes(it, 'payload')]
  const encoded = Case.verdict(it, () => Payload.encode({ type: 'AddressedCall', sourceAddress, payload }))
  if (encoded === undefined) return undefined
  Case.equals(it, 'bytes', encoded.value)
  const decoded = Payload.decodeAs(encoded.value, 'AddressedCall')
  Case.same('decoded call', { type: 'AddressedCall', sourceAddress, payload }, decoded)
  return undefined
}

/**
 * Checks that decoding as another type fails. The name of the case, such as "ParseHash of an AddressedCall
 * payload", contains the type to decode.
 */
const wrongType: Check = (it) => {
  const asked = it.name.match(/^Parse([A-Za-z0-9]+) of /)?.[1] ?? ''
  const bytes = Case.bytes(it, 'bytes')
  const isPayload = asked === 'Hash' || asked === 'AddressedCall'
  const decodeAsked = () =>
    isPayload ? Payload.decodeAs(bytes, asked) : L1Message.decodeAs(bytes, asked as 'L1ValidatorWeight')
  // The decoder must reject the type, not the bytes. Decoding the bytes as their actual type must therefore
  // succeed.
  const actual = isPayload ? Payload.decode(bytes).type : L1Message.decode(bytes).type
  Case.same('error', Case.text(it, 'error'), `wrong payload type: ${goType({ type: actual })}`)
  Case.same('accepted as another type', undefined, Case.attempt(decodeAsked))
  return undefined
}

const nested: Check = (it) => {
  const message = UnsignedMessage.decode(Case.bytes(it, 'bytes'))
  Case.equals(it, 'id', UnsignedMessage.id(message))
  Case.equals(it, 'networkID', message.networkID)
  Case.equals(it, 'sourceChainID', message.sourceChainID)
  const call = Payload.decodeAs(message.payload, 'AddressedCall')
  Case.equals(it, 'sourceAddress', call.sourceAddress)
  Case.equals(it, 'message', call.payload)
  const inner = L1Message.decode(call.payload)
  Case.equals(it, 'messageType', goType(inner))
  const payload = Payload.encode({ ...call, payload: L1Message.encode(inner) })
  Case.equals(it, 'bytes', UnsignedMessage.encode({ ...message, payload }))
  return undefined
}

const conversion: Check = (it) => {
  const data = ConversionData.decode(Case.bytes(it, 'bytes'))
  Case.equals(it, 'fields', goNames(data))
  Case.equals(it, 'bytes', ConversionData.encode(data))
  const conversionId = ConversionData.id(data)
  Case.equals(it, 'conversionIDBytes', conversionId)
  Case.equals(it, 'conversionID', Id.format(conversionId))
  const validationIds = data.validators.map((_, index) =>
    Id.format(ValidationId.initial(data.subnetID, index)),
  )
  Case.equals(it, 'validationIDs', validationIds)
  return undefined
}

/** Returns the fields of a justification as in the vectors, with `preimage: null` if there is none. */
function dumpJustification(value: Justification.Justification | null): Readonly<Record<string, unknown>> {
  if (value === null) return { preimage: null }
  if (value.type === 'RegisterL1ValidatorMessage') return { registerL1ValidatorMessage: value.message }
  return { convertSubnetToL1TxData: { subnetID: value.subnetId, index: value.index } }
}

function checkJustification(it: Case.Case, value: Justification.Justification | null): void {
  for (const [field, expected] of Object.entries(dumpJustification(value))) Case.equals(it, field, expected)
}

const justification: Check = (it) => {
  const value = Justification.decode(Case.bytes(it, 'bytes'))
  if (value === null) {
    Case.equals(it, 'bytes', '0x')
    return undefined
  }
  checkJustification(it, value)
  Case.equals(it, 'bytes', Justification.encode(value))
  Case.equals(it, 'validationID', Justification.validationId(value))
  return undefined
}

/** Checks of `warp.json` on encoded messages. */
export const messageChecks: Readonly<Record<string, Check>> = {
  decode,
  wrongType,
  nested,
  conversionID: conversion,
  justification,
  RegisterL1Validator: registration,
  'payload.AddressedCall': addressedCall,
  'payload.Hash'(it) {
    const hash = Case.bytes(it, 'hash')
    Case.equals(it, 'bytes', Payload.encode({ type: 'Hash', hash }))
    Case.equals(it, 'hash', Payload.decodeAs(Case.bytes(it, 'bytes'), 'Hash').hash)
    return undefined
  },
  unsignedMessage(it) {
    const [networkId, sourceChainId] = [Case.number(it, 'networkID'), Case.bytes(it, 'sourceChainID')]
    const message = { networkID: networkId, sourceChainID: sourceChainId, payload: Case.bytes(it, 'payload') }
    Case.equals(it, 'bytes', UnsignedMessage.encode(message))
    Case.same('decoded message', message, UnsignedMessage.decode(Case.bytes(it, 'bytes')))
    Case.equals(it, 'idBytes', UnsignedMessage.id(message))
    Case.equals(it, 'id', Id.format(UnsignedMessage.id(message)))
    return undefined
  },
  SubnetToL1Conversion(it) {
    checkL1Message(it, { type: 'SubnetToL1Conversion', id: Case.bytes(it, 'id') })
    return undefined
  },
  L1ValidatorRegistration(it) {
    const [validationId, registered] = [Case.bytes(it, 'validationID'), Case.flag(it, 'registered')]
    checkL1Message(it, { type: 'L1ValidatorRegistration', validationID: validationId, registered })
    return undefined
  },
  L1ValidatorWeight(it) {
    const [nonce, weight] = [Case.bigint(it, 'nonce'), Case.bigint(it, 'weight')]
    const message = {
      type: 'L1ValidatorWeight',
      validationID: Case.bytes(it, 'validationID'),
      nonce,
      weight,
    } as const
    checkL1Message(it, message)
    checkMeaning(it, message)
    return undefined
  },
  justificationDecode(it) {
    const decoded = Case.verdict(it, () => Justification.decode(Case.bytes(it, 'bytes')))
    if (decoded !== undefined) checkJustification(it, decoded.value)
    return undefined
  },
}
