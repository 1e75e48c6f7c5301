import { createHash } from 'node:crypto'

/**
 * Returns at most `max` items in their original order. The selection depends only on `seed` and the positions
 * of the items.
 */
export function sample<T>(items: readonly T[], max: number, seed: number): readonly T[] {
  const rank = (index: number) => createHash('sha256').update(`${seed} ${index}`).digest('hex')
  const ranked = items.map((item, index) => ({ item, index, rank: rank(index) }))
  const chosen = ranked.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, max)
  return chosen.toSorted((a, b) => a.index - b.index).map(({ item }) => item)
}
