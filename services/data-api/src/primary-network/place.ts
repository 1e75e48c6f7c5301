import type { Place } from '@firn/store'

/** A place as a page token keeps it. */
export function placeKey({ height, ordinal }: Place): readonly string[] {
  return [String(height), String(ordinal)]
}

/** The place that a page token keeps. */
export function place(after: readonly string[] | undefined): Place | undefined {
  if (after === undefined) return undefined
  const [height = '0', ordinal = '0'] = after
  return { height: BigInt(height), ordinal: Number(ordinal) }
}
