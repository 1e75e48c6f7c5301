/**
 * Stores of EVM chains for tests.
 *
 * @packageDocumentation
 */
export { type Busy, busyChain, type Regular } from './busyChain.ts'
export { eachDatabase, type Kind } from './databases.ts'
export { type FactsOf, openEvm, recordedEvmStore, TEST_CHAIN } from './evm.ts'
export { evmAddress, evmBlock, evmHash, evmTransaction, evmTransfer } from './evmBlocks.ts'
export { evmContents } from './evmContents.ts'
export { inBatches } from './inBatches.ts'
export { OWN_ID, withMessages } from './withMessages.ts'
