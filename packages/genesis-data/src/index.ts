/**
 * The genesis of mainnet, fuji and the local network.
 *
 * @packageDocumentation
 */
export { GenesisDataError, type GenesisDataErrorCode } from './GenesisDataError.ts'
export * as NetworkGenesis from './NetworkGenesis.ts'
