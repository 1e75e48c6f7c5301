import { FirnError } from '@firn/codec'

/**
 * - `AGGREGATION_INPUT`: an argument is invalid (percentages, message, indices); `details.field` names it.
 * - `AGGREGATION_QUORUM_NOT_REACHED`: the deadline passed, or was too near to retry validators that refused
 * with “not yet”; `details` holds `report` ({@link Report}), `signedWeight`, `neededWeight`, `targetWeight`
 * and `totalWeight`.
 * - `AGGREGATION_QUORUM_IMPOSSIBLE`: stopped early, because no outstanding answer could reach the quorum;
 * `details` as above.
 * - `AGGREGATION_ABORTED`: the caller's signal aborted, or its `onProgress` threw; `cause` is the reason.
 * - `AGGREGATION_VERIFICATION`: the assembled message fails the receiver's verification although each
 * signature is valid; `details.reason` holds the reason.
 */
export type AggregationErrorCode =
  | 'AGGREGATION_INPUT'
  | 'AGGREGATION_QUORUM_NOT_REACHED'
  | 'AGGREGATION_QUORUM_IMPOSSIBLE'
  | 'AGGREGATION_ABORTED'
  | 'AGGREGATION_VERIFICATION'

/** Thrown by everything in this package; test `code`. */
export class AggregationError extends FirnError<AggregationErrorCode> {
  override readonly name = 'AggregationError'
}
