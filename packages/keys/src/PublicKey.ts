import { Bytes } from '@firn/codec'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { KeysError } from './KeysError.ts'

/** Length of a compressed secp256k1 public key in bytes. */
export const LENGTH = 33

/**
 * Validates and copies a public key of 33 bytes: `02` or `03`, followed by the x coordinate of a point on the
 * curve.
 * @throws KeysError `KEYS_PUBLIC_KEY`
 * @example
 * ```ts
 * import { PrivateKey, PublicKey } from '@firn/keys'
 *
 * const bytes = PrivateKey.publicKey(PrivateKey.random())
 * const publicKey = PublicKey.decode(bytes)
 * ```
 */
export function decode(bytes: Uint8Array): Uint8Array {
  assertLength(bytes)
  point(bytes)
  return bytes.slice()
}

/**
 * Returns the uncompressed form (65 bytes: `04`, x, y) of a public key.
 * @throws KeysError `KEYS_PUBLIC_KEY`
 * @example
 * ```ts
 * import { PrivateKey, PublicKey } from '@firn/keys'
 *
 * const publicKey = PrivateKey.publicKey(PrivateKey.random())
 * PublicKey.uncompress(publicKey).length // 65
 * ```
 */
export function uncompress(publicKey: Uint8Array): Uint8Array {
  assertLength(publicKey)
  return point(publicKey).toBytes(false)
}

/**
 * Returns the address (20 bytes) of a public key on the P-chain, on the X-chain and in the C-chain's atomic
 * transactions. It is the RIPEMD-160 of the SHA-256 of the compressed key.
 * @throws KeysError `KEYS_PUBLIC_KEY` if `publicKey` is not 33 bytes
 * @example
 * ```ts
 * import { Address } from '@firn/codec'
 * import { PrivateKey, PublicKey } from '@firn/keys'
 *
 * const publicKey = PrivateKey.publicKey(PrivateKey.random())
 * const address = Address.format({ chain: 'P', hrp: 'fuji', payload: PublicKey.address(publicKey) })
 * ```
 */
export function address(publicKey: Uint8Array): Uint8Array {
  assertLength(publicKey)
  return ripemd160(sha256(publicKey))
}

/**
 * Returns the EVM address (20 bytes) of a public key: the last 20 bytes of the Keccak-256 of x and y.
 * @throws KeysError `KEYS_PUBLIC_KEY`
 * @example
 * ```ts
 * import { EvmAddress, PrivateKey, PublicKey } from '@firn/keys'
 *
 * const publicKey = PrivateKey.publicKey(PrivateKey.random())
 * const address = EvmAddress.format(PublicKey.evmAddress(publicKey))
 * ```
 */
export function evmAddress(publicKey: Uint8Array): Uint8Array {
  assertLength(publicKey)
  const coordinates = isInfinity(publicKey) ? new Uint8Array(64) : point(publicKey).toBytes(false).subarray(1)
  return keccak_256(coordinates).slice(-20)
}

// Returns whether the key is the node's encoding of the point at infinity. No point on the curve has x = 0. The node
// derives the EVM address of this key from two zero coordinates.
function isInfinity(publicKey: Uint8Array): boolean {
  return publicKey[0] === 2 && Bytes.isZero(publicKey.subarray(1))
}

function assertLength(bytes: Uint8Array): void {
  if (bytes.length === LENGTH) return
  throw new KeysError('KEYS_PUBLIC_KEY', `public key: expected ${LENGTH} bytes, got ${bytes.length}`, {
    details: { expected: LENGTH, actual: bytes.length },
  })
}

function point(bytes: Uint8Array) {
  try {
    return secp256k1.Point.fromBytes(bytes)
  } catch (cause) {
    throw new KeysError(
      'KEYS_PUBLIC_KEY',
      'public key: expected 02 or 03 followed by the x coordinate of a point on secp256k1',
      {
        cause,
      },
    )
  }
}
