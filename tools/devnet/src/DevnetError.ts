import { FirnError } from '@firn/codec'

/**
 * Error codes of this package:
 * - `DEVNET_OPTIONS`: an option, flag or fault is invalid
 * - `DEVNET_CHANGE`: the P-chain's state does not allow the change
 * - `DEVNET_UNKNOWN`: the validator, chain, subnet or validation does not exist
 * - `DEVNET_RECORDING`: a recorded network is incomplete, or its blocks do not follow each other
 * - `DEVNET_TRANSACTION`: a transaction is refused for a reason that other packages do not check
 */
export type DevnetErrorCode =
  | 'DEVNET_OPTIONS'
  | 'DEVNET_CHANGE'
  | 'DEVNET_UNKNOWN'
  | 'DEVNET_RECORDING'
  | 'DEVNET_TRANSACTION'

/** The only error class of this package. */
export class DevnetError extends FirnError<DevnetErrorCode> {
  override readonly name = 'DevnetError'
}
