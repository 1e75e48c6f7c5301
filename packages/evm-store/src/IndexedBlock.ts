import type { Block, ContractFacts } from '@firn/evm'

/** A block to be stored, with facts about its contracts. */
export interface IndexedBlock {
  readonly block: Block
  /** Facts about the contracts of the block whose addresses `EvmWriter.unknownContracts` returned. */
  readonly contracts: readonly ContractFacts[]
  /**
   * Only set if no node returned the traces of the block, which is then stored without them: the time from which they
   * are requested again, in Unix seconds. See `EvmWriter.fillTraces`.
   */
  readonly tracesDue?: bigint | undefined
}
