/**
 * A complete test network: validators that sign over real TLS connections, a P-chain whose validator sets
 * change with height, and configurable faults.
 */

export * as Acp118Handler from './Acp118Handler.ts'
export type { BlockBuilder, BuiltBlock } from './building/BlockBuilder.ts'
export * as FundedWallet from './building/FundedWallet.ts'
export type { Change } from './Change.ts'
export type { AcceptMessage, Devnet, DevnetValidator } from './Devnet.ts'
export { DevnetError, type DevnetErrorCode } from './DevnetError.ts'
export * as Fate from './Fate.ts'
export * as Fault from './Fault.ts'
export type { L1, PrimaryChains } from './Genesis.ts'
export * as LedgerPlatform from './LedgerPlatform.ts'
export { createCommand, type OpenArchive, type OpenedArchive } from './main.ts'
export type { DevnetOptions, L1Options, Node } from './Options.ts'
export * as PlatformMessages from './PlatformMessages.ts'
export { createDevnet } from './RunningDevnet.ts'
export type { BlockValidator } from './recorded/BlockValidator.ts'
export * as GeneratedNetwork from './recorded/GeneratedNetwork.ts'
export {
  createRecordedDevnet,
  genesisFileOf,
  type Heights,
  type RecordedDevnet,
  type RecordedDevnetOptions,
} from './recorded/RecordedDevnet.ts'
export * as RecordedNetwork from './recorded/RecordedNetwork.ts'
export * as State from './State.ts'
export * as Timeline from './Timeline.ts'
export type { Validator, ValidatorCounters } from './Validator.ts'
