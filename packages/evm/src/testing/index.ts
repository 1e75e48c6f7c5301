/**
 * Chains for tests: invented ones determined by a seed, and recorded ones.
 *
 * @packageDocumentation
 */
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
