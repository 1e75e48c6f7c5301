/**
 * EVM chains in SQL: one schema for each chain, one writer, any number of readers.
 *
 * @packageDocumentation
 */
export { EVM_NETWORKS, type EvmChain, type EvmNetwork } from './EvmChain.ts'
export type * as EvmSchema from './EvmSchema.ts'
export type { EvmPosition, EvmSnapshot } from './EvmSnapshot.ts'
export { type EvmOptions, EvmStore, evmSchemaOf } from './EvmStore.ts'
export { EvmWriter, type IndexedBlock } from './EvmWriter.ts'
export * as EvmChangePages from './pages/Changes.ts'
