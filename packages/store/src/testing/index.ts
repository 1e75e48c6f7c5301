/**
 * Databases and recorded networks for tests.
 *
 * @packageDocumentation
 */
export { type Busy, busyChain, type Regular } from './busyChain.ts'
export { eachDatabase, type Kind } from './databases.ts'
export { type FactsOf, openEvm, recordedEvmStore, TEST_CHAIN } from './evm.ts'
export { evmAddress, evmBlock, evmHash, evmTransaction, evmTransfer } from './evmBlocks.ts'
export { evmContents } from './evmContents.ts'
export { inBatches } from './inBatches.ts'
export { adding, commitInvented, type InventedBlock, inventedStaker, inventedSubnet } from './invented.ts'
export { type DagOptions, type InventedDag, inventedDag, storeDag } from './inventedDag.ts'
export { type InventedLedger, inventedAddress, inventedLedger } from './inventedLedger.ts'
export { longChain, type Proposer, spendingChain } from './longChain.ts'
export { fillUtxos, manyUtxo } from './manyUtxos.ts'
export { openStore } from './openStore.ts'
export { openPGlite } from './pglite.ts'
export { type DagName, type Indexed, loadDag, type RecordedDag } from './recordedDags.ts'
export { recordedStore } from './recordedStore.ts'
export * as Recordings from './recordings.ts'
export { openUsage } from './usage.ts'
export { OWN_ID, withMessages } from './withMessages.ts'
