import { Batch, ProofOfPossession, PublicKey, SecretKey, Signature } from '@firn/bls'
import * as Case from '../Case.ts'
import * as Suite from '../Suite.ts'

/**
 * The ciphersuites that the reference uses for messages and proofs of possession, named as in the IETF draft.
 */
const DOMAINS = {
  signature: 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_',
  proofOfPossession: 'BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_',
} as const
const SUITES = { signature: Signature, proofOfPossession: ProofOfPossession } as const

const publicKeys = (it: Case.Case) =>
  Case.list(it, 'publicKeys').map((_, index) => PublicKey.decode(bytesAt(it, 'publicKeys', index)))
const signatures = (it: Case.Case) =>
  Case.list(it, 'signatures').map((_, index) => Signature.decode(bytesAt(it, 'signatures', index)))

function bytesAt(it: Case.Case, field: string, index: number): Uint8Array {
  return Case.bytes(Case.create({ [field]: Case.list(it, field)[index] }, `[${index}].`), field)
}

const SIGN_BIT = 0x20

/**
 * Decodes a public key. Infinity cannot be decoded, so it is computed as the sum of a key and its negation.
 */
function publicKeyOrInfinity(bytes: Uint8Array): PublicKey.PublicKey {
  const decoded = Case.attempt(() => PublicKey.decode(bytes))
  if (decoded !== undefined) return decoded.value
  const { compressed } = SecretKey.publicKey(SecretKey.generate(new Uint8Array(32)))
  const negated = compressed.with(0, (compressed[0] as number) ^ SIGN_BIT)
  const infinity = PublicKey.aggregate([PublicKey.decode(compressed), PublicKey.decode(negated)])
  Case.same('expected a public key that cannot be decoded', bytes, infinity.compressed)
  return infinity
}

/** Checks the public keys and the signatures of the secret keys, if the case contains any. */
function checkSecretKeys(it: Case.Case, message: Uint8Array): void {
  if (!Case.has(it, 'secretKeys')) return
  const made = Case.list(it, 'secretKeys').map((_, index) =>
    SecretKey.decode(bytesAt(it, 'secretKeys', index)),
  )
  Case.equals(
    it,
    'publicKeys',
    made.map((key) => SecretKey.publicKey(key).compressed),
  )
  Case.equals(
    it,
    'signatures',
    made.map((key) => Signature.sign(key, message).compressed),
  )
}

function checkAggregate(it: Case.Case): undefined {
  const message = Case.bytes(it, 'message')
  checkSecretKeys(it, message)
  const [keys, parts] = [publicKeys(it), signatures(it)]
  const [publicKey, signature] = [PublicKey.aggregate(keys), Signature.aggregate(parts)]
  Case.equals(it, 'aggregatePublicKey', publicKey.compressed)
  Case.equals(it, 'aggregateSignature', signature.compressed)
  Case.equals(it, 'valid', Signature.verify(publicKey, message, signature))
  if (keys.length !== parts.length) return
  const entries = keys.map((key, index) => ({
    publicKey: key,
    signature: parts[index] as Signature.Signature,
  }))
  Case.equals(it, 'valid', Batch.verify(message, entries, 'none'))
}

function checkParsed<T extends { readonly compressed: Uint8Array }>(
  it: Case.Case,
  decode: (bytes: Uint8Array) => T,
): T | undefined {
  const parsed = Case.verdict(it, () => decode(Case.bytes(it, 'bytes')))
  if (parsed !== undefined) Case.equals(it, 'compressed', parsed.value.compressed)
  return parsed?.value
}

/** Checks BLS12-381 keys, signatures under both tags, proofs of possession and aggregates. */
export const bls = Suite.create('bls.json', {
  note(it) {
    for (const name of ['signature', 'proofOfPossession'] as const) Case.equals(it, name, DOMAINS[name])
    return undefined
  },
  key(it) {
    const secretKey = SecretKey.decode(Case.bytes(it, 'secretKey'))
    const publicKey = SecretKey.publicKey(secretKey)
    Case.equals(it, 'secretKey', secretKey.bytes)
    Case.equals(it, 'publicKey', PublicKey.encode(publicKey))
    Case.equals(it, 'publicKeyUncompressed', publicKey.uncompressed)
    const proof = ProofOfPossession.sign(secretKey)
    Case.equals(it, 'proofOfPossession', Signature.encode(proof))
    Case.same('verified proof', true, ProofOfPossession.verify(publicKey, publicKey.compressed, proof))
    return undefined
  },
  parseSecretKey(it) {
    const parsed = Case.verdict(it, () => SecretKey.decode(Case.bytes(it, 'bytes')))
    if (parsed !== undefined) Case.equals(it, 'publicKey', SecretKey.publicKey(parsed.value).compressed)
    return undefined
  },
  keyGen(it) {
    const secretKey = SecretKey.generate(Case.bytes(it, 'ikm'))
    Case.equals(it, 'secretKey', secretKey.bytes)
    Case.equals(it, 'publicKey', SecretKey.publicKey(secretKey).compressed)
    return undefined
  },
  sign(it) {
    const secretKey = SecretKey.decode(Case.bytes(it, 'secretKey'))
    const message = Case.bytes(it, 'message')
    Case.equals(it, 'signature', Signature.sign(secretKey, message).compressed)
    Case.equals(it, 'signaturePoP', ProofOfPossession.sign(secretKey, message).compressed)
    return undefined
  },
  verify(it) {
    const suite = Case.text(it, 'suite')
    if (suite !== 'signature' && suite !== 'proofOfPossession') Case.same('suite', Object.keys(SUITES), suite)
    const { verify } = SUITES[suite as keyof typeof SUITES]
    const publicKey = publicKeyOrInfinity(Case.bytes(it, 'publicKey'))
    const signature = Signature.decode(Case.bytes(it, 'signature'))
    Case.equals(it, 'valid', verify(publicKey, Case.bytes(it, 'message'), signature))
    return undefined
  },
  aggregate: checkAggregate,
  aggregateError(it) {
    const aggregated = Case.has(it, 'publicKeys')
      ? Case.attempt(() => PublicKey.aggregate(publicKeys(it)))
      : Case.attempt(() => Signature.aggregate(signatures(it)))
    Case.same('refused', true, aggregated === undefined)
    return undefined
  },
  parsePublicKey(it) {
    const parsed = checkParsed(it, PublicKey.decode)
    if (parsed !== undefined) Case.equals(it, 'uncompressed', parsed.uncompressed)
    return undefined
  },
  parseSignature(it) {
    checkParsed(it, Signature.decode)
    return undefined
  },
})
