/** Tuning of an aggregator; every field has a default. */
export interface Options {
  /** A node that is silent for this long has timed out. Nodes cap it at 10 s. */
  readonly requestTimeoutMs: number
  /** Percentage of the total weight asked beyond quorum plus buffer in the first wave. */
  readonly slackPercentage: number
  /** How long to wait for answers before others are asked, while no latencies are known. */
  readonly hedgeDelayMs: number
  /** Bounds for the learned delay. */
  readonly minHedgeDelayMs: number
  readonly maxHedgeDelayMs: number
  /** Shortest and longest wait before a node that refused with "not yet" is asked again. */
  readonly minRetryDelayMs: number
  readonly maxRetryDelayMs: number
  /** How long a validator that was silent or wrong is asked after all others. */
  readonly lowStandingMs: number
  /** How long a connecting node counts as one that may still sign. */
  readonly connectGraceMs: number
  /** How often unconnected nodes are checked again. */
  readonly connectPollMs: number
  /** Size in bytes of the signature cache that is created when none is passed. */
  readonly cacheBytes: number
}

/** The defaults. */
export const defaults: Options = {
  requestTimeoutMs: 5_000,
  slackPercentage: 10,
  hedgeDelayMs: 250,
  minHedgeDelayMs: 20,
  maxHedgeDelayMs: 1_000,
  minRetryDelayMs: 500,
  maxRetryDelayMs: 2_000,
  lowStandingMs: 30_000,
  connectGraceMs: 5_000,
  connectPollMs: 100,
  cacheBytes: 128 * 1024 * 1024,
}
