import type { BlockRow } from '../EvmSchema.ts'

/** An undone block. */
export type Undone = Pick<BlockRow, 'height' | 'time'>
