import { FirnError } from '@firn/codec'

/**
 * - `DEVNET_OPTIONS`: an option, flag or fault that makes no sense
 * - `DEVNET_CHANGE`: a change that the P-chain's state does not allow
 * - `DEVNET_UNKNOWN`: no such validator, chain, subnet or validation
 */
export type DevnetErrorCode = 'DEVNET_OPTIONS' | 'DEVNET_CHANGE' | 'DEVNET_UNKNOWN'

/** The one error class of this package. */
export class DevnetError extends FirnError<DevnetErrorCode> {
  override readonly name = 'DevnetError'
}
