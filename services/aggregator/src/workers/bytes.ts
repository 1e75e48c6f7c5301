/** Joins arrays of `size` bytes each. Zeros replace an array of another length. */
export function join(arrays: readonly Uint8Array[], size: number): Uint8Array {
  const joined = new Uint8Array(arrays.length * size)
  for (const [place, array] of arrays.entries()) if (array.length === size) joined.set(array, place * size)
  return joined
}

/** Returns views of `size` bytes each; the inverse of {@link join}. */
export function split(joined: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: joined.length / size }, (_, place) =>
    joined.subarray(place * size, (place + 1) * size),
  )
}
