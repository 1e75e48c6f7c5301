/** Settings with defaults. All times are in milliseconds. */
export interface Options {
  /** Number of voters that are asked for their accepted frontier. */
  readonly sampleSize: number
  /** Time after which a sync starts with more than half of the weight connected instead of three quarters. */
  readonly connectMs: number
  /** Time to wait for a small answer: a vote or a poll. Each silent voter is asked `attempts` times. */
  readonly smallTimeoutMs: number
  readonly attempts: number
  /** Time to wait for further votes after the first block has a majority. */
  readonly voteGraceMs: number
  /** Time to wait for containers. */
  readonly ancestorsTimeoutMs: number
  /** Time after which another peer is asked for the same containers, and the number of peers asked at once. */
  readonly hedgeMs: number
  readonly maxHedges: number
  /** Maximum number of checkpoints that are fetched from at once. */
  readonly maxRequests: number
  /** Maximum number of requests for containers in flight to one peer. Checkpoints use at most one. */
  readonly maxRequestsPerPeer: number
  /** Maximum number of containers, and of bytes, of one answer. */
  readonly maxContainers: number
  readonly maxAnswerBytes: number
  /** Bootstrapping ends when the tip grew by at most this number of blocks in the last round. */
  readonly closeEnough: bigint
  /** Number of vertices that are asked for at once. */
  readonly dagRequests: number
  /** Time between two polls of the tip: after a new block, and at most, while there is none. */
  readonly minPollMs: number
  readonly maxPollMs: number
  /** Number of voters that are asked whether there is a new block. */
  readonly scouts: number
  /** Maximum number of voters with which all of them decide on a new block. */
  readonly maxVoters: number
  /** Time without a decision by samples after which all voters decide. */
  readonly sampleMs: number
  /** Maximum number of small requests in any second, if no budget is passed. */
  readonly requestsPerSecond: number
}

/** Default values of all options. */
export const defaults: Options = {
  sampleSize: 20,
  connectMs: 60_000,
  smallTimeoutMs: 4_000,
  attempts: 3,
  voteGraceMs: 500,
  ancestorsTimeoutMs: 8_000,
  hedgeMs: 1_500,
  maxHedges: 3,
  maxRequests: 32,
  maxRequestsPerPeer: 2,
  maxContainers: 2_000,
  maxAnswerBytes: 2 * 1024 * 1024,
  closeEnough: 100n,
  dagRequests: 4,
  minPollMs: 150,
  maxPollMs: 250,
  scouts: 3,
  maxVoters: 300,
  sampleMs: 10_000,
  requestsPerSecond: 120,
}
