/**
 * A request with decoded fields that are within their ranges. The fields have not been checked in any other
 * way.
 */
export interface AggregateRequest {
  /** The received bytes: an unsigned message or event data. */
  readonly message: Uint8Array | undefined
  readonly justification: Uint8Array | undefined
  /** Id of the signing subnet (32 bytes). */
  readonly signingSubnetId: Uint8Array | undefined
  /** Required quorum in percent, from 1 to 100. */
  readonly quorumPercentage: number
  /** Additional percentage beyond the quorum, from 0 to 100 − quorum. */
  readonly bufferPercentage: number
  readonly height: bigint | 'proposed'
  /** Milliseconds within which the caller needs a response. */
  readonly deadlineMs: number | undefined
  /** Milliseconds for which validators are asked again that do not know the message yet; undefined for the default. */
  readonly waitMs?: number | undefined
  /** Id of the chain (32 bytes) that is to verify the message. `height` is then `proposed`. */
  readonly destinationChain?: Uint8Array | undefined
}
