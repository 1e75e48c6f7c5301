/**
 * A local EVM chain with tokens of each standard and generated traffic, for demonstrations and for tests with
 * a real EVM.
 *
 * @packageDocumentation
 */
export { createDemo, type Demo, type DemoContracts } from './Demo.ts'
export { DemoChainError, type DemoChainErrorCode } from './DemoChainError.ts'
export { type LocalEvm, type LocalEvmOptions, startLocalEvm } from './LocalEvm.ts'
