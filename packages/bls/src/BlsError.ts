import { FirnError } from '@firn/codec'

/**
 * Codes of {@link BlsError}:
 *
 * - `BLS_SECRET_KEY`: not 32 bytes, zero, or not below the group order.
 * - `BLS_KEY_MATERIAL`: fewer than 32 bytes to derive a secret key from.
 * - `BLS_PUBLIC_KEY`: not the 48-byte canonical form of a point in the subgroup, or the point at infinity.
 * - `BLS_SIGNATURE`: not the 96-byte canonical form of a point in the subgroup.
 * - `BLS_EMPTY_AGGREGATE`: there is nothing to aggregate.
 */
export type BlsErrorCode =
  | 'BLS_SECRET_KEY'
  | 'BLS_KEY_MATERIAL'
  | 'BLS_PUBLIC_KEY'
  | 'BLS_SIGNATURE'
  | 'BLS_EMPTY_AGGREGATE'

/** Every error that this package throws on purpose. */
export class BlsError extends FirnError<BlsErrorCode> {
  override readonly name = 'BlsError'
}
