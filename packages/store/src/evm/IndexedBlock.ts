import type { Block, ContractFacts } from '@firn/evm'

/** A block to be stored, with facts about its contracts. */
export interface IndexedBlock {
  readonly block: Block
  /** Facts about those contracts of the block that `EvmWriter.unknownContracts` returned. */
  readonly contracts: readonly ContractFacts[]
}
