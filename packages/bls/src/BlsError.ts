import { FirnError } from '@firn/codec'

/**
 * Codes of {@link BlsError}:
 *
 * - `BLS_SECRET_KEY`: a secret key is not 32 bytes, is zero, or is not below the group order.
 * - `BLS_KEY_MATERIAL`: the key material for a secret key has fewer than 32 bytes.
 * - `BLS_PUBLIC_KEY`: a public key is not the 48-byte canonical form of a point in the subgroup, or it is the
 * point at infinity.
 * - `BLS_SIGNATURE`: a signature is not the 96-byte canonical form of a point in the subgroup.
 * - `BLS_EMPTY_AGGREGATE`: no keys or signatures were given to aggregate.
 */
export type BlsErrorCode =
  | 'BLS_SECRET_KEY'
  | 'BLS_KEY_MATERIAL'
  | 'BLS_PUBLIC_KEY'
  | 'BLS_SIGNATURE'
  | 'BLS_EMPTY_AGGREGATE'

/** The error that this package throws. */
export class BlsError extends FirnError<BlsErrorCode> {
  override readonly name = 'BlsError'
}
