import { Hex } from '@firn/codec'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { verify } from '#verify'
import { buildCertificate } from './internal/certificate.ts'
import * as Der from './internal/Der.ts'
import * as EcdsaP256 from './internal/EcdsaP256.ts'
import { fromBytes } from './internal/integers.ts'
import * as Pem from './internal/Pem.ts'
import type { RandomBytes } from './internal/random.ts'
import { KeysError } from './KeysError.ts'
import * as StakingKey from './StakingKey.ts'

/** Maximum size in bytes of a certificate that nodes accept. */
export const MAX_LENGTH = 2048
const OID_RSA = '2a864886f70d010101'
const OID_EC = '2a8648ce3d0201'
const RSA_EXPONENT = 65537n
const RSA_BITS: readonly number[] = [2048, 4096]

/** A certificate's public key. It has one of the two types that nodes accept. */
export type PublicKey =
  | {
      readonly type: 'ecdsa-p256'
      /** Uncompressed point (65 bytes). */
      readonly point: Uint8Array
    }
  | {
      readonly type: 'rsa'
      /** RSA modulus: an odd number of 2048 or 4096 bits. */
      readonly modulus: bigint
      readonly exponent: 65537
    }

/** The parts of a certificate that the node's staking parser keeps. */
export interface Certificate {
  /** The original bytes, from which the NodeID is computed. */
  readonly der: Uint8Array
  readonly publicKey: PublicKey
}

/**
 * Parses a DER certificate by the rules of the node's staking parser. The certificate's own signature, dates,
 * names and extensions are not checked. Trailing bytes are allowed, but they change the NodeID.
 * @throws KeysError `KEYS_CERTIFICATE_SIZE`, `KEYS_CERTIFICATE`, `KEYS_CERTIFICATE_KEY`
 * @example
 * ```ts
 * import { StakingCertificate } from '@firn/keys'
 *
 * const { der } = StakingCertificate.create()
 * StakingCertificate.parse(der).publicKey.type // 'ecdsa-p256'
 * ```
 */
export function parse(der: Uint8Array): Certificate {
  if (der.length > MAX_LENGTH) {
    throw new KeysError(
      'KEYS_CERTIFICATE_SIZE',
      `certificate: expected at most ${MAX_LENGTH} bytes, got ${der.length}`,
      { details: { maximum: MAX_LENGTH, actual: der.length } },
    )
  }
  const bytes = der.slice()
  return { der: bytes, publicKey: parsePublicKey(bytes) }
}

function parsePublicKey(der: Uint8Array): PublicKey {
  const certificate = Der.cursor(element(Der.cursor(der), Der.Tag.SEQUENCE, 'certificate'))
  const tbs = Der.cursor(element(certificate, Der.Tag.SEQUENCE, 'tbsCertificate'))
  if (Der.isNext(tbs, Der.Tag.CONTEXT_0)) element(tbs, Der.Tag.CONTEXT_0, 'version')
  element(tbs, Der.Tag.INTEGER, 'serialNumber')
  for (const field of ['signature', 'issuer', 'validity', 'subject']) element(tbs, Der.Tag.SEQUENCE, field)
  const info = Der.cursor(element(tbs, Der.Tag.SEQUENCE, 'subjectPublicKeyInfo'))
  const algorithm = Der.cursor(element(info, Der.Tag.SEQUENCE, 'algorithm'))
  const oid = Hex.encodeBare(element(algorithm, Der.Tag.OBJECT_IDENTIFIER, 'algorithm identifier'))
  const bits = Der.readBitString(info)
  if (bits === undefined) throw malformed('subjectPublicKey')
  if (oid === OID_EC) return ecPublicKey(bits)
  if (oid === OID_RSA) return rsaPublicKey(bits)
  throw refusedKey(`expected RSA or ECDSA, got the algorithm identifier ${oid}`, { oid })
}

function element(at: Der.Cursor, tag: number, field: string): Uint8Array {
  const content = Der.read(at, tag)
  if (content === undefined) throw malformed(field)
  return content
}

function malformed(field: string): KeysError {
  return new KeysError(
    'KEYS_CERTIFICATE',
    `certificate: expected a DER-encoded X.509 certificate, but ${field} is malformed`,
    {
      details: { field },
    },
  )
}

function refusedKey(reason: string, details: Record<string, unknown>): KeysError {
  return new KeysError('KEYS_CERTIFICATE_KEY', `certificate: public key rejected: ${reason}`, { details })
}

function ecPublicKey(bits: Uint8Array): PublicKey {
  if (!EcdsaP256.isPoint(bits))
    throw refusedKey('expected an uncompressed point on P-256', { length: bits.length })
  return { type: 'ecdsa-p256', point: bits }
}

