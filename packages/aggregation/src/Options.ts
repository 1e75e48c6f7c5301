/** Settings of an aggregator. Every field has a default. */
export interface Options {
  /**
   * Milliseconds after which a sent request without a response has timed out. The node is then queried again if the
   * quorum is not reached and there is time. Nodes cap the value at 10 s.
   */
  readonly requestTimeoutMs: number
  /** Maximum number of requests in flight in all runs together. A run uses at most a fifth of it. */
  readonly maxRequests: number
  /** Maximum number of requests in flight in one run; further ones are queued. */
  readonly maxRequestsPerRun: number
  /** Maximum number of requests in flight to one node; further ones are queued. */
  readonly maxRequestsPerNode: number
  /** Number of bytes of requests that are not sent yet, above which all further requests are queued. */
  readonly maxUnsentBytes: number
  /** Percentage of the total weight to query beyond quorum plus buffer in the first wave. */
  readonly slackPercentage: number
  /** Milliseconds to wait for responses before other nodes are queried, while no latencies are known. */
  readonly hedgeDelayMs: number
  /** Lower and upper bound of the learned hedge delay, in milliseconds. */
  readonly minHedgeDelayMs: number
  readonly maxHedgeDelayMs: number
  /**
   * Minimum of the first delay and maximum of every delay before a silent node is queried again, and between rounds
   * of retries of nodes that answered "not yet", in milliseconds. Delays double, and half of each delay is random. The delays
   * between rounds may exceed the maximum, up to a tenth of the time since the start of the aggregation.
   */
  readonly minRetryDelayMs: number
  readonly maxRetryDelayMs: number
  /**
   * Milliseconds for which a node's final refusal of a message is remembered, so that no aggregation queries the node
   * for this message again; 0 disables it.
   */
  readonly finalRefusalMs: number
  /**
   * Milliseconds for which "not yet" is remembered, so that later aggregations of the same message begin with a round
   * of retries when it is due, instead of querying all validators; 0 disables it.
   */
  readonly openRefusalMs: number
  /**
   * Milliseconds for which validators that answered "not yet" are queried again, unless the request sets `waitMs`. It
   * does not apply if all of them report the state of their P-chain; these are not queried again.
   */
  readonly waitMs: number
  /** Milliseconds for which a silent or misbehaving validator is queried after all others. */
  readonly lowStandingMs: number
  /** Milliseconds for which the aggregator waits for a node that is still connecting. */
  readonly connectGraceMs: number
  /** Milliseconds between two checks of unconnected nodes. */
  readonly connectPollMs: number
  /** Size in bytes of the signature cache that is created when none is passed. */
  readonly cacheBytes: number
}

/** Default values of all options. */
export const defaults: Options = {
  requestTimeoutMs: 5_000,
  maxRequests: 8_192,
  maxRequestsPerRun: 2_048,
  maxRequestsPerNode: 64,
  maxUnsentBytes: 64 * 1024 * 1024,
  slackPercentage: 10,
  hedgeDelayMs: 250,
  minHedgeDelayMs: 20,
  maxHedgeDelayMs: 1_000,
  minRetryDelayMs: 250,
  maxRetryDelayMs: 2_000,
  finalRefusalMs: 30_000,
  openRefusalMs: 5_000,
  waitMs: 3_000,
  lowStandingMs: 30_000,
  connectGraceMs: 5_000,
  connectPollMs: 100,
  cacheBytes: 128 * 1024 * 1024,
}
