/**
 * Chains for tests: chains that are generated from a seed, and recorded chains.
 *
 * @packageDocumentation
 */
export { btcbLogs } from './btcbLogs.ts'
export { icmId, icmLogs, MESSENGER_EVENTS, messengerLog, type TestMessage, warpLog } from './icmLogs.ts'
export {
  type InventedChain,
  type InventedOptions,
  type InventedParts,
  inventedChain,
  inventedFacts,
} from './inventedChain.ts'
export * as Plain from './plain.ts'
export { type Random, seeded } from './Random.ts'
export { RECORDED, type RecordedName, type RecordedParts, recordedChain } from './recordedChain.ts'
export { renderBlock } from './renderBlock.ts'
