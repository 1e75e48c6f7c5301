import type { Block, ContractFacts } from '@firn/evm'

/** A block to be stored, with facts about its contracts. */
export interface IndexedBlock {
  readonly block: Block
  /** Facts about the contracts of the block whose addresses `EvmWriter.unknownContracts` returned. */
  readonly contracts: readonly ContractFacts[]
}
