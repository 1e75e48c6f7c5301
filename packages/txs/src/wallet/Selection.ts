/**
 * Selection of coins within the limits of nodes: `cover` pays given amounts, `gather` takes as many coins as fit.
 */
export { cover } from './selection/cover.ts'
export type { Request, Spent } from './selection/covering.ts'
export { type Gathered, type GatherRequest, gather, type Left, type Reason } from './selection/gather.ts'
export { type Meter, type Piece, worth } from './selection/meter.ts'
