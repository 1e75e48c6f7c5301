/** A stream of random numbers. The same seed text gives the same stream on every machine. */
export type Prng = {
  /** Returns a random integer from 0 to `below` - 1, where `below` is at most 2^32. */
  below(below: number): number
  /** Returns a random item of the list, which must not be empty. */
  pick<T>(items: readonly T[]): T
  /** Returns random bytes. */
  bytes(length: number): Uint8Array
}

/**
 * Returns a 32-bit hash of a text: FNV-1a over its UTF-16 code units, with a final mix, so that similar seeds
 * get very different hashes.
 */
const hash = (text: string, salt: number): number => {
  let state = 0x811c9dc5 ^ salt
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  }
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}

/** Creates the random stream (sfc32) for a seed text. */
export const create = (seed: string): Prng => {
  let a = hash(seed, 1)
  let b = hash(seed, 2)
  let c = hash(seed, 3)
  let counter = 1
  const next = (): number => {
    const result = (a + b + counter++) >>> 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) >>> 0
    c = (((c << 21) | (c >>> 11)) + result) >>> 0
    return result
  }
  for (let warm = 0; warm < 12; warm++) next()
  const below = (limit: number) => Math.floor((next() / 0x1_0000_0000) * limit)
  return {
    below,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    bytes: (length) => Uint8Array.from({ length }, () => below(256)),
  }
}
