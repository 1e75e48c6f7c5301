import { Hex, Id, Json } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import * as L1Message from './L1Message.ts'
import * as Payload from './Payload.ts'
import { cases, codeForDecodeError, codeOf, mutations } from './testing/vectors.ts'
import * as UnsignedMessage from './UnsignedMessage.ts'
import * as ValidationId from './ValidationId.ts'

interface GoldenOwner {
  readonly Threshold: number
  readonly Addresses: readonly string[]
}

interface GoldenRegister {
  readonly bytes: string
  readonly fields: {
    readonly SubnetID: string
    readonly NodeID: string
    readonly BLSPublicKey: string
    readonly Expiry: string
    readonly RemainingBalanceOwner: GoldenOwner
    readonly DisableOwner: GoldenOwner
    readonly Weight: string
  }
  readonly validationID: string
  readonly verifyError: string | null
  readonly json: string
}

const VERIFY_CODES: readonly (readonly [RegExp, string])[] = [
  [/invalid subnet ID/, 'WARP_SUBNET_ID'],
  [/invalid weight/, 'WARP_ZERO_WEIGHT'],
  [/invalid node ID/, 'WARP_NODE_ID'],
  [/invalid owner/, 'WARP_OWNER'],
  [/nonce is reserved/, 'WARP_NONCE'],
]

function verifyCode(error: string | null): string | undefined {
  return error === null ? undefined : VERIFY_CODES.find(([pattern]) => pattern.test(error))?.[1]
}

function owner({ Threshold, Addresses }: GoldenOwner): L1Message.Owner {
  return { threshold: Threshold, addresses: Addresses.map(Hex.decode) }
}

function roundTrips(message: L1Message.L1Message, bytes: string): void {
  expect(Hex.encode(L1Message.encode(message))).toBe(bytes)
  expect(L1Message.decode(Hex.decode(bytes))).toEqual(message)
  expect(L1Message.decodeAs(Hex.decode(bytes), message.type)).toEqual(message)
}

describe('golden vectors', () => {
  test.each(cases<GoldenRegister>('RegisterL1Validator'))(
    'matches the golden RegisterL1Validator: $name',
    (golden) => {
      const { fields } = golden
      const message: L1Message.RegisterL1Validator = {
        type: 'RegisterL1Validator',
        subnetID: Hex.decode(fields.SubnetID),
        nodeID: Hex.decode(fields.NodeID),
        blsPublicKey: Hex.decode(fields.BLSPublicKey),
        expiry: BigInt(fields.Expiry),
        remainingBalanceOwner: owner(fields.RemainingBalanceOwner),
        disableOwner: owner(fields.DisableOwner),
        weight: BigInt(fields.Weight),
      }
      roundTrips(message, golden.bytes)
      expect(Id.format(ValidationId.registered(message))).toBe(golden.validationID)
      expect(codeOf(() => L1Message.assert(message))).toBe(verifyCode(golden.verifyError))
      expect(Json.stringify(L1Message.codec.toJSON(message))).toBe(golden.json)
      expect(L1Message.codec.fromJSON(Json.parse(golden.json))).toEqual(message)
    },
  )

  test.each(cases<{ id: string; bytes: string }>('SubnetToL1Conversion'))(
    'matches the golden SubnetToL1Conversion: $name $id',
    ({ id, bytes }) => {
      roundTrips({ type: 'SubnetToL1Conversion', id: Hex.decode(id) }, bytes)
    },
  )

  test.each(cases<{ validationID: string; registered: boolean; bytes: string }>('L1ValidatorRegistration'))(
    'matches the golden L1ValidatorRegistration: $name $validationID $registered',
    ({ validationID: validationId, registered, bytes }) => {
      roundTrips(
        { type: 'L1ValidatorRegistration', validationID: Hex.decode(validationId), registered },
        bytes,
      )
    },
  )

  test.each(
    cases<{ validationID: string; nonce: string; weight: string; bytes: string; verifyError: string | null }>(
      'L1ValidatorWeight',
    ),
  )(
    'matches the golden L1ValidatorWeight: $name, nonce $nonce, weight $weight',
    ({ validationID: validationId, nonce, weight, bytes, verifyError }) => {
      const message: L1Message.L1Message = {
        type: 'L1ValidatorWeight',
        validationID: Hex.decode(validationId),
        nonce: BigInt(nonce),
        weight: BigInt(weight),
      }
      roundTrips(message, bytes)
      expect(codeOf(() => L1Message.assert(message))).toBe(verifyCode(verifyError))
    },
  )

  test.each(mutations('pchainMessage'))(
    'accepts or rejects mutated bytes like the reference: $name',
    ({ bytes, ok, error }) => {
      const decode = () => L1Message.decode(Hex.decode(bytes))
      expect(codeOf(decode)).toBe(ok ? undefined : codeForDecodeError(error as string))
      if (ok) expect(Hex.encode(L1Message.encode(decode()))).toBe(bytes)
    },
  )

  test.each(
    cases<{
      bytes: string
      id: string
      networkID: number
      sourceAddress: string
      message: string
      messageType: string
    }>('nested'),
  )('decodes the golden nested message: $name $messageType', (golden) => {
    const unsigned = UnsignedMessage.decode(Hex.decode(golden.bytes))
    const call = Payload.decodeAs(unsigned.payload, 'AddressedCall')
    expect(Hex.encode(UnsignedMessage.id(unsigned))).toBe(golden.id)
    expect(unsigned.networkID).toBe(golden.networkID)
    expect(Hex.encode(call.sourceAddress)).toBe(golden.sourceAddress)
    expect(Hex.encode(call.payload)).toBe(golden.message)
    expect(`*message.${L1Message.decode(call.payload).type}`).toBe(golden.messageType)
  })
})
