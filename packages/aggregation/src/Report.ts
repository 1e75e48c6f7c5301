/**
 * What became of one validator:
 * - `signed`: a valid signature is at hand (`inSignedMessage` tells whether it was needed)
 * - `refused`: the node answered an error, `code` and `text` are its own
 * - `empty`: the answer held no signature
 * - `bad-signature`: wrong length, not a point of the group, or not this validator's signature of this message
 * - `timed-out`: asked, silent until the time-out, the deadline, or so long that others were asked in its stead
 * - `unanswered`: asked, not yet answered when the result was complete without it
 * - `disconnected`: the connection broke before the answer
 * - `not-connected`: could not be asked, `text` says why
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

/** What a validator did instead of signing. `code` and `text` as in a {@link ReportEntry}. */
export interface Misconduct {
  readonly outcome: Outcome
  readonly code?: number
  readonly text?: string
}

/** What became of one validator of the canonical set. */
export interface ReportEntry {
  /** Place in the canonical set, which is the bit in the signed message. */
  readonly index: number
  /** 20 bytes each; several nodes may stand behind one key. */
  readonly nodeIds: readonly Uint8Array[]
  readonly weight: bigint
  readonly outcome: Outcome
  /** The signature was known from an earlier aggregation; nobody was asked. */
  readonly fromCache?: true
  /** The node's own error code, with `refused`. */
  readonly code?: number
  /** The node's own words, or what was wrong; for people, never to be parsed. */
  readonly text?: string
  /** With `not-asked` and `unanswered`: what it did lately on this chain, for which it is asked after all others. */
  readonly lately?: Misconduct
  /** From the last request to its answer. */
  readonly latencyMs?: number
  /** How many requests were sent to the nodes of this validator, retries included. */
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
  /** Responses that don't parse, or hold a signature of the wrong length or off the curve. */
  readonly malformed: number
  /** Well-formed signatures that are not the validator's own over this message. */
  readonly wrongSignatures: number
  /** Answers of a second node of a key, after the first node's signature was taken. */
  readonly redundant: number
  readonly retries: number
  /** Waves of requests after the first, sent since answers lacked. */
  readonly hedges: number
  readonly fromCache: number
  /** Batch checks: each is one pairing product, whatever its size; bisections not counted. */
  readonly batches: number
}

/** What became of every validator, and why weight is missing. */
export interface Report {
  readonly validators: readonly ReportEntry[]
  /** Valid signatures' weight, whether or not needed for the message. */
  readonly signedWeight: bigint
  readonly neededWeight: bigint
  readonly targetWeight: bigint
  readonly totalWeight: bigint
  /** Why weight is missing, heaviest reason first; empty when all signed. */
  readonly reasons: readonly Reason[]
  readonly counters: Counters
  readonly elapsedMs: number
}
