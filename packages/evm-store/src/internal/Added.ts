import type { BlockRow } from '../EvmSchema.ts'
import type { IndexedBlock } from '../IndexedBlock.ts'
import type { Derived } from './blockRows.ts'

/** The row of the newest block and the sequence number of the newest change. */
export interface Tip {
  readonly block: BlockRow | undefined
  readonly sequence: bigint
}

/** A block of a batch with its derived rows. */
export interface Added extends Derived, IndexedBlock {
  readonly row: BlockRow
}
