import type { Misconduct } from './Report.ts'

/** The progress of one validator. */
export interface ValidatorProgress {
  /** Index in the canonical set. */
  readonly index: number
  /** Node ids of 20 bytes each; several nodes may share one key. */
  readonly nodeIds: readonly Uint8Array[]
  readonly weight: bigint
  /** Whether a signature has been received, verified or not. */
  readonly hasSigned: boolean
  /** The latest failure of a validator that has not signed. It may still sign if it is queried again. */
  readonly failure?: Misconduct
}

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
  /**
   * Returns the progress of every validator at the time of the call. Takes time in proportion to the number of
   * validators, so it should not be called for each progress.
   */
  readonly validators: () => readonly ValidatorProgress[]
}
