import { Quorum } from '@firn/warp'

/** Weights that control one run. */
export interface Target {
  readonly total: bigint
  /** Weight required for a result: ⌈total · quorum / 100⌉. */
  readonly needed: bigint
  /** Weight of quorum plus buffer. The run stops when this weight is reached. */
  readonly target: bigint
  /** Target plus slack: the weight to query in one wave, so that a few failures do not need a second wave. */
  readonly goal: bigint
}

/** The percentages that one request sets, relative to the total weight. */
export interface Percentages {
  readonly quorum: number
  readonly buffer: number
  readonly slack: number
}

/** Returns the weights for the given percentages of `total`. */
export function create(total: bigint, { quorum, buffer, slack }: Percentages): Target {
  const needed = Quorum.needed(total, quorum)
  const target = Quorum.needed(total, quorum + buffer)
  return { total, needed, target, goal: min(total, target + Quorum.needed(total, slack)) }
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
