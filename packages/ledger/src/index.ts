/**
 * The state machine of the Primary Network: computes state changes from accepted blocks.
 *
 * @packageDocumentation
 */
export * as Atomic from './Atomic.ts'
export * as Avm from './Avm.ts'
export * as Change from './Change.ts'
export * as Ledger from './Ledger.ts'
export { LedgerError, type LedgerErrorCode } from './LedgerError.ts'
export * as LedgerState from './LedgerState.ts'
export * as Platform from './Platform.ts'
export * as Reads from './Reads.ts'
export * as Records from './Records.ts'
export * as ValidatorSets from './ValidatorSets.ts'
export * as VertexOrder from './VertexOrder.ts'
export * as Vertices from './Vertices.ts'
