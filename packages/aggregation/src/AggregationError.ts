import { FirnError } from '@firn/codec'

/**
 * - `AGGREGATION_INPUT`: an argument is wrong (percentages, message, indices); `details.field` names it.
 * - `AGGREGATION_QUORUM_NOT_REACHED`: the deadline came first, or was too near to ask again those who refused as
 *   “not yet”; `details` holds `report` ({@link Report}), `signedWeight`, `neededWeight`, `targetWeight` and
 *   `totalWeight`.
 * - `AGGREGATION_QUORUM_IMPOSSIBLE`: stopped early, as nothing that could still come would have reached the quorum;
 *   `details` as before.
 * - `AGGREGATION_ABORTED`: the caller's signal aborted, or its `onProgress` threw; `cause` is the reason.
 * - `AGGREGATION_VERIFICATION`: the assembled message doesn't verify as its receiver would check it, though each
 *   signature does; `details.reason` says what the verification said.
 */
export type AggregationErrorCode =
  | 'AGGREGATION_INPUT'
  | 'AGGREGATION_QUORUM_NOT_REACHED'
  | 'AGGREGATION_QUORUM_IMPOSSIBLE'
  | 'AGGREGATION_ABORTED'
  | 'AGGREGATION_VERIFICATION'

/** The error of this package; test `code`. */
export class AggregationError extends FirnError<AggregationErrorCode> {
  override readonly name = 'AggregationError'
}
