/**
 * EVM chains in SQL: one schema for each chain, one writer, any number of readers.
 *
 * @packageDocumentation
 */
export { EVM_NETWORKS, type EvmChain, type EvmNetwork } from './EvmChain.ts'
export * as EvmDoctor from './EvmDoctor.ts'
export type * as EvmSchema from './EvmSchema.ts'
export type { EvmPosition, EvmSnapshot } from './EvmSnapshot.ts'
export { type EvmOptions, EvmStore, evmSchemaOf } from './EvmStore.ts'
export { EvmWriter } from './EvmWriter.ts'
export type { IndexedBlock } from './IndexedBlock.ts'
export * as EvmBlockPages from './pages/Blocks.ts'
export * as EvmChangePages from './pages/Changes.ts'
export * as EvmContractPages from './pages/Contracts.ts'
export * as EvmCreationPages from './pages/Creations.ts'
export * as EvmInternalCallPages from './pages/InternalCalls.ts'
export * as EvmMetricPages from './pages/Metrics.ts'
export type { Range } from './pages/Range.ts'
export * as EvmTokenBalancePages from './pages/TokenBalances.ts'
export * as EvmTokenHolderPages from './pages/TokenHolders.ts'
export * as EvmTokenPages from './pages/Tokens.ts'
export * as EvmTransactionPages from './pages/Transactions.ts'
export * as EvmTransferPages from './pages/Transfers.ts'
export { type RemovedChain, resetEvmChain } from './resetEvmChain.ts'
export { sqlTokenQueue } from './SqlTokenQueue.ts'
export * as StoredChains from './StoredChains.ts'
