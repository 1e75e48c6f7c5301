/**
 * The state machine of the Primary Network: accepted blocks in, state changes out.
 *
 * @packageDocumentation
 */
export * as Change from './Change.ts'
export { LedgerError, type LedgerErrorCode } from './LedgerError.ts'
export * as Platform from './Platform.ts'
export * as PlatformState from './PlatformState.ts'
export * as Records from './Records.ts'
export * as ValidatorSets from './ValidatorSets.ts'
