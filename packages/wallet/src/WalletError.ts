import { FirnError } from '@firn/codec'

/**
 * Codes of {@link WalletError}:
 *
 * - `WALLET_INPUT`: an argument is malformed, or an address belongs to another network or chain.
 * - `WALLET_SIGNATURES`: other owners must sign before the transaction can be issued. `details.missing` has their
 *   addresses, and `details.draft` is the JSON to pass on to them.
 * - `WALLET_DROPPED`: the network rejected the transaction. `details.reason` is the node's reason, if it gives one.
 * - `WALLET_TIMEOUT`: the transaction was issued, but not accepted in time. It may still be accepted.
 * - `WALLET_SERIES`: a series failed after some of its transactions were accepted. `details.txIds` has their ids, and `cause`
 *   is the error of the transaction that failed, whose `details` are repeated.
 */
export type WalletErrorCode =
  | 'WALLET_INPUT'
  | 'WALLET_SIGNATURES'
  | 'WALLET_DROPPED'
  | 'WALLET_TIMEOUT'
  | 'WALLET_SERIES'

/**
 * The error that this package throws. Building also throws TxsError, for example if funds are missing, and requests
 * throw RpcError.
 */
export class WalletError extends FirnError<WalletErrorCode> {
  override readonly name = 'WalletError'
}

/**
 * Builds a transaction. Plain JavaScript passes values of any type, so reports a missing argument as a WalletError.
 * @throws WalletError `WALLET_INPUT`, and the errors of `build`
 */
export async function checked<T>(build: () => Promise<T>): Promise<T> {
  try {
    return await build()
  } catch (cause) {
    if (!(cause instanceof TypeError || cause instanceof RangeError)) throw cause
    const message = `an argument is missing or has the wrong type: ${cause.message}`
    throw new WalletError('WALLET_INPUT', message, { cause })
  }
}
