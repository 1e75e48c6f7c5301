/**
 * Concatenates all `parts` into a new array.
 *
 * @example
 * ```ts
 * import { Bytes } from '@firn/codec'
 *
 * Bytes.concat(Uint8Array.of(1, 2), Uint8Array.of(3)) // Uint8Array [1, 2, 3]
 * ```
 */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const part of parts) length += part.length
  const out = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    out.set(part, offset)
    offset += part.length
  }
  return out
}

/**
 * Returns true if both arrays have the same length and content. Not constant-time: never use it for secrets.
 *
 * @example
 * ```ts
 * import { Bytes, Id } from '@firn/codec'
 *
 * Bytes.equals(Id.EMPTY, new Uint8Array(32)) // true
 * ```
 */
export function equals(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/**
 * Compares two arrays lexicographically and returns −1, 0 or 1. A prefix sorts before any longer array (Go's
 * `bytes.Compare`).
 *
 * @example
 * ```ts
 * import { Bytes } from '@firn/codec'
 *
 * const ids = [Uint8Array.of(2), Uint8Array.of(1, 5), Uint8Array.of(1)]
 * ids.sort(Bytes.compare) // [[1], [1, 5], [2]]
 * ```
 */
export function compare(a: Uint8Array, b: Uint8Array): -1 | 0 | 1 {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = (a[i] as number) - (b[i] as number)
    if (difference !== 0) return difference < 0 ? -1 : 1
  }
  return a.length === b.length ? 0 : a.length < b.length ? -1 : 1
}

/**
 * Returns true if every byte is zero, or the array is empty.
 *
 * @example
 * ```ts
 * import { Bytes, Id } from '@firn/codec'
 *
 * Bytes.isZero(Id.EMPTY) // true
 * Bytes.isZero(Uint8Array.of(0, 1)) // false
 * ```
 */
export function isZero(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0) return false
  return true
}
