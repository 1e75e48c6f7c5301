/**
 * Chains for tests: invented chains that are determined by a seed, and recorded chains.
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
