import { type Collection, covered } from './Collection.ts'
import type { Entry } from './Entry.ts'
import { heaviestFirst, type Signer } from './SignerSelection.ts'

/**
 * Returns the canonical indices in the order in which validators are queried: heaviest first, then by index.
 * Validators for which `isLow` returns true (recent failures) come after all others.
 */
export function order<T extends Signer>(
  validators: readonly T[],
  isLow: (validator: T) => boolean,
): number[] {
  const low = new Set(validators.filter(isLow))
  const sorted = [...validators].sort(heaviestFirst)
  const inOrder =
    low.size === 0
      ? sorted
      : [...sorted.filter((one) => !low.has(one)), ...sorted.filter((one) => low.has(one))]
  return inOrder.map(({ index }) => index)
}

/**
 * Returns the validators to query now: the first idle validators of `order` until the weight collected and
 * expected on time reaches `goal`. Refused, disconnected and overdue validators do not count as expected, so
 * each call replaces them. When the goal is out of reach, all remaining idle validators are returned.
 */
export function wave(collection: Collection, order: readonly number[], goal: bigint): number[] {
  if (collection.counts.idle === 0) return []
  let expected = covered(collection)
  const chosen: number[] = []
  for (const index of order) {
    if (expected >= goal) break
    if (collection.phases[index] !== 'idle') continue
    chosen.push(index)
    expected += (collection.entries[index] as Entry).weight
  }
  return chosen
}
