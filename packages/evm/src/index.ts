/**
 * EVM blocks: reads blocks from a node's responses, checks that they are complete, and derives data from
 * them.
 *
 * @packageDocumentation
 */
export * as AbiDecoder from './AbiDecoder.ts'
export * as AbiFile from './AbiFile.ts'
export * as AbiSignature from './AbiSignature.ts'
export * as Activity from './Activity.ts'
export * as BalanceOf from './BalanceOf.ts'
export type { Block, CallFrame, CallType, Log, SelectedLogs, Transaction } from './Block.ts'
export { CALL_TYPES } from './Block.ts'
export * as BlockReader from './BlockReader.ts'
export * as ContractAbi from './ContractAbi.ts'
export {
  type ContractFacts,
  type ContractKind,
  PROXY_KINDS,
  type ProxyFacts,
  type ProxyKind,
} from './ContractFacts.ts'
export * as Creations from './Creations.ts'
export * as EventAbi from './EventAbi.ts'
export * as EventDecoder from './EventDecoder.ts'
export { EvmError, type EvmErrorCode } from './EvmError.ts'
export * as IcmEvents from './IcmEvents.ts'
export * as InternalCalls from './InternalCalls.ts'
export * as MethodNames from './MethodNames.ts'
export * as Periods from './Periods.ts'
export * as Rates from './Rates.ts'
export * as StandardAbi from './StandardAbi.ts'
export * as TeleporterMessage from './TeleporterMessage.ts'
export * as TraceReader from './TraceReader.ts'
export * as Transfers from './Transfers.ts'
export * as Wrappings from './Wrappings.ts'
