/**
 * Databases and recorded networks for tests.
 *
 * @packageDocumentation
 */
export { eachDatabase, type Kind } from './databases.ts'
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
