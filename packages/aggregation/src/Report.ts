/**
 * The outcome for one validator:
 * - `signed`: a valid signature was received (`inSignedMessage` tells whether it is part of the message)
 * - `refused`: the node responded with an error; `code` and `text` come from the node
 * - `empty`: the response contained no signature
 * - `bad-signature`: wrong length, not a point in G2, or not this validator's signature of this message
 * - `timed-out`: no response before the time-out of the request, or late when the deadline passed
 * - `unanswered`: queried, but the result was complete or the deadline passed before a response was due
 * - `not-sent`: the request waited in queues of this side and was never sent; `text` tells how long, or why
 * - `disconnected`: the connection broke before the response
 * - `not-connected`: could not be queried; `text` gives the reason
 * - `not-asked`: was not needed
 * - `inactive`: cannot sign, though its weight counts in the total
 */
export type Outcome =
  | 'signed'
  | 'refused'
  | 'empty'
  | 'bad-signature'
  | 'timed-out'
  | 'unanswered'
  | 'not-sent'
  | 'disconnected'
  | 'not-connected'
  | 'not-asked'
  | 'inactive'

/** The failure of a validator that did not sign; `code` and `text` as in {@link ReportEntry}. */
export interface Misconduct {
  readonly outcome: Outcome
  readonly code?: number
  readonly text?: string
  /** As in {@link ReportEntry}. */
  readonly reportedBy?: string | undefined
}

/** The outcome for one validator of the canonical set. */
export interface ReportEntry {
  /** Index in the canonical set, which is also the validator's bit in the signed message. */
  readonly index: number
  /** Node ids of 20 bytes each; several nodes may share one key. */
  readonly nodeIds: readonly Uint8Array[]
  readonly weight: bigint
  readonly outcome: Outcome
  /** True when the signature was cached by an earlier aggregation, so no request was needed. */
  readonly fromCache?: true
  /** The node's error code, if the outcome is `refused`. */
  readonly code?: number
  /** The node's error text, or a description of the failure. It is for people; do not parse it. */
  readonly text?: string
  /**
   * Name of the program that reports the failure, if the validator has not answered this program itself. The failure
   * cannot be verified.
   */
  readonly reportedBy?: string
  /**
   * Milliseconds since the refusal. Present only if the refusal is remembered from an earlier aggregation, and the
   * validator has not responded since.
   */
  readonly rememberedMs?: number
  /**
   * The recent failure on this chain that moved the validator to the end of the query order. Present only if the
   * outcome is `not-asked`, `unanswered` or `not-sent`.
   */
  readonly lately?: Misconduct
  /** Milliseconds from the last request to its response. */
  readonly latencyMs?: number
  /** Number of requests sent to the nodes of this validator, retries included. */
  readonly requests: number
  readonly inSignedMessage: boolean
}

/** A reason why validators did not sign, with their number and weight. */
export interface Reason {
  readonly outcome: Outcome
  readonly code?: number
  readonly text?: string
  /** Milliseconds since the oldest of the refusals that are remembered from earlier aggregations; absent if none is. */
  readonly rememberedMs?: number
  readonly validators: number
  readonly weight: bigint
}

/** Counters of one aggregation. */
export interface Counters {
  /** Number of requests sent, retries included. */
  readonly requests: number
  readonly responses: number
  /** Number of responses that arrived after their request had timed out. */
  readonly lateResponses: number
  /**
   * Number of responses that cannot be parsed, or whose signature has the wrong length or is not on the
   * curve.
   */
  readonly malformed: number
  /** Number of well-formed signatures that are not the validator's signature of this message. */
  readonly wrongSignatures: number
  /** Number of responses from a node whose key had already signed through another node. */
  readonly redundant: number
  readonly retries: number
  /** Number of waves of requests after the first, sent because responses were missing. */
  readonly hedges: number
  readonly fromCache: number
  /** Number of batch verifications. Each costs one product of pairings; bisections are not counted. */
  readonly batches: number
}

/** The outcome for every validator, and the reasons why weight is missing. */
export interface Report {
  readonly validators: readonly ReportEntry[]
  /** Weight of the valid signatures, whether or not they are in the message. */
  readonly signedWeight: bigint
  readonly neededWeight: bigint
  readonly targetWeight: bigint
  readonly totalWeight: bigint
  /** Reasons why weight is missing, heaviest first; empty when all validators signed. */
  readonly reasons: readonly Reason[]
  readonly counters: Counters
  readonly elapsedMs: number
}
