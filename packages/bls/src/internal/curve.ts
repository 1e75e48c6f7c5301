/** The prime of the base field of BLS12-381. */
const P = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn
/** Size of a field element in bytes. */
const SIZE = 48

const [COMPRESSED, INFINITY, FLAGS] = [0x80, 0x40, 0xe0]

/**
 * Returns whether `bytes` are the compressed form of a point on the curve, in G1 (48 bytes) or G2 (96 bytes). The point
 * may be outside of the subgroup.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  const [first = 0, ...rest] = bytes
  if ((first & COMPRESSED) === 0) return false
  if ((first & INFINITY) !== 0) return first === (COMPRESSED | INFINITY) && rest.every((byte) => byte === 0)
  const x = fieldElements([first & ~FLAGS, ...rest])
  if (x.some((element) => element >= P)) return false
  const [a = 0n, b = 0n] = x
  if (x.length > 1) return isRightSideSquare(b, a)
  // blst does not decompress the points of G1 with x = 0, which are outside of the subgroup.
  return a !== 0n && isSquare(a * a * a + 4n)
}

function fieldElements(bytes: readonly number[]): bigint[] {
  const elements: bigint[] = []
  for (let at = 0; at < bytes.length; at += SIZE) {
    elements.push(bytes.slice(at, at + SIZE).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n))
  }
  return elements
}

/** Returns whether x³ + 4(1 + u) is a square, for x = a + bu. An element is a square if its norm is one. */
function isRightSideSquare(a: bigint, b: bigint): boolean {
  const real = a * a * a - 3n * a * b * b + 4n
  const imaginary = 3n * a * a * b - b * b * b + 4n
  return isSquare(real * real + imaginary * imaginary)
}

/** Returns whether a number is a square modulo P, by Euler's criterion. */
function isSquare(number: bigint): boolean {
  let base = ((number % P) + P) % P
  if (base === 0n) return true
  let power = 1n
  for (let exponent = (P - 1n) / 2n; exponent > 0n; exponent >>= 1n) {
    if ((exponent & 1n) === 1n) power = (power * base) % P
    base = (base * base) % P
  }
  return power === 1n
}
