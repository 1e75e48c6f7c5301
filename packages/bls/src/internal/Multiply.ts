/**
 * Returns scalar · point for a big-endian `scalar`. Uses only additions, because blst's addon has no multiplication.
 * Scalars are secret keys, so the same additions are made for every scalar. `identity` is the neutral element of the
 * addition.
 */
export function multiply<P>(sum: (points: P[]) => P, identity: P, point: P, scalar: Uint8Array): P {
  const table: P[] = [identity]
  for (let i = 1; i < 16; i++) table.push(sum([table[i - 1] as P, point]))
  let result = identity
  for (const byte of scalar) {
    for (const digit of [byte >> 4, byte & 15]) {
      const parts = new Array<P>(17).fill(result)
      parts[16] = table[digit] as P
      result = sum(parts)
    }
  }
  return result
}
