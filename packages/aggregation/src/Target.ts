import { Quorum } from '@firn/warp'

/** The weights that steer one run. */
export interface Target {
  readonly total: bigint
  /** Weight required for a result: ⌈total · quorum / 100⌉. */
  readonly needed: bigint
  /** Weight of quorum plus buffer, at which the run stops. */
  readonly target: bigint
  /** Target plus slack: the weight asked at a time, so that a few failures cost no second wave. */
  readonly goal: bigint
}

/** Percentages of one request. */
export interface Percentages {
  readonly quorum: number
  readonly buffer: number
  readonly slack: number
}

/** Returns the weights for percentages of a total. */
export function create(total: bigint, { quorum, buffer, slack }: Percentages): Target {
  const needed = Quorum.needed(total, quorum)
  const target = Quorum.needed(total, quorum + buffer)
  return { total, needed, target, goal: min(total, target + Quorum.needed(total, slack)) }
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
