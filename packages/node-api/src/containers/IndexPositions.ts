import type { Span } from './IndexState.ts'

/** Returns the number of containers in an index up to the height `top`. */
export function count(spans: readonly Span[], top: bigint): bigint {
  return within(spans, top).reduce((sum, { first, last }) => sum + (last - first + 1n), 0n)
}

/** Returns the index of a height; undefined if the height was not indexed or is above `top`. */
export function indexOf(spans: readonly Span[], top: bigint, height: bigint): bigint | undefined {
  let before = 0n
  for (const { first, last } of within(spans, top)) {
    if (height >= first && height <= last) return before + (height - first)
    before += last - first + 1n
  }
  return undefined
}

/**
 * Returns at most `limit` indexed heights as ranges of consecutive heights, starting with the height at index
 * `start`.
 */
export function heightsFrom(
  spans: readonly Span[],
  top: bigint,
  start: bigint,
  limit: bigint,
): { readonly first: bigint; readonly last: bigint }[] {
  const runs: { first: bigint; last: bigint }[] = []
  let skip = start
  let left = limit
  for (const { first, last } of within(spans, top)) {
    const length = last - first + 1n
    if (skip >= length) {
      skip -= length
      continue
    }
    const taken = min(left, length - skip)
    if (taken > 0n) runs.push({ first: first + skip, last: first + skip + taken - 1n })
    left -= taken
    skip = 0n
  }
  return runs
}

function within(spans: readonly Span[], top: bigint): { first: bigint; last: bigint }[] {
  return spans
    .map(({ first, last }) => ({ first, last: min(last ?? top, top) }))
    .filter(({ first, last }) => first <= last)
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
