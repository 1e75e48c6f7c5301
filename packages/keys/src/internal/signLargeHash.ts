import { Bytes } from '@firn/codec'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { createHmacDrbg } from '@noble/curves/utils.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { fromBytes, toBytes } from './integers.ts'

const { Fn, BASE } = secp256k1.Point
const LENGTH = 32
/** Bit 0 of v, which is set if y is odd. Bit 1 is set if x is not below the group order. */
const ODD = 1
const OVERFLOW = 2

interface Parts {
  readonly r: bigint
  readonly s: bigint
  readonly v: number
}

function signWithNonce(nonce: bigint, hash: bigint, key: bigint): Parts | undefined {
  if (!Fn.isValidNot0(nonce)) return undefined
  const { x, y } = BASE.multiply(nonce).toAffine()
  const r = Fn.create(x)
  const s = Fn.mul(Fn.inv(nonce), Fn.create(hash + r * key))
  if (r === 0n || s === 0n) return undefined
  const v = (y % 2n === 1n ? ODD : 0) | (x >= Fn.ORDER ? OVERFLOW : 0)
  return s > Fn.ORDER / 2n ? { r, s: Fn.neg(s), v: v ^ ODD } : { r, s, v }
}

/**
 * Returns the recoverable signature (r, s, v) of a hash that is not below the group order. For such a hash,
 * the node's library derives the RFC 6979 nonce from the unreduced hash, while the RFC (bits2octets) and the
 * curve library used here reduce the hash first. The two nonces give different signatures.
 */
export function signLargeHash(hash: Uint8Array, key: Uint8Array): Uint8Array {
  const generate = createHmacDrbg<Parts>(LENGTH, LENGTH, (macKey: Uint8Array, message: Uint8Array) =>
    hmac(sha256, macKey, message),
  )
  const { r, s, v } = generate(Bytes.concat(key, hash), (candidate) =>
    signWithNonce(fromBytes(candidate), fromBytes(hash), fromBytes(key)),
  )
  return Bytes.concat(toBytes(r, LENGTH), toBytes(s, LENGTH), Uint8Array.of(v))
}
