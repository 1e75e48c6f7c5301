import type { Place } from '@firn/sql'

/** Converts a position in a list to its form in a page token. */
export function placeKey({ height, ordinal }: Place): readonly string[] {
  return [String(height), String(ordinal)]
}

/** Converts a page token's form of a position to a position in a list. */
export function place(after: readonly string[] | undefined): Place | undefined {
  if (after === undefined) return undefined
  const [height = '0', ordinal = '0'] = after
  return { height: BigInt(height), ordinal: Number(ordinal) }
}
