import { FirnError } from '@firn/codec'

/**
 * Codes of {@link WalletError}:
 *
 * - `WALLET_INPUT`: an argument is malformed, or an address belongs to another network or chain.
 * - `WALLET_SIGNATURES`: other owners must sign before the transaction can be issued. `details.missing` has their
 *   addresses, and `details.draft` is the JSON to pass on to them.
 * - `WALLET_DROPPED`: the network rejected the transaction. `details.reason` is the node's reason, if it gives one.
 * - `WALLET_TIMEOUT`: the transaction was issued, but not accepted in time. It may still be accepted.
 */
export type WalletErrorCode = 'WALLET_INPUT' | 'WALLET_SIGNATURES' | 'WALLET_DROPPED' | 'WALLET_TIMEOUT'

/**
 * The error that this package throws. Building also throws TxsError, for example if funds are missing, and requests
 * throw RpcError.
 */
export class WalletError extends FirnError<WalletErrorCode> {
  override readonly name = 'WalletError'
}