function rsaPublicKey(bits: Uint8Array): PublicKey {
  const key = Der.cursor(element(Der.cursor(bits), Der.Tag.SEQUENCE, 'RSA public key'))
  const modulusBytes = Der.readInteger(key)
  if (modulusBytes === undefined) throw malformed('RSA modulus')
  const exponentBytes = Der.readInteger(key)
  if (exponentBytes === undefined) throw malformed('RSA exponent')
  const modulus = fromBytes(modulusBytes)
  if (modulus === 0n || isNegative(modulusBytes)) throw refusedKey('expected a positive RSA modulus', {})
  const bitLength = modulus.toString(2).length
  if (!RSA_BITS.includes(bitLength))
    throw refusedKey(`expected an RSA modulus of 2048 or 4096 bits, got ${bitLength} bits`, { bitLength })
  if (modulus % 2n === 0n) throw refusedKey('expected an odd RSA modulus', {})
  const exponent = fromBytes(exponentBytes)
  if (exponent !== RSA_EXPONENT || isNegative(exponentBytes))
    throw refusedKey(`expected the RSA exponent 65537, got ${exponent}`, {})
  return { type: 'rsa', modulus, exponent: 65537 }
}

function isNegative(integer: Uint8Array): boolean {
  return (integer[0] ?? 0) >= 0x80
}

/**
 * Returns the NodeID (20 bytes) of a DER certificate: the RIPEMD-160 of the SHA-256 of all its bytes. The
 * certificate is not parsed.
 *
 * @example
 * ```ts
 * import { NodeId } from '@firn/codec'
 * import { StakingCertificate } from '@firn/keys'
 *
 * const { der } = StakingCertificate.create()
 * const text = NodeId.format(StakingCertificate.nodeId(der)) // 'NodeID-…'
 * ```
 */
export function nodeId(der: Uint8Array): Uint8Array {
  return ripemd160(sha256(der))
}

/**
 * Returns whether `signature` is a valid signature over the SHA-256 of `message` by the certificate's key. An
 * ECDSA signature is in ASN.1 DER, and a high `s` is allowed. An RSA signature uses PKCS#1 v1.5. Malformed
 * signatures never throw.
 *
 * @example
 * ```ts
 * import { StakingCertificate, StakingKey } from '@firn/keys'
 *
 * const { der, privateKey } = StakingCertificate.create()
 * const message = new TextEncoder().encode('hello')
 * const signature = StakingKey.sign(message, privateKey)
 * StakingCertificate.checkSignature(StakingCertificate.parse(der), message, signature) // true
 * ```
 */
export function checkSignature(
  certificate: Certificate,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  return verify(certificate.publicKey, message, signature)
}

/** Options of {@link create}. */
export interface CreateOptions {
  /** The P-256 key to certify, as PKCS#8 DER. By default, a new key is created. */
  readonly privateKey?: Uint8Array
  /** Seed of at least 16 bytes from which a new key is derived. It is ignored if `privateKey` is given. */
  readonly seed?: Uint8Array
  /** Random number generator for a new key without a seed. It defaults to the platform's generator. */
  readonly randomBytes?: RandomBytes
  /**
   * Creation time of the certificate, which is valid for 100 years from then. It defaults to the current
   * time.
   */
  readonly now?: Date
}

/**
 * Creates a self-signed certificate on P-256 (DER, about 276 bytes) in the form in which nodes create their
 * own: serial number 0, no names, valid from 1999-12-31 to 100 years after `now`. Returns the certificate
 * with its private key (PKCS#8 DER). The same key and `now` give the same bytes.
 * @throws KeysError `KEYS_STAKING_KEY`, `KEYS_CERTIFICATE_TIME`
 * @example
 * ```ts
 * import { StakingCertificate } from '@firn/keys'
 *
 * const { der, privateKey } = StakingCertificate.create({ now: new Date('2026-01-01T00:00:00Z') })
 * ```
 */
export function create(options: CreateOptions = {}): { der: Uint8Array; privateKey: Uint8Array } {
  const { privateKey = StakingKey.create(options), now = new Date() } = options
  const der = buildCertificate({
    point: StakingKey.publicKey(privateKey),
    sign: (tbs) => StakingKey.sign(tbs, privateKey),
    now,
  })
  return { der, privateKey: privateKey.slice() }
}

/**
 * Formats a DER certificate as a PEM `CERTIFICATE` block.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { StakingCertificate } from '@firn/keys'
 *
 * const { der } = StakingCertificate.create()
 * await writeFile('staker.crt', StakingCertificate.formatPem(der))
 * ```
 */
export function formatPem(der: Uint8Array): string {
  return Pem.format('CERTIFICATE', der)
}

/**
 * Parses the certificate in the first `CERTIFICATE` block of a PEM string.
 * @throws KeysError `KEYS_PEM` and the errors of {@link parse}
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { StakingCertificate } from '@firn/keys'
 *
 * const certificate = StakingCertificate.parsePem(await readFile('staker.crt', 'utf8'))
 * ```
 */
export function parsePem(text: string): Certificate {
  return parse(Pem.parse('CERTIFICATE', text))
}
