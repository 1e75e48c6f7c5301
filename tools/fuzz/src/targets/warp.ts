import { PublicKey, SecretKey, Signature } from '@firn/bls'
import { Bytes, Hex, type Json } from '@firn/codec'
import {
  Acp118,
  BitSet,
  ConversionData,
  Describe,
  Justification,
  L1Message,
  Payload,
  ProofBundle,
  SignedMessage,
  UnsignedMessage,
  ValidatorSet,
  ValidatorUptime,
  Verification,
  WarpEvent,
} from '@firn/warp'
import * as Corpus from '../Corpus.ts'
import { ofBytes, ofText, type Target } from '../Target.ts'

const WARP = 'warp/vectors/warp'
const SIZE = 5

/** Creates a target for a structure with exactly one valid encoding. */
const exact = <T>(
  name: string,
  corpus: () => readonly Uint8Array[],
  { decode, encode }: { decode(bytes: Uint8Array): T; encode(value: T): Uint8Array },
): Target =>
  ofBytes(name, corpus, (input) =>
    Bytes.equals(input, encode(decode(input))) ? undefined : 'decoded bytes encode to different bytes',
  )

const secretKeys = () =>
  Array.from({ length: SIZE }, (_, index) => SecretKey.generate(new Uint8Array(32).fill(index + 1)))

const validatorSet = (): ValidatorSet.ValidatorSet =>
  ValidatorSet.create(
    secretKeys().map((secretKey, index) => ({
      nodeId: new Uint8Array(20).fill(index + 1),
      publicKey: PublicKey.encode(SecretKey.publicKey(secretKey)),
      weight: 100n,
    })),
  )

const unsigned = (): Uint8Array =>
  UnsignedMessage.encode({
    networkID: 12345,
    sourceChainID: new Uint8Array(32).fill(7),
    payload: Payload.encode({ type: 'Hash', hash: new Uint8Array(32) }),
  })

/** Returns messages that verify against {@link validatorSet}. */
const signedMessages = (): readonly Uint8Array[] => {
  const message = unsigned()
  const signature = Signature.aggregate(secretKeys().map((secretKey) => Signature.sign(secretKey, message)))
  const signers = BitSet.encode(Array.from({ length: SIZE }, (_, index) => index))
  return [
    SignedMessage.encode({
      unsigned: UnsignedMessage.decode(message),
      signature: { type: 'BitSetSignature', signers, signature: Signature.encode(signature) },
    } as SignedMessage.SignedMessage),
  ]
}

const bundle = (): ProofBundle.ProofBundle =>
  ProofBundle.create({
    networkId: 12345,
    signingSubnetId: new Uint8Array(32),
    pChainHeight: 9n,
    validatorSet: validatorSet(),
  })

const verification: Target = {
  name: 'warp verification',
  open: () => {
    const set = validatorSet()
    const quorum = { numerator: 67n, denominator: 100n }
    const corpus = signedMessages()
    return {
      corpus,
      run: (input) => {
        const message = SignedMessage.decode(input)
        const result = Verification.verify(message, { networkId: 12345, validatorSet: set, quorum })
        const isSeed = corpus.some((seed) => Bytes.equals(seed, input))
        return result.ok && !isSeed ? `a modified message verifies: ${Hex.encode(input)}` : undefined
      },
    }
  },
}

const nested = () => [
  ...Corpus.bytes(WARP, 'bytes', /nested/),
  ...Corpus.bytes(WARP, 'bytes', /unsignedMessage/),
]

/** Targets for Warp's structures, and for the verification of whole messages. */
export const warpTargets: readonly Target[] = [
  exact('warp unsigned message', nested, UnsignedMessage),
  exact('warp signed message', () => Corpus.bytes(WARP, 'bytes', /signedMessage/), SignedMessage),
  exact('warp payload', () => Corpus.bytes(WARP, 'bytes', /payload/), Payload),
  exact(
    'warp l1 message',
    () => Corpus.bytes(WARP, 'bytes', /^(SubnetToL1Conversion|RegisterL1Validator|L1Validator.*)$/),
    L1Message,
  ),
  exact(
    'warp uptime',
    () => [
      ValidatorUptime.encode({ type: 'ValidatorUptime', validationID: new Uint8Array(32), totalUptime: 9n }),
    ],
    ValidatorUptime,
  ),
  exact('warp conversion data', () => Corpus.bytes(WARP, 'bytes', /conversionID/), ConversionData),
  ofBytes(
    'warp justification',
    () => Corpus.bytes(WARP, 'bytes', /justification/),
    (input) => {
      const justification = Justification.decode(input)
      if (justification) Justification.validationId(justification)
    },
  ),
  ofBytes(
    'warp event',
    () => nested().map(WarpEvent.encodeData),
    (input) =>
      Bytes.equals(input, WarpEvent.encodeData(WarpEvent.decodeData(input)))
        ? undefined
        : 'the event data has two forms',
  ),
  ofBytes(
    'acp118 request',
    () => [Acp118.encodeRequest({ message: unsigned(), justification: new Uint8Array(40) })],
    (input) => {
      Acp118.decodeRequest(input)
    },
  ),
  ofBytes(
    'acp118 response',
    () => [Acp118.encodeResponse({ signature: new Uint8Array(96).fill(1) })],
    (input) => {
      Acp118.decodeResponse(input)
    },
  ),
  exact('warp bit set', () => [BitSet.encode([0, 3, 9]), BitSet.encode([]), BitSet.encode([700])], BitSet),
  ofText(
    'warp proof bundle',
    () => [ProofBundle.format(bundle())],
    (text) => {
      ProofBundle.parse(text)
    },
  ),
  ofBytes(
    'warp describe',
    () => [...nested(), ...signedMessages()],
    (input) => {
      const tree: Json.Json = Describe.tree(input)
      return tree === undefined ? 'no tree' : undefined
    },
  ),
  verification,
]
