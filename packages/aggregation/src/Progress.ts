/** A snapshot of an aggregation's progress. */
export interface Progress {
  /** Weight of the signatures received so far, verified or not. */
  readonly collectedWeight: bigint
  /** Weight of the verified signatures. */
  readonly provedWeight: bigint
  readonly neededWeight: bigint
  /** Weight of quorum plus buffer. */
  readonly targetWeight: bigint
  readonly totalWeight: bigint
  /** Number of validators queried so far. */
  readonly asked: number
  /** Number of validators whose signature has been received. */
  readonly collected: number
  /**
   * Number of validators that are not expected to sign: they refused, sent an invalid signature, or are unreachable
   * or inactive.
   */
  readonly lost: number
  readonly elapsedMs: number
}
