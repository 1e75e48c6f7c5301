import { FirnError } from '@firn/codec'

/**
 * - `DEVNET_OPTIONS`: an invalid option, flag or fault
 * - `DEVNET_CHANGE`: a change that the P-chain's state does not allow
 * - `DEVNET_UNKNOWN`: no such validator, chain, subnet or validation
 */
export type DevnetErrorCode = 'DEVNET_OPTIONS' | 'DEVNET_CHANGE' | 'DEVNET_UNKNOWN'

/** The only error class of this package. */
export class DevnetError extends FirnError<DevnetErrorCode> {
  override readonly name = 'DevnetError'
}
