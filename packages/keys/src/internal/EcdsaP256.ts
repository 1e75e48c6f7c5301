import { Bytes, Hex } from '@firn/codec'
import { p256 } from '@noble/curves/nist.js'
import * as Der from './Der.ts'
import { fromBytes, toBytes } from './integers.ts'

/** DER of the `AlgorithmIdentifier` of a key on P-256: id-ecPublicKey, prime256v1. */
export const ALGORITHM_IDENTIFIER = Hex.decode('0x301306072a8648ce3d020106082a8648ce3d030107')
const ORDER = p256.Point.CURVE().n
const POINT_LENGTH = 65

/** Returns whether `bytes` are a point on P-256 in uncompressed form. */
export function isPoint(bytes: Uint8Array): boolean {
  return bytes.length === POINT_LENGTH && bytes[0] === 4 && p256.utils.isValidPublicKey(bytes, false)
}

/**
 * Returns `r` and `s` (32 bytes each) of a signature in strict DER. Returns undefined if the signature is
 * malformed or a number is not in [1, n).
 */
export function readSignature(signature: Uint8Array): Uint8Array | undefined {
  const numbers = Der.readSequence(signature)
  if (numbers === undefined) return undefined
  const r = scalar(Der.readInteger(numbers))
  const s = r === undefined ? undefined : scalar(Der.readInteger(numbers))
  return r === undefined || s === undefined || !Der.isAtEnd(numbers) ? undefined : Bytes.concat(r, s)
}

function scalar(integer: Uint8Array | undefined): Uint8Array | undefined {
  if (integer === undefined || (integer[0] ?? 0) >= 0x80) return undefined
  const value = fromBytes(integer)
  return value === 0n || value >= ORDER ? undefined : toBytes(value, 32)
}
