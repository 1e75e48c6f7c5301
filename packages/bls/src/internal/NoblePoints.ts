import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bytesToNumberBE, concatBytes, numberToBytesBE } from '@noble/curves/utils.js'

const KeyPoint = bls12_381.G1.Point
const SignaturePoint = bls12_381.G2.Point

/** A point of G1 in noble's representation. */
export type KeyPoint = typeof KeyPoint.BASE
/** A point of G2 in noble's representation. */
export type SignaturePoint = typeof SignaturePoint.BASE

const FIELD = 48
const COMPRESSED_FLAG = 0x80
const INFINITY_FLAG = 0x40
const GREATER_FLAG = 0x20

/**
 * Imports a point from 96 uncompressed bytes that an engine has already validated. The bytes are not checked
 * again.
 */
export function importKey(bytes: Uint8Array): KeyPoint {
  if (isInfinity(bytes)) return KeyPoint.ZERO
  return KeyPoint.fromAffine({ x: element(bytes, 0), y: element(bytes, 1) })
}

/**
 * Imports a point from 192 uncompressed bytes that an engine has already validated. The bytes are not checked
 * again.
 */
export function importSignature(bytes: Uint8Array): SignaturePoint {
  if (isInfinity(bytes)) return SignaturePoint.ZERO
  return SignaturePoint.fromAffine({
    x: { c1: element(bytes, 0), c0: element(bytes, 1) },
    y: { c1: element(bytes, 2), c0: element(bytes, 3) },
  })
}

/**
 * Returns the 96 uncompressed bytes of a point in G1. noble's own `toBytes` rejects infinity and repeats the
 * subgroup check.
 */
export function exportKey(point: KeyPoint): Uint8Array {
  const { x, y } = point.toAffine()
  return point.is0() ? infinity(2, INFINITY_FLAG) : elements(x, y)
}

/**
 * Returns the 192 uncompressed bytes of a point in G2. noble's own `toBytes` rejects infinity and repeats the
 * subgroup check.
 */
export function exportSignature(point: SignaturePoint): Uint8Array {
  const { x, y } = point.toAffine()
  return point.is0() ? infinity(4, INFINITY_FLAG) : elements(x.c1, x.c0, y.c1, y.c0)
}

/** Returns the 48 compressed bytes of a point in G1. */
export function compressKey(point: KeyPoint): Uint8Array {
  if (point.is0()) return infinity(1, COMPRESSED_FLAG | INFINITY_FLAG)
  const { x, y } = point.toAffine()
  return flagged(elements(x), y)
}

/** Returns the 96 compressed bytes of a point in G2. */
export function compressSignature(point: SignaturePoint): Uint8Array {
  if (point.is0()) return infinity(2, COMPRESSED_FLAG | INFINITY_FLAG)
  const { x, y } = point.toAffine()
  return flagged(elements(x.c1, x.c0), y.c1 === 0n ? y.c0 : y.c1)
}

/**
 * Sets the flags of a compressed point. The sign flag marks the greater y of the two points with the same x.
 */
function flagged(bytes: Uint8Array, y: bigint): Uint8Array {
  bytes[0] = (bytes[0] as number) | COMPRESSED_FLAG | (2n * y > KeyPoint.Fp.ORDER ? GREATER_FLAG : 0)
  return bytes
}

function element(bytes: Uint8Array, index: number): bigint {
  return bytesToNumberBE(bytes.subarray(index * FIELD, (index + 1) * FIELD))
}

function elements(...values: readonly bigint[]): Uint8Array {
  return concatBytes(...values.map((value) => numberToBytesBE(value, FIELD)))
}

function isInfinity(bytes: Uint8Array): boolean {
  return ((bytes[0] as number) & INFINITY_FLAG) !== 0
}

function infinity(fields: number, flags: number): Uint8Array {
  const bytes = new Uint8Array(fields * FIELD)
  bytes[0] = flags
  return bytes
}
