import type { BlockRow } from '../EvmSchema.ts'

/** A block that is undone. */
export type Undone = Pick<BlockRow, 'height' | 'time'>
