import { FirnError } from '@firn/codec'

/**
 * Codes of {@link GenesisDataError}:
 * - `GENESIS_DATA_NETWORK`: this package has no genesis for the network; `details.networkId`.
 * - `GENESIS_DATA_DAMAGED`: a data file is missing, or is not the published one; `details.expected` and `details.actual` are its
 *   SHA-256 where it could be read.
 */
export type GenesisDataErrorCode = 'GENESIS_DATA_NETWORK' | 'GENESIS_DATA_DAMAGED'

/** Thrown by everything in this package, besides the CodecError of a malformed network name. */
export class GenesisDataError extends FirnError<GenesisDataErrorCode> {
  override readonly name = 'GenesisDataError'
}
