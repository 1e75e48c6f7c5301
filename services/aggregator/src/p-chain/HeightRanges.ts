import { areEqual } from './EqualSets.ts'
import type { SetAtHeight } from './ValidatorSets.ts'

/** Consecutive P-chain heights at which a subnet has the same validator set. */
export interface HeightRange {
  readonly first: bigint
  readonly last: bigint
  readonly at: SetAtHeight
}

/** The ranges that were found, in ascending order. */
export interface Found {
  readonly ranges: readonly HeightRange[]
  /** False if there are heights between two ranges whose sets were not loaded. */
  readonly isComplete: boolean
}

/**
 * Returns the ranges from one height to another. Loads the sets at both heights and, while `mayLoad` returns true for the
 * number of loaded sets, at heights between them, the newest first. If the sets at two heights are equal, the sets
 * between them are taken to be equal, too.
 */
export async function find(
  from: bigint,
  to: bigint,
  load: (height: bigint) => Promise<SetAtHeight>,
  mayLoad: (loaded: number) => boolean,
): Promise<Found> {
  const oldest = await load(from)
  if (to <= from) return { ranges: [{ first: from, last: from, at: oldest }], isComplete: true }
  const newest = await load(to)
  let loads = 2
  /** Sets that differ from the set before them, newest first, with the last height that is known to have that set. */
  const changes: { readonly at: SetAtHeight; readonly before: bigint }[] = []
  const search = async (low: SetAtHeight, high: SetAtHeight): Promise<void> => {
    if (areEqual(low.set, high.set)) return
    if (high.height === low.height + 1n || !mayLoad(loads)) {
      changes.push({ at: high, before: low.height })
      return
    }
    loads++
    const middle = await load(roundest(low.height, high.height))
    await search(middle, high)
    await search(low, middle)
  }
  await search(oldest, newest)
  const ascending = changes.reverse()
  const sets = [oldest, ...ascending.map(({ at }) => at)]
  return {
    ranges: sets.map((at, index) => ({ first: at.height, last: ascending[index]?.before ?? to, at })),
    isComplete: ascending.every(({ at, before }) => at.height === before + 1n),
  }
}

/**
 * Returns the height between two others (exclusive) that is divisible by the highest power of two. Searches at
 * different tips then load the same heights, whose sets are cached.
 */
function roundest(low: bigint, high: bigint): bigint {
  let step = 1n
  while ((low / (step * 2n) + 1n) * (step * 2n) < high) step *= 2n
  return (low / step + 1n) * step
}
