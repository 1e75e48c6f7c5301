import { WarpError } from './WarpError.ts'

/** Highest index that {@link encode} accepts. Larger sets would not fit into a message. */
export const MAX_INDEX = 2 ** 24 - 1

/**
 * Encodes canonical indices as a big-endian integer, the sum of 2^index, without leading zero bytes. The
 * empty set encodes to no bytes, `{0, 3, 8}` to `01 09`.
 * @throws WarpError `WARP_BIT_SET` if an index is not an integer from 0 to {@link MAX_INDEX}
 * @example
 * ```ts
 * import { BitSet } from '@firn/warp'
 *
 * BitSet.encode([0, 3, 8]) // Uint8Array [1, 9]
 * ```
 */
export function encode(indices: Iterable<number>): Uint8Array {
  const list = [...indices]
  let highest = -1
  for (const index of list) {
    if (!Number.isInteger(index) || index < 0 || index > MAX_INDEX) {
      throw new WarpError('WARP_BIT_SET', `expected a signer index from 0 to ${MAX_INDEX}, got ${index}`, {
        details: { index },
      })
    }
    if (index > highest) highest = index
  }
  const out = new Uint8Array((highest >> 3) + 1)
  for (const index of list) {
    const at = out.length - 1 - (index >> 3)
    out[at] = (out[at] as number) | (1 << (index & 7))
  }
  return out
}

/**
 * Decodes the indices of a bit set, in ascending order.
 * @throws WarpError `WARP_BIT_SET` if there are leading zero bytes
 * @example
 * ```ts
 * import { BitSet } from '@firn/warp'
 *
 * BitSet.decode(Uint8Array.of(1, 9)) // [0, 3, 8]
 * ```
 */
export function decode(bytes: Uint8Array): number[] {
  if (!isCanonical(bytes)) {
    throw new WarpError(
      'WARP_BIT_SET',
      `expected a signer bit set without leading zero bytes, got ${bytes.length} bytes that start with 0`,
    )
  }
  const indices: number[] = []
  for (let i = bytes.length - 1; i >= 0; i--) {
    const base = (bytes.length - 1 - i) * 8
    const byte = bytes[i] as number
    for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) indices.push(base + bit)
  }
  return indices
}

/**
 * Returns true if there are no leading zero bytes. Verifiers accept no other form.
 *
 * @example
 * ```ts
 * import { BitSet } from '@firn/warp'
 *
 * BitSet.isCanonical(Uint8Array.of(1, 9)) // true
 * BitSet.isCanonical(Uint8Array.of(0, 9)) // false
 * ```
 */
export function isCanonical(bytes: Uint8Array): boolean {
  return bytes.length === 0 || bytes[0] !== 0
}

/**
 * Returns the highest index plus one, or 0 for the empty set, without listing the indices.
 *
 * @example
 * ```ts
 * import { BitSet } from '@firn/warp'
 *
 * BitSet.bitLength(Uint8Array.of(1, 9)) // 9
 * ```
 */
export function bitLength(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0)
  return first === -1 ? 0 : (bytes.length - first) * 8 - (Math.clz32(bytes[first] as number) - 24)
}
