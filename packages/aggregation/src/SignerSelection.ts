/** A validator whose valid signature is at hand. */
export interface Signer {
  /** Canonical index. */
  readonly index: number
  readonly weight: bigint
}

/**
 * Returns the canonical indices, ascending, of the signers that go into the message: the heaviest first,
 * equal weights by canonical index, until `target` (quorum plus buffer) is reached. These are the fewest
 * signers that reach it. When all together stay below the target, all of them are returned, to keep as much
 * of the buffer as possible.
 *
 * The same valid signers give the same selection, in whatever order they answered.
 */
export function select(signers: readonly Signer[], target: bigint): number[] {
  const chosen: number[] = []
  let weight = 0n
  for (const signer of [...signers].sort(heaviestFirst)) {
    if (weight >= target) break
    if (signer.weight === 0n) continue
    chosen.push(signer.index)
    weight += signer.weight
  }
  return chosen.sort((a, b) => a - b)
}

/** Compares by the order of selection and of asking: weight descending, then canonical index. */
export function heaviestFirst(a: Signer, b: Signer): number {
  if (a.weight !== b.weight) return a.weight > b.weight ? -1 : 1
  return a.index - b.index
}
