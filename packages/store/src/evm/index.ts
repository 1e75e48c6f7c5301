/**
 * Storage of EVM chains in SQL, with one schema for each chain, one writer and any number of readers.
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
export type { CheckResults } from './internal/storeChecks.ts'
export * as EvmBalanceChecks from './queries/BalanceChecks.ts'
export * as EvmBlocks from './queries/Blocks.ts'
export * as EvmChanges from './queries/Changes.ts'
export * as EvmContracts from './queries/Contracts.ts'
export * as EvmCreations from './queries/Creations.ts'
export * as EvmInternalCalls from './queries/InternalCalls.ts'
export * as EvmMetrics from './queries/Metrics.ts'
export type { Range } from './queries/Range.ts'
export * as EvmTokenBalances from './queries/TokenBalances.ts'
export * as EvmTokenHolders from './queries/TokenHolders.ts'
export * as EvmTokens from './queries/Tokens.ts'
export * as EvmTransactions from './queries/Transactions.ts'
export * as EvmTransfers from './queries/Transfers.ts'
export { type RemovedChain, resetEvmChain } from './resetEvmChain.ts'
export { sqlTokenQueue } from './SqlTokenQueue.ts'
export * as StoredChains from './StoredChains.ts'
