import { FirnError } from '@firn/codec'

/**
 * Codes of {@link GenesisDataError}:
 * - `GENESIS_DATA_NETWORK`: this package has no genesis for the network. `details.networkId` is the network's
 * id.
 * - `GENESIS_DATA_DAMAGED`: a data file is missing or differs from the published file. `details.expected` and
 * `details.actual` are the SHA-256 digests, if the file could be read.
 */
export type GenesisDataErrorCode = 'GENESIS_DATA_NETWORK' | 'GENESIS_DATA_DAMAGED'

/** The error that this package throws. Malformed network names throw a CodecError instead. */
export class GenesisDataError extends FirnError<GenesisDataErrorCode> {
  override readonly name = 'GenesisDataError'
}
