import { Bytes, Hex, Json } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import * as Acp118 from './Acp118.ts'
import * as Describe from './Describe.ts'
import * as Justification from './Justification.ts'
import { cases, codeOf, load, recordings } from './testing/vectors.ts'
import * as ValidatorUptime from './ValidatorUptime.ts'

const GOLDEN: readonly (readonly [string, Describe.Kind])[] = [
  ['unsignedMessage', 'UnsignedMessage'],
  ['nested', 'UnsignedMessage'],
  ['signedMessage', 'SignedMessage'],
  ['payload.Hash', 'Hash'],
  ['payload.AddressedCall', 'AddressedCall'],
  ['RegisterL1Validator', 'RegisterL1Validator'],
  ['L1ValidatorRegistration', 'L1ValidatorRegistration'],
  ['L1ValidatorWeight', 'L1ValidatorWeight'],
  ['conversionID', 'ConversionData'],
]

test.each(GOLDEN)(
  'recognizes a golden %s, and rejects it with an extra byte at the end',
  (kind, expected) => {
    for (const { bytes, name } of cases<{ bytes?: string }>(kind)) {
      if (bytes === undefined) continue
      const tree = Describe.tree(Hex.decode(bytes))
      expect(tree.kind, name).toBe(expected)
      expect(() => JSON.parse(Json.stringify(tree))).not.toThrow()
      expect(
        codeOf(() => Describe.tree(Hex.decode(`${bytes}00`))),
        name,
      ).toBe('WARP_UNRECOGNIZED')
    }
  },
)

test('reports both structures for 38 bytes that decode as a hash payload and as a conversion', () => {
  const conversion = cases<{ bytes: string }>('SubnetToL1Conversion')[0] as { bytes: string }
  expect(Describe.tree(Hex.decode(conversion.bytes))).toMatchObject({
    kind: 'Hash',
    alsoReadsAs: ['SubnetToL1Conversion'],
  })
})

test('recognizes a conversion inside an AddressedCall', () => {
  const nested = cases<{ bytes: string; messageType: string }>('nested')
  const found = nested.find(({ messageType }) => messageType.endsWith('SubnetToL1Conversion')) as {
    bytes: string
  }
  expect(Describe.tree(Hex.decode(found.bytes))).toMatchObject({
    kind: 'UnsignedMessage',
    payload: { kind: 'AddressedCall', sourceAddress: '0x', payload: { kind: 'SubnetToL1Conversion' } },
  })
})

test('describes the content and signers of a recorded signed message', () => {
  for (const { name, signedMessage, validatorSet } of recordings()) {
    const tree = Describe.tree(Hex.decode(signedMessage)) as unknown as { unsigned: { id: string } }
    expect(tree.unsigned.id, name).toBe(validatorSet.messageID)
  }
})

describe('messages between programs', () => {
  const nested = cases<{ bytes: string }>('nested')[0] as { bytes: string }
  const message = Hex.decode(nested.bytes)
  const subnetId = new Uint8Array(32).fill(0x11)
  const justification = Justification.encode({
    type: 'ConvertSubnetToL1TxData',
    subnetId,
    index: 1,
  })
  const log = load<{ data: string }>('logs')[0] as { data: string }
  const register = cases<{ bytes: string }>('RegisterL1Validator')[0] as { bytes: string }

  test.each<[Describe.Kind, Uint8Array]>([
    ['SignatureRequest', Acp118.encodeRequest({ message, justification: new Uint8Array() })],
    ['SignatureRequest', Acp118.encodeRequest({ message, justification })],
    ['SignatureResponse', Acp118.encodeResponse({ signature: new Uint8Array(96).fill(1) })],
    ['Justification', justification],
    [
      'Justification',
      Justification.encode({ type: 'RegisterL1ValidatorMessage', message: Hex.decode(register.bytes) }),
    ],
    ['SendWarpMessage', Hex.decode(log.data)],
    [
      'ValidatorUptime',
      ValidatorUptime.encode({ type: 'ValidatorUptime', validationID: subnetId, totalUptime: 80n }),
    ],
  ])('recognizes an encoded %s', (kind, bytes) => {
    const tree = Describe.tree(bytes)
    expect(tree.kind).toBe(kind)
    expect(tree.alsoReadsAs).toBeUndefined()
    expect(codeOf(() => Describe.tree(Bytes.concat(bytes, Uint8Array.of(0))))).toBe('WARP_UNRECOGNIZED')
  })

  test('rejects a structure with an unknown protobuf field', () => {
    const unknown = Hex.decode('0x1a0107')
    for (const known of [justification, Acp118.encodeRequest({ message, justification })]) {
      expect(codeOf(() => Describe.tree(Bytes.concat(known, unknown)))).toBe('WARP_UNRECOGNIZED')
    }
  })

  test('shows the justification in a request', () => {
    expect(Describe.tree(Acp118.encodeRequest({ message, justification }))).toMatchObject({
      message: { kind: 'UnsignedMessage' },
      justification: { kind: 'Justification', index: 1 },
    })
  })
})

test('names the closest matching structure and all attempts in the error', () => {
  const unsigned = cases<{ bytes: string }>('nested')[0] as { bytes: string }
  try {
    Describe.tree(Hex.decode(`${unsigned.bytes}00`))
    expect.unreachable()
  } catch (error) {
    const { message, details } = error as { message: string; details: { attempts: Record<string, string> } }
    expect(message).toContain('unsigned message')
    expect(Object.keys(details.attempts).length).toBe(10)
  }
  expect(codeOf(() => Describe.tree(new Uint8Array()))).toBe('WARP_UNRECOGNIZED')
})
