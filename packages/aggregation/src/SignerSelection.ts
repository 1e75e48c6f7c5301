/** A validator whose valid signature has been received. */
export interface Signer {
  /** Index of the validator in the canonical set. */
  readonly index: number
  readonly weight: bigint
}

/**
 * Returns the canonical indices, ascending, of the signers that go into the message. Takes the heaviest signers
 * first, and signers of equal weight by canonical index, until `target` (quorum plus buffer) is reached. No smaller
 * number of signers reaches the target. If all signers together do not reach it, all with a weight above 0 are
 * returned, to keep as much of the buffer as possible.
 *
 * The same valid signers give the same selection, whatever the order of their responses.
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

/** Compares two signers for selecting and querying: by weight descending, then by canonical index. */
export function heaviestFirst(a: Signer, b: Signer): number {
  if (a.weight !== b.weight) return a.weight > b.weight ? -1 : 1
  return a.index - b.index
}
