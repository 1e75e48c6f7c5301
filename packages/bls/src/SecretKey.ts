import { Bytes } from '@firn/codec'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { BlsError } from './BlsError.ts'
import { type Engine, standard } from './Engine.ts'
import { HELD, type Held, hold, holdPublicKey } from './internal/Held.ts'
import { mismatch } from './internal/Parsing.ts'
import { type RandomBytes, randomBytes } from './internal/Random.ts'
import type { PublicKey } from './PublicKey.ts'

/** A secret key. Printing it shows an empty object, so that logs don't reveal the key. */
export interface SecretKey {
  /**
   * The key as 32 big-endian bytes, the content of a node's `signer.key` file. The property is not
   * enumerable.
   */
  readonly bytes: Uint8Array
  readonly [HELD]: Held
}

const SIZE = 32
const GROUP_ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

/**
 * Parses a secret key from 32 big-endian bytes.
 *
 * @throws BlsError `BLS_SECRET_KEY` unless the key is above 0 and below the group order
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { SecretKey } from '@firn/bls'
 *
 * const secretKey = SecretKey.decode(await readFile('staking/signer.key'))
 * ```
 */
export function decode(bytes: Uint8Array, engine: Engine = standard): SecretKey {
  const secret = bytes.length === SIZE ? engine.parseSecretKey(bytes) : null
  if (secret === null) {
    throw new BlsError(
      'BLS_SECRET_KEY',
      `not a valid BLS secret key: ${mismatch(bytes, SIZE, 'a number above 0 and below the group order')}`,
      { details: { length: bytes.length } },
    )
  }
  const hidden = Object.defineProperty({}, 'bytes', { value: new Uint8Array(bytes) })
  return hold(hidden as Pick<SecretKey, 'bytes'>, { engine, value: secret })
}

/**
 * Derives a secret key from `material` (at least 32 bytes) with the key generation of the IETF BLS draft.
 * This equals `blst.KeyGen` with an empty key info.
 *
 * @throws BlsError `BLS_KEY_MATERIAL` if `material` is shorter than 32 bytes
 * @example
 * ```ts
 * import { SecretKey } from '@firn/bls'
 *
 * const secretKey = SecretKey.generate(crypto.getRandomValues(new Uint8Array(32)))
 * ```
 */
export function generate(material: Uint8Array, engine: Engine = standard): SecretKey {
  if (material.length < SIZE) {
    throw new BlsError(
      'BLS_KEY_MATERIAL',
      `expected at least 32 bytes of key material, got ${material.length}`,
      { details: { length: material.length } },
    )
  }
  return decode(derive(material), engine)
}

/**
 * Creates a random secret key from `source`, which defaults to the platform's random number generator.
 *
 * @throws BlsError `BLS_KEY_MATERIAL` if `source` returns fewer than 32 bytes
 * @example
 * ```ts
 * import { SecretKey } from '@firn/bls'
 *
 * const secretKey = SecretKey.random()
 * secretKey.bytes.length // 32
 * ```
 */
export function random(source: RandomBytes = randomBytes, engine: Engine = standard): SecretKey {
  return generate(source(SIZE), engine)
}

/**
 * Returns the public key of `secretKey`.
 *
 * @example
 * ```ts
 * import { SecretKey } from '@firn/bls'
 *
 * const publicKey = SecretKey.publicKey(SecretKey.random())
 * publicKey.compressed.length // 48
 * ```
 */
export function publicKey(secretKey: SecretKey): PublicKey {
  const { engine, value } = secretKey[HELD]
  return holdPublicKey(engine, engine.derivePublicKey(value))
}

/**
 * Derives a key according to draft-irtf-cfrg-bls-signature-05, section 2.3. Reduces 48 bytes of HKDF output modulo
 * the group order, which is enough to avoid a bias, and tries again with another salt if the result is zero.
 */
function derive(material: Uint8Array): Uint8Array {
  const input = Bytes.concat(material, new Uint8Array(1))
  const info = Uint8Array.of(0, 48)
  let salt = sha256(new TextEncoder().encode('BLS-SIG-KEYGEN-SALT-'))
  for (;;) {
    let scalar = 0n
    for (const byte of hkdf(sha256, input, salt, info, 48)) scalar = (scalar << 8n) | BigInt(byte)
    scalar %= GROUP_ORDER
    if (scalar !== 0n) return scalarBytes(scalar)
    salt = sha256(salt)
  }
}

function scalarBytes(scalar: bigint): Uint8Array {
  const bytes = new Uint8Array(SIZE)
  for (let i = SIZE - 1, rest = scalar; i >= 0; i--, rest >>= 8n) bytes[i] = Number(rest & 0xffn)
  return bytes
}
