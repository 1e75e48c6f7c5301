import { Bytes } from '@firn/codec'

/** Stored blocks of successive heights, each the parent of the next. */
export interface Segment {
  readonly from: bigint
  readonly to: bigint
  /** Id of the block at `to`. */
  readonly id: Uint8Array
  /** Id of the parent of the block at `from`. */
  readonly parentId: Uint8Array
}

/**
 * Returns the segment that contains a height, or undefined.
 *
 * @example
 * ```ts
 * import { Segments } from '@firn/sync'
 *
 * Segments.at([], 7n) // undefined
 * ```
 */
export function at(segments: readonly Segment[], height: bigint): Segment | undefined {
  // There are about as many segments as checkpoints, so a search from the end is fast.
  const last = segments.findLast(({ from }) => from <= height)
  return last !== undefined && height <= last.to ? last : undefined
}

/**
 * Returns the segments with one more, which must not overlap them. It is joined with its neighbours.
 *
 * @example
 * ```ts
 * import { Segments } from '@firn/sync'
 *
 * declare const segment: Segments.Segment
 * const segments = Segments.add([], segment)
 * ```
 */
export function add(segments: readonly Segment[], added: Segment): readonly Segment[] {
  const below = segments.filter(({ to }) => to < added.from)
  const above = segments.filter(({ from }) => from > added.to)
  let joined = added
  const lower = below.at(-1)
  if (lower !== undefined && lower.to + 1n === joined.from && Bytes.equals(lower.id, joined.parentId)) {
    joined = { ...joined, from: lower.from, parentId: lower.parentId }
    below.pop()
  }
  const upper = above[0]
  if (upper !== undefined && joined.to + 1n === upper.from && Bytes.equals(upper.parentId, joined.id)) {
    joined = { ...joined, to: upper.to, id: upper.id }
    above.shift()
  }
  return [...below, joined, ...above]
}

/**
 * Returns the number of heights from `from` to `to` that the segments contain.
 *
 * @example
 * ```ts
 * import { Segments } from '@firn/sync'
 *
 * Segments.count([], 1n, 100n) // 0n
 * ```
 */
export function count(segments: readonly Segment[], from: bigint, to: bigint): bigint {
  return segments.reduce((sum, segment) => {
    const first = segment.from > from ? segment.from : from
    const last = segment.to < to ? segment.to : to
    return last < first ? sum : sum + (last - first + 1n)
  }, 0n)
}
