/**
 * The genesis of mainnet, fuji and the local network, and the beacons and checkpoints of mainnet and fuji.
 *
 * @packageDocumentation
 */
export * as Beacons from './Beacons.ts'
export * as Checkpoints from './Checkpoints.ts'
export { GenesisDataError, type GenesisDataErrorCode } from './GenesisDataError.ts'
export * as NetworkGenesis from './NetworkGenesis.ts'
