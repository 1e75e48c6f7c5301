import { Bytes } from '@firn/codec'
import { p256 } from '@noble/curves/nist.js'
import { sha512 } from '@noble/hashes/sha2.js'
import * as Der from './internal/Der.ts'
import { ALGORITHM_IDENTIFIER } from './internal/EcdsaP256.ts'
import * as Pem from './internal/Pem.ts'
import { platformRandom, type RandomBytes } from './internal/random.ts'
import { KeysError } from './KeysError.ts'

const SCALAR_LENGTH = 32
const VERSION_0 = Uint8Array.of(Der.Tag.INTEGER, 1, 0)
const VERSION_1 = Uint8Array.of(Der.Tag.INTEGER, 1, 1)

/** Options of {@link create}. */
export interface CreateOptions {
  /** Seed of at least 16 bytes. The same seed gives the same key. */
  readonly seed?: Uint8Array
  /** Random number generator to use without a seed. It defaults to the platform's generator. */
  readonly randomBytes?: RandomBytes
}

/**
 * Creates a P-256 private key (PKCS#8 DER, 138 bytes).
 * @throws KeysError `KEYS_STAKING_KEY` if the seed is shorter than 16 bytes
 * @example
 * ```ts
 * import { StakingKey } from '@firn/keys'
 *
 * const privateKey = StakingKey.create()
 * privateKey.length // 138
 * ```
 */
export function create(options: CreateOptions = {}): Uint8Array {
  const { seed, randomBytes = platformRandom } = options
  if (seed !== undefined && seed.length < 16) {
    throw new KeysError(
      'KEYS_STAKING_KEY',
      `staking key: expected a seed of at least 16 bytes, got ${seed.length}`,
    )
  }
  const material = seed === undefined ? randomBytes(48) : sha512(seed).subarray(0, 48)
  return encode(p256.utils.randomSecretKey(material))
}

/**
 * Encodes a P-256 private scalar (32 bytes) as PKCS#8 DER (138 bytes), in the form that nodes write.
 * @throws KeysError `KEYS_STAKING_KEY`
 * @example
 * ```ts
 * import { StakingKey } from '@firn/keys'
 *
 * const scalar = StakingKey.decode(StakingKey.create())
 * const privateKey = StakingKey.encode(scalar)
 * privateKey.length // 138
 * ```
 */
export function encode(scalar: Uint8Array): Uint8Array {
  assertScalar(scalar)
  const ecPrivateKey = Der.write(
    Der.Tag.SEQUENCE,
    VERSION_1,
    Der.write(Der.Tag.OCTET_STRING, scalar),
    Der.write(Der.Tag.CONTEXT_1, Der.writeBitString(p256.getPublicKey(scalar, false))),
  )
  return Der.write(
    Der.Tag.SEQUENCE,
    VERSION_0,
    ALGORITHM_IDENTIFIER,
    Der.write(Der.Tag.OCTET_STRING, ecPrivateKey),
  )
}

/**
 * Returns the P-256 private scalar (32 bytes) of a PKCS#8 DER key. If the key includes a public key, the two
 * must match.
 * @throws KeysError `KEYS_STAKING_KEY`
 * @example
 * ```ts
 * import { StakingKey } from '@firn/keys'
 *
 * const scalar = StakingKey.decode(StakingKey.create())
 * scalar.length // 32
 * ```
 */
export function decode(pkcs8: Uint8Array): Uint8Array {
  const scalar = readPkcs8(pkcs8)
  if (scalar === undefined) {
    throw new KeysError('KEYS_STAKING_KEY', 'staking key: expected a PKCS#8 DER private key on P-256')
  }
  assertScalar(scalar)
  return scalar.slice()
}

function readPkcs8(pkcs8: Uint8Array): Uint8Array | undefined {
  const info = Der.readSequence(pkcs8)
  if (info === undefined) return undefined
  const isVersion0 = Bytes.equals(Der.readInteger(info) ?? new Uint8Array(0), Uint8Array.of(0))
  const algorithm = Der.read(info, Der.Tag.SEQUENCE)
  if (!isVersion0 || algorithm === undefined || !Bytes.equals(algorithm, ALGORITHM_IDENTIFIER.subarray(2)))
    return undefined
  const key = Der.read(info, Der.Tag.OCTET_STRING)
  return key === undefined || !Der.isAtEnd(info) ? undefined : readEcPrivateKey(key)
}

