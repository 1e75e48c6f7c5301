import {
  PublicKey as BlsPublicKey,
  SecretKey as BlsSecretKey,
  Signature as BlsSignature,
  type Engine,
} from '@firn/bls'
import { blst } from '@firn/bls/blst'
import { noble } from '@firn/bls/noble'
import { Bytes, isFirnError } from '@firn/codec'
import { EvmAddress, PrivateKey, PublicKey, Signature, StakingCertificate, StakingKey } from '@firn/keys'
import * as Corpus from '../Corpus.ts'
import { ofBytes, ofText, type Target } from '../Target.ts'

const KEYS = 'keys/vectors/keys'
const STAKING = 'keys/vectors/staking'
const BLS = 'bls/vectors/bls'
const MESSAGE = new TextEncoder().encode('message')

const sameText = (input: string, output: string): string | undefined =>
  input === output ? undefined : `parsed text is formatted as ${output}`

const certificate = () =>
  StakingCertificate.parse(Corpus.bytes(STAKING, 'certificate', /checkSignature/)[0] as Uint8Array)

/**
 * Parses an input with an engine and returns the bytes of the value; throws if the engine rejects the input.
 */
type Read = (input: Uint8Array, engine: Engine.Engine) => Uint8Array

const verdict = (read: Read, input: Uint8Array, engine: Engine.Engine): Uint8Array | undefined => {
  try {
    return read(input, engine)
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}

/**
 * Creates a target that checks that both engines agree on every input, and that they accept only one encoding
 * of a value.
 */
const bothEngines = (name: string, corpus: () => readonly Uint8Array[], read: Read): Target =>
  ofBytes(name, corpus, (input) => {
    const [one, other] = [verdict(read, input, blst), verdict(read, input, noble)]
    if ((one === undefined) !== (other === undefined))
      return `blst ${one ? 'accepts' : 'rejects'} an input, but noble does not`
    return one === undefined || Bytes.equals(one, input)
      ? undefined
      : 'decoded bytes encode to different bytes'
  })

/** Targets for keys and certificates of both curves, and for BLS points with both engines. */
export const keyTargets: readonly Target[] = [
  ofText(
    'private key',
    () => Corpus.texts(KEYS, 'string', /^privateKey$/),
    (text) => sameText(text, PrivateKey.format(PrivateKey.parse(text))),
  ),
  ofBytes(
    'secp256k1 public key',
    () => Corpus.bytes(KEYS, 'bytes', /parsePublicKey/),
    (input) => {
      const key = PublicKey.decode(input)
      PublicKey.address(key)
      PublicKey.evmAddress(key)
    },
  ),
  ofBytes(
    'signature recovery',
    () => Corpus.bytes(KEYS, 'signature', /recoverHash|signHash/),
    (input) => {
      Signature.recover(new Uint8Array(32).fill(3), input)
    },
  ),
  ofText(
    'evm address',
    () => ['0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC', '0x0200000000000000000000000000000000000005'],
    (text) => {
      EvmAddress.parse(text)
    },
  ),
  ofBytes(
    'certificate',
    () => Corpus.bytes(STAKING, 'certificate'),
    (input) => {
      const parsed = StakingCertificate.parse(input)
      StakingCertificate.nodeId(input)
      StakingCertificate.checkSignature(parsed, MESSAGE, input.subarray(0, 72))
    },
  ),
  {
    name: 'certificate signature',
    open: () => {
      const parsed = certificate()
      return {
        corpus: Corpus.bytes(STAKING, 'signature', /checkSignature/),
        run: (input) =>
          StakingCertificate.checkSignature(parsed, MESSAGE, input)
            ? 'a forged signature is accepted'
            : undefined,
      }
    },
  },
  ofText(
    'certificate pem',
    () => Corpus.bytes(STAKING, 'certificate').map(StakingCertificate.formatPem),
    (text) => {
      StakingCertificate.parsePem(text)
    },
  ),
  ofBytes(
    'staking key',
    () => [StakingKey.create({ seed: new Uint8Array(32) })],
    (input) => {
      StakingKey.decode(input)
    },
  ),
  ofText(
    'staking key pem',
    () => [StakingKey.formatPem(StakingKey.create({ seed: new Uint8Array(32) }))],
    (text) => {
      StakingKey.parsePem(text)
    },
  ),
  bothEngines(
    'bls public key',
    () => Corpus.bytes(BLS, 'bytes', /parsePublicKey/),
    (input, engine) => BlsPublicKey.encode(BlsPublicKey.decode(input, engine)),
  ),
  bothEngines(
    'bls signature',
    () => Corpus.bytes(BLS, 'bytes', /parseSignature/),
    (input, engine) => BlsSignature.encode(BlsSignature.decode(input, engine)),
  ),
  bothEngines(
    'bls secret key',
    () => Corpus.bytes(BLS, 'bytes', /parseSecretKey/),
    (input, engine) => BlsSecretKey.decode(input, engine).bytes,
  ),
]
