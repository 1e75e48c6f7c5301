/** A snapshot of an aggregation's progress. */
export interface Progress {
  /** Weight of the signatures at hand, checked or about to be checked. */
  readonly collectedWeight: bigint
  /** Weight of the proved signatures. */
  readonly provedWeight: bigint
  readonly neededWeight: bigint
  /** Weight of quorum plus buffer. */
  readonly targetWeight: bigint
  readonly totalWeight: bigint
  /** Validators asked so far. */
  readonly asked: number
  /** Validators whose signature is at hand. */
  readonly collected: number
  /** Validators that cannot sign any more: refused, invalid, silent, unreachable, inactive. */
  readonly lost: number
  readonly elapsedMs: number
}
