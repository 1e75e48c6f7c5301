import type { BlockRow } from '../EvmSchema.ts'

/** Height and time of an undone block. */
export type Undone = Pick<BlockRow, 'height' | 'time'>