function readEcPrivateKey(key: Uint8Array): Uint8Array | undefined {
  const fields = Der.readSequence(key)
  if (fields === undefined) return undefined
  const isVersion1 = Bytes.equals(Der.readInteger(fields) ?? new Uint8Array(0), Uint8Array.of(1))
  const scalar = isVersion1 ? Der.read(fields, Der.Tag.OCTET_STRING) : undefined
  if (scalar?.length !== SCALAR_LENGTH || !p256.utils.isValidSecretKey(scalar)) return undefined
  if (Der.isNext(fields, Der.Tag.CONTEXT_0) && !isThisCurve(Der.read(fields, Der.Tag.CONTEXT_0)))
    return undefined
  if (Der.isNext(fields, Der.Tag.CONTEXT_1) && !isPublicKeyOf(scalar, Der.read(fields, Der.Tag.CONTEXT_1)))
    return undefined
  return Der.isAtEnd(fields) ? scalar : undefined
}

function isThisCurve(parameters: Uint8Array | undefined): boolean {
  return parameters !== undefined && Bytes.equals(parameters, ALGORITHM_IDENTIFIER.subarray(-10))
}

function isPublicKeyOf(scalar: Uint8Array, content: Uint8Array | undefined): boolean {
  const point = content === undefined ? undefined : Der.readBitString(Der.cursor(content))
  return point !== undefined && Bytes.equals(point, p256.getPublicKey(scalar, false))
}

function assertScalar(scalar: Uint8Array): void {
  if (scalar.length === SCALAR_LENGTH && p256.utils.isValidSecretKey(scalar)) return
  throw new KeysError(
    'KEYS_STAKING_KEY',
    'staking key: expected a scalar of 32 bytes, at least 1 and below the order of P-256',
  )
}

/**
 * Returns the uncompressed public key (65 bytes) of a PKCS#8 DER key.
 * @throws KeysError `KEYS_STAKING_KEY`
 * @example
 * ```ts
 * import { StakingKey } from '@firn/keys'
 *
 * StakingKey.publicKey(StakingKey.create()).length // 65
 * ```
 */
export function publicKey(pkcs8: Uint8Array): Uint8Array {
  return p256.getPublicKey(decode(pkcs8), false)
}

/**
 * Signs the SHA-256 of `message` and returns an ECDSA signature (DER, at most 72 bytes). The signature is
 * deterministic according to RFC 6979.
 * @throws KeysError `KEYS_STAKING_KEY`
 * @example
 * ```ts
 * import { StakingKey } from '@firn/keys'
 *
 * const message = new TextEncoder().encode('hello')
 * const signature = StakingKey.sign(message, StakingKey.create())
 * ```
 */
export function sign(message: Uint8Array, pkcs8: Uint8Array): Uint8Array {
  return p256.sign(message, decode(pkcs8), { prehash: true, lowS: false, format: 'der' })
}

/**
 * Formats a PKCS#8 DER key as a PEM `PRIVATE KEY` block.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { StakingKey } from '@firn/keys'
 *
 * await writeFile('staker.key', StakingKey.formatPem(StakingKey.create()), { mode: 0o600 })
 * ```
 */
export function formatPem(pkcs8: Uint8Array): string {
  return Pem.format('PRIVATE KEY', pkcs8)
}

/**
 * Returns the PKCS#8 DER of the first `PRIVATE KEY` block in a PEM string.
 * @throws KeysError `KEYS_PEM`, `KEYS_STAKING_KEY`
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { StakingKey } from '@firn/keys'
 *
 * const privateKey = StakingKey.parsePem(await readFile('staker.key', 'utf8'))
 * ```
 */
export function parsePem(text: string): Uint8Array {
  const pkcs8 = Pem.parse('PRIVATE KEY', text)
  decode(pkcs8)
  return pkcs8
}
