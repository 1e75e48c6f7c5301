import type { Block, ContractFacts } from '@firn/evm'

/** A block to be stored. */
export interface IndexedBlock {
  readonly block: Block
  /** The facts of those contracts of the block that `EvmWriter.unknownContracts` returned. */
  readonly contracts: readonly ContractFacts[]
}
