import type { Block, ContractFacts } from '@firn/evm'

/** A block to be stored. */
export interface IndexedBlock {
  readonly block: Block
  /** Of those contracts of the block that `EvmWriter.unknownContracts` named. */
  readonly contracts: readonly ContractFacts[]
}
