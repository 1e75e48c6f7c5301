import { FirnError } from '@firn/codec'

/**
 * Error codes of this package:
 * - `DEVNET_OPTIONS`: an option, flag or fault is invalid
 * - `DEVNET_CHANGE`: the P-chain's state does not allow the change
 * - `DEVNET_UNKNOWN`: the validator, chain, subnet or validation does not exist
 */
export type DevnetErrorCode = 'DEVNET_OPTIONS' | 'DEVNET_CHANGE' | 'DEVNET_UNKNOWN'

/** The only error class of this package. */
export class DevnetError extends FirnError<DevnetErrorCode> {
  override readonly name = 'DevnetError'
}
