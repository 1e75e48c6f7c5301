import type { Place } from '@firn/store'

/** Returns a place as a page token stores it. */
export function placeKey({ height, ordinal }: Place): readonly string[] {
  return [String(height), String(ordinal)]
}

/** Returns the place in a page token. */
export function place(after: readonly string[] | undefined): Place | undefined {
  if (after === undefined) return undefined
  const [height = '0', ordinal = '0'] = after
  return { height: BigInt(height), ordinal: Number(ordinal) }
}
