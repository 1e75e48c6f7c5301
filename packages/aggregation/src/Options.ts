/** Tuning of an aggregator; every field has a default. */
export interface Options {
  /** A node that is silent for so long has timed out. Nodes cap it at 10 s. */
  readonly requestTimeoutMs: number
  /** Percent of the total weight asked beyond quorum + buffer in the first wave. */
  readonly slackPercentage: number
  /** How long to wait for answers before others are asked, as long as nothing was learned about latencies. */
  readonly hedgeDelayMs: number
  /** Bounds for the learned delay. */
  readonly minHedgeDelayMs: number
  readonly maxHedgeDelayMs: number
  /** Shortest and longest wait before a node that refused as "not yet" is asked again. */
  readonly minRetryDelayMs: number
  readonly maxRetryDelayMs: number
  /** How long a validator that was silent or wrong is asked after all others. */
  readonly lowStandingMs: number
  /** How long a node that is being connected to counts as one that may still sign. */
  readonly connectGraceMs: number
  /** How often unconnected nodes are looked at again. */
  readonly connectPollMs: number
  /** Bytes of the signature cache that is made when none is passed. */
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
