import { SecretKey, Signature } from '@firn/bls'
import { Bytes, isFirnError } from '@firn/codec'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Acp118 from './Acp118.ts'
import * as BitSet from './BitSet.ts'
import * as ConversionData from './ConversionData.ts'
import * as Describe from './Describe.ts'
import * as Justification from './Justification.ts'
import * as L1Message from './L1Message.ts'
import * as Payload from './Payload.ts'
import * as ProofBundle from './ProofBundle.ts'
import * as Quorum from './Quorum.ts'
import * as SignedMessage from './SignedMessage.ts'
import * as UnsignedMessage from './UnsignedMessage.ts'
import * as ValidatorSet from './ValidatorSet.ts'
import * as ValidatorUptime from './ValidatorUptime.ts'
import * as Verification from './Verification.ts'
import * as WarpEvent from './WarpEvent.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

const justification = fc.oneof(
  fc.record(
    {
      type: fc.constant('ConvertSubnetToL1TxData' as const),
      subnetId: fc.uint8Array({ maxLength: 40 }),
      index: fc.nat(2 ** 32 - 1),
    },
    { noNullPrototype: true },
  ),
  fc.record(
    { type: fc.constant('RegisterL1ValidatorMessage' as const), message: fc.uint8Array() },
    { noNullPrototype: true },
  ),
)
const request = fc.record(
  { message: fc.uint8Array(), justification: fc.uint8Array() },
  { noNullPrototype: true },
)
const response = fc.record({ signature: fc.uint8Array() }, { noNullPrototype: true })

/** Every structure, with a generator of random values and both directions of its codec. */
const STRUCTURES: readonly {
  readonly name: string
  readonly arbitrary: fc.Arbitrary<never>
  readonly encode: (value: never) => Uint8Array
  readonly decode: (bytes: Uint8Array) => unknown
}[] = [
  { name: 'UnsignedMessage', arbitrary: UnsignedMessage.codec.arbitrary(fc) as never, ...UnsignedMessage },
  { name: 'SignedMessage', arbitrary: SignedMessage.codec.arbitrary(fc) as never, ...SignedMessage },
  { name: 'Payload', arbitrary: Payload.codec.arbitrary(fc) as never, ...Payload },
  { name: 'L1Message', arbitrary: L1Message.codec.arbitrary(fc) as never, ...L1Message },
  { name: 'ConversionData', arbitrary: ConversionData.codec.arbitrary(fc) as never, ...ConversionData },
  { name: 'ValidatorUptime', arbitrary: ValidatorUptime.codec.arbitrary(fc) as never, ...ValidatorUptime },
  { name: 'Justification', arbitrary: justification as never, ...Justification },
  {
    name: 'SignatureRequest',
    arbitrary: request as never,
    encode: Acp118.encodeRequest,
    decode: Acp118.decodeRequest,
  },
  {
    name: 'SignatureResponse',
    arbitrary: response as never,
    encode: Acp118.encodeResponse,
    decode: Acp118.decodeResponse,
  },
  {
    name: 'event data',
    arbitrary: fc.uint8Array() as never,
    encode: WarpEvent.encodeData,
    decode: WarpEvent.decodeData,
  },
]

function mutate(input: Uint8Array, [kind, at, value]: readonly [number, number, number]): Uint8Array {
  const index = input.length === 0 ? 0 : at % input.length
  if (kind === 0) return input.subarray(0, index)
  if (kind === 1) return Bytes.concat(input, Uint8Array.of(value))
  if (kind === 2) return Bytes.concat(input.subarray(0, index), Uint8Array.of(value), input.subarray(index))
  const out = input.slice()
  if (out.length > 0) out[index] = value
  return out
}

const mutation = fc.tuple(fc.nat(3), fc.nat(), fc.nat(255))

/** Returns the result of `work`, or undefined if it throws a typed error. Rethrows other errors. */
function typed(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    if (!isFirnError(error)) throw error
    return undefined
  }
}

