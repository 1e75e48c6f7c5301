/** Where an aggregation stands; a snapshot. */
export interface Progress {
  /** Weight of the signatures at hand, checked or about to be checked. */
  readonly collectedWeight: bigint
  /** Weight of the signatures that are proved. */
  readonly provedWeight: bigint
  readonly neededWeight: bigint
  /** Quorum and buffer. */
  readonly targetWeight: bigint
  readonly totalWeight: bigint
  /** Validators asked so far. */
  readonly asked: number
  /** Validators whose signature is at hand. */
  readonly collected: number
  /** Validators that can't sign any more: refused, bad, silent, unreachable, inactive. */
  readonly lost: number
  readonly elapsedMs: number
}
