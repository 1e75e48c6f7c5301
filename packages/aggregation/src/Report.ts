/**
 * The outcome for one validator:
 * - `signed`: a valid signature is at hand (`inSignedMessage` tells whether it is part of the message)
 * - `refused`: the node answered with an error; `code` and `text` are its own
 * - `empty`: the answer held no signature
 * - `bad-signature`: wrong length, not a point in G2, or not this validator's signature of this message
 * - `timed-out`: asked and silent until the time-out, the deadline, or for so long that others were asked in
 * its place
 * - `unanswered`: asked, but not yet answered when the result was complete without it
 * - `disconnected`: the connection broke before the answer
 * - `not-connected`: could not be asked; `text` says why
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
  | 'disconnected'
  | 'not-connected'
  | 'not-asked'
  | 'inactive'

/** What a validator did instead of signing; `code` and `text` as in {@link ReportEntry}. */
export interface Misconduct {
  readonly outcome: Outcome
  readonly code?: number
  readonly text?: string
}

/** The outcome for one validator of the canonical set. */
export interface ReportEntry {
  /** Index in the canonical set, which is the bit in the signed message. */
  readonly index: number
  /** 20 bytes each; several nodes may share one key. */
  readonly nodeIds: readonly Uint8Array[]
  readonly weight: bigint
  readonly outcome: Outcome
  /** True when the signature was known from an earlier aggregation, so no request was needed. */
  readonly fromCache?: true
  /** The node's own error code, with `refused`. */
  readonly code?: number
  /** The node's own text, or what was wrong; for people, never to be parsed. */
  readonly text?: string
  /**
   * With `not-asked` and `unanswered`: recent misconduct on this chain, which is why it is asked after all
   * others.
   */
  readonly lately?: Misconduct
  /** Milliseconds from the last request to its answer. */
  readonly latencyMs?: number
  /** Number of requests sent to the nodes of this validator, retries included. */
  readonly requests: number
  readonly inSignedMessage: boolean
}

/** One reason why weight is missing. */
export interface Reason {
  readonly outcome: Outcome
  readonly code?: number
  readonly text?: string
  readonly validators: number
  readonly weight: bigint
}

/** Counts of one aggregation. */
export interface Counters {
  /** Requests sent, retries included. */
  readonly requests: number
  readonly responses: number
  /** Responses that do not parse, or hold a signature of the wrong length or off the curve. */
  readonly malformed: number
  /** Well-formed signatures that are not the validator's own over this message. */
  readonly wrongSignatures: number
  /** Answers of a second node of a key after the first node's signature was accepted. */
  readonly redundant: number
  readonly retries: number
  /** Waves of requests after the first, sent because answers were missing. */
  readonly hedges: number
  readonly fromCache: number
  /** Batch checks: one pairing product each, whatever the size; bisections are not counted. */
  readonly batches: number
}

/** The outcome for every validator, and why weight is missing. */
export interface Report {
  readonly validators: readonly ReportEntry[]
  /** Weight of the valid signatures, whether or not the message needed them. */
  readonly signedWeight: bigint
  readonly neededWeight: bigint
  readonly targetWeight: bigint
  readonly totalWeight: bigint
  /** Why weight is missing, heaviest reason first; empty when all signed. */
  readonly reasons: readonly Reason[]
  readonly counters: Counters
  readonly elapsedMs: number
}
