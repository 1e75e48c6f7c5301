import { Cb58, isFirnError } from '@firn/codec'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { fromBytes, toBytes } from './internal/integers.ts'
import { platformRandom, type RandomBytes } from './internal/random.ts'
import { KeysError } from './KeysError.ts'

/** Length of a secp256k1 private key in bytes. */
export const LENGTH = 32
/** Prefix of a private key as a string. It is followed by cb58. */
export const PREFIX = 'PrivateKey-'

const ORDER = secp256k1.Point.CURVE().n
/** The node's encoding of the point at infinity, which is the public key of the private keys 0 and n. */
const INFINITY = Uint8Array.of(2, ...new Uint8Array(LENGTH))

/**
 * Copies 32 bytes as a private key. Like the node, it accepts any value. The value is reduced modulo the
 * group order only when it is used.
 * @throws KeysError `KEYS_PRIVATE_KEY`
 * @example
 * ```ts
 * import { PrivateKey } from '@firn/keys'
 *
 * const privateKey = PrivateKey.decode(crypto.getRandomValues(new Uint8Array(32)))
 * ```
 */
export function decode(bytes: Uint8Array): Uint8Array {
  if (bytes.length !== LENGTH) {
    throw new KeysError('KEYS_PRIVATE_KEY', `private key: expected ${LENGTH} bytes, got ${bytes.length}`, {
      details: { expected: LENGTH, actual: bytes.length },
    })
  }
  return bytes.slice()
}

/**
 * Parses a private key (32 bytes) from `PrivateKey-` followed by cb58.
 * @throws KeysError `KEYS_PRIVATE_KEY`
 * @example
 * ```ts
 * import { PrivateKey } from '@firn/keys'
 *
 * const privateKey = PrivateKey.parse('PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN')
 * privateKey.length // 32
 * ```
 */
export function parse(text: string): Uint8Array {
  if (!text.startsWith(PREFIX)) {
    throw new KeysError('KEYS_PRIVATE_KEY', `private key: expected a string that starts with "${PREFIX}"`)
  }
  return decode(decodeCb58(text.slice(PREFIX.length)))
}

/**
 * Decodes the cb58 of a private key. The error has no cause, because the message of the cb58 error contains
 * the start of the secret key.
 */
function decodeCb58(text: string): Uint8Array {
  try {
    return Cb58.decode(text)
  } catch (error) {
    const isChecksum = isFirnError(error) && error.code === 'CODEC_CHECKSUM'
    const reason = isChecksum
      ? 'checksum mismatch (a character is wrong or missing)'
      : `expected cb58 after "${PREFIX}"`
    throw new KeysError('KEYS_PRIVATE_KEY', `private key: ${reason}`)
  }
}

/**
 * Parses a private key from a JSON value as in the node's configuration and API: a quoted string without
 * escapes. Returns null for `null`.
 * @throws KeysError `KEYS_PRIVATE_KEY`
 * @example
 * ```ts
 * import { PrivateKey } from '@firn/keys'
 *
 * PrivateKey.parseJson('"PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN"')?.length // 32
 * PrivateKey.parseJson('null') // null
 * ```
 */
export function parseJson(json: string): Uint8Array | null {
  if (json === 'null') return null
  if (json.length < 2 || !json.startsWith('"') || !json.endsWith('"')) {
    throw new KeysError(
      'KEYS_PRIVATE_KEY',
      'private key: expected a JSON string in double quotes, without escapes',
    )
  }
  return parse(json.slice(1, -1))
}

/**
 * Formats a private key (32 bytes) as `PrivateKey-` followed by cb58.
 * @throws KeysError `KEYS_PRIVATE_KEY`
 * @example
 * ```ts
 * import { PrivateKey } from '@firn/keys'
 *
 * const text = PrivateKey.format(PrivateKey.random())
 * text.startsWith('PrivateKey-') // true
 * ```
 */
export function format(privateKey: Uint8Array): string {
  return PREFIX + Cb58.encode(decode(privateKey))
}

/**
 * Creates a random private key (32 bytes), uniformly distributed in [1, n). `randomBytes` defaults to the
 * platform's random number generator.
 *
 * @throws KeysError `KEYS_PRIVATE_KEY` if `randomBytes` does not return 32 bytes
 * @example
 * ```ts
 * import { PrivateKey } from '@firn/keys'
 *
 * const privateKey = PrivateKey.random()
 * ```
 */
export function random(randomBytes: RandomBytes = platformRandom): Uint8Array {
  for (;;) {
    const candidate = decode(randomBytes(LENGTH))
    if (secp256k1.utils.isValidSecretKey(candidate)) return candidate
  }
}

/**
 * Returns the compressed public key (33 bytes) of a private key. Like the node, it accepts 0 and the group
 * order as private keys; their public key is `02` and 32 zero bytes. Such a key has addresses but cannot
 * sign.
 * @throws KeysError `KEYS_PRIVATE_KEY`
 * @example
 * ```ts
 * import { PrivateKey } from '@firn/keys'
 *
 * const publicKey = PrivateKey.publicKey(PrivateKey.random())
 * publicKey.length // 33
 * ```
 */
export function publicKey(privateKey: Uint8Array): Uint8Array {
  const scalar = reduce(privateKey)
  return scalar === 0n ? INFINITY.slice() : secp256k1.getPublicKey(toBytes(scalar, LENGTH), true)
}

/**
 * Returns the scalar of `privateKey`, reduced to [0, n).
 * @throws KeysError `KEYS_PRIVATE_KEY`
 * @example
 * ```ts
 * import { PrivateKey } from '@firn/keys'
 *
 * const privateKey = new Uint8Array(32)
 * privateKey[31] = 7
 * PrivateKey.reduce(privateKey) // 7n
 * ```
 */
export function reduce(privateKey: Uint8Array): bigint {
  return fromBytes(decode(privateKey)) % ORDER
}