describe.each(STRUCTURES)('$name', ({ arbitrary, encode, decode }) => {
  test('decodes each encoded value to the same value', () => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        expect(decode(encode(value))).toEqual(value)
      }),
    )
  })

  test('decodes mutated bytes to a value that encodes again, or throws a typed error', () => {
    fc.assert(
      fc.property(arbitrary, mutation, (value, change) => {
        const changed = mutate(encode(value), change)
        const decoded = typed(() => decode(changed))
        if (decoded !== undefined && decoded !== null)
          expect(decode(encode(decoded as never))).toEqual(decoded)
        typed(() => Describe.tree(changed))
      }),
    )
  })
})

test('decodes a bit set to exactly the indices that were encoded', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(2000)), (indices) => {
      const encoded = BitSet.encode(indices)
      expect(BitSet.decode(encoded)).toEqual(indices.toSorted((a, b) => a - b))
      expect(BitSet.bitLength(encoded)).toBe(Math.max(-1, ...indices) + 1)
    }),
  )
})

test('computes the smallest weight that meets the quorum', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
      fc.integer({ min: 1, max: 100 }),
      (total, percentage) => {
        const needed = Quorum.needed(total, percentage)
        expect(Quorum.isMet(needed, total, BigInt(percentage))).toBe(true)
        expect(Quorum.isMet(needed - 1n, total, BigInt(percentage))).toBe(false)
      },
    ),
  )
})

const KEYS = Array.from({ length: 6 }, (_, i) => SecretKey.decode(new Uint8Array(32).fill(i + 1)))
const PUBLIC_KEYS = KEYS.map((key) => SecretKey.publicKey(key).compressed)

describe('sets of nodes', () => {
  const node = fc.record({
    nodeId: bytes(20),
    key: fc.option(fc.nat(KEYS.length - 1)),
    weight: fc.bigInt({ min: 0n, max: 2n ** 60n }),
  })
  const nodes = fc.uniqueArray(node, { maxLength: 10, selector: ({ nodeId }) => nodeId.join() })
  const create = (list: readonly { nodeId: Uint8Array; key: number | null; weight: bigint }[]) =>
    ValidatorSet.create(
      list.map(({ nodeId, key, weight }) => ({
        nodeId,
        weight,
        publicKey: key === null ? null : (PUBLIC_KEYS[key] as Uint8Array),
      })),
    )

  test('accepts a message exactly when its signers meet the quorum, directly or through a proof bundle', () => {
    fc.assert(
      fc.property(nodes, fc.nat(2 ** 6 - 1), fc.integer({ min: 1, max: 100 }), (list, chosen, percentage) => {
        const set = create(list)
        const unsigned = { networkID: 5, sourceChainID: new Uint8Array(32), payload: Uint8Array.of(1) }
        const signers = [...set.validators.keys()].filter((index) => chosen & (1 << index))
        const signatures = signers.map((index) => {
          const { compressed } = (set.validators[index] as ValidatorSet.CanonicalValidator).publicKey
          const key = KEYS[
            PUBLIC_KEYS.findIndex((one) => Bytes.equals(one, compressed))
          ] as SecretKey.SecretKey
          return Signature.sign(key, UnsignedMessage.encode(unsigned))
        })
        if (signatures.length === 0) return
        const message = SignedMessage.create(
          unsigned,
          signers,
          Signature.encode(Signature.aggregate(signatures)),
        )
        const quorum = Quorum.percent(percentage)
        const result = Verification.verify(message, { networkId: 5, validatorSet: set, quorum })
        const signed = ValidatorSet.weightOf(set, signers)
        expect(result.ok).toBe(Quorum.isMet(signed, set.totalWeight, BigInt(percentage)))
        const bundle = ProofBundle.create({
          networkId: 5,
          signingSubnetId: new Uint8Array(32),
          pChainHeight: 1n,
          validatorSet: set,
        })
        expect(ProofBundle.verify(ProofBundle.parse(ProofBundle.format(bundle)), message, quorum)).toEqual(
          result,
        )
      }),
      { numRuns: 60 },
    )
  })
})
