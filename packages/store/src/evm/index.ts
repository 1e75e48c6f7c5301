/**
 * EVM chains in SQL: one schema for each chain, one writer, any number of readers.
 *
 * @packageDocumentation
 */
export type * as EvmSchema from './EvmSchema.ts'
