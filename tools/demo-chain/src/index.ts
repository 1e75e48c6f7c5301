/**
 * Local EVM chains, for demonstrations and for tests with a real EVM: one with tokens of each standard and generated
 * traffic, and one that emulates the Warp precompile.
 *
 * @packageDocumentation
 */
export { createDemo, type Demo, type DemoContracts } from './Demo.ts'
export { DemoChainError, type DemoChainErrorCode } from './DemoChainError.ts'
export { type LocalEvm, type LocalEvmOptions, startLocalEvm } from './LocalEvm.ts'
export { deployMailbox } from './Mailbox.ts'
export { type DeployedMessenger, deployMessenger } from './Messenger.ts'
export { writeVerifiedSources } from './verifiedSources.ts'
export { startWarpChain, type WarpChain, type WarpChainOptions } from './WarpChain.ts'
