/** Random numbers that a seed determines. For tests only. */
export interface Random {
  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number): number
  /** Returns true with the given probability. */
  chance(share: number): boolean
  /** Returns a random element of `list`, which must not be empty. */
  pick<T>(list: readonly T[]): T
}

/** Creates a generator of pseudo-random numbers from `seed` (mulberry32). For tests only. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: (limit) => Math.floor(next() * limit),
    chance: (share) => next() < share,
    pick: <T>(list: readonly T[]) => {
      if (list.length === 0) throw new RangeError('cannot pick from an empty list')
      return list[Math.floor(next() * list.length)] as T
    },
  }
}
