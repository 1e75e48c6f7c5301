/**
 * A local EVM chain with tokens of each standard and traffic, for demonstrations and for tests against a real
 * EVM.
 *
 * @packageDocumentation
 */
export { createDemo, type Demo, type DemoContracts } from './Demo.ts'
export { DemoChainError, type DemoChainErrorCode } from './DemoChainError.ts'
export { type LocalEvm, type LocalEvmOptions, startLocalEvm } from './LocalEvm.ts'
