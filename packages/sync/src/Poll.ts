import { Hex, Id } from '@firn/codec'
import type { ChainAnswers } from './Transport.ts'

/** How samples of voters decide: `threshold` of `draws` must agree in each of `rounds` rounds in a row. */
export interface SampleRule {
  readonly draws: number
  readonly threshold: number
  readonly rounds: number
}

/** The rule with which hostile voters with 20 % of the stake win less than 10⁻⁹ of the polls: 3.2·10⁻¹⁴. */
export const SAMPLE_RULE: SampleRule = { draws: 20, threshold: 15, rounds: 2 }

/**
 * Returns the probability that hostile voters with a share of the stake (0 to 1) win a poll, if they vote together and
 * each draw is independent: (Σ C(n, i) · sⁱ · (1 − s)ⁿ⁻ⁱ for i from the threshold to n) to the power of the rounds.
 *
 * @example
 * ```ts
 * import { Poll } from '@firn/sync'
 *
 * Poll.hostileWin(Poll.SAMPLE_RULE, 0.2) // 3.2e-14
 * Poll.hostileWin({ draws: 20, threshold: 11, rounds: 1 }, 0.49) // 0.38
 * ```
 */
export function hostileWin({ draws, threshold, rounds }: SampleRule, share: number): number {
  let sum = 0
  let ways = 1
  for (let i = 0; i <= draws; i++) {
    if (i >= threshold) sum += ways * share ** i * (1 - share) ** (draws - i)
    ways = (ways * (draws - i)) / (i + 1)
  }
  return sum ** rounds
}

/** An accepted block, as voters report it. */
export interface Vote {
  readonly id: Uint8Array
  readonly height: bigint
}

/** The chits of a poll; created by {@link createTally}. */
export interface Tally {
  /** Counts a voter's chits. */
  add(nodeId: Uint8Array, chits: ChainAnswers['pullQuery'], weight: bigint): void
  /** Returns the highest block above `height` with enough weight, and the voters that have it. */
  decided(height: bigint): { readonly vote: Vote; readonly supporters: readonly Uint8Array[] } | undefined
  /** Returns the highest height that voters with enough weight have accepted, or undefined. */
  commonHeight(): bigint | undefined
}

interface Candidate extends Vote {
  weight: bigint
  readonly supporters: Uint8Array[]
}

/**
 * Returns a tally in which a block is decided if `isEnough` returns true for the weight of its voters. A voter counts for
 * the block that it accepted last, and for the one that it accepted at `requestedHeight`: it prefers only that one
 * there. A preferred block above the accepted ones does not count.
 *
 * @example
 * ```ts
 * import { Poll } from '@firn/sync'
 *
 * const tally = Poll.createTally(100n, (weight) => 2n * weight > 1_000n)
 * tally.decided(99n) // undefined
 * ```
 */
export function createTally(requestedHeight: bigint, isEnough: (weight: bigint) => boolean): Tally {
  const candidates = new Map<string, Candidate>()
  const heights: { readonly height: bigint; readonly weight: bigint }[] = []
  const count = (nodeId: Uint8Array, id: Uint8Array, height: bigint, weight: bigint) => {
    const key = `${height} ${Hex.encodeBare(id)}`
    const candidate = candidates.get(key) ?? { id, height, weight: 0n, supporters: [] }
    candidate.weight += weight
    candidate.supporters.push(nodeId)
    candidates.set(key, candidate)
  }
  return {
    add(nodeId, { acceptedHeight, acceptedId, preferredIdAtHeight }, weight) {
      if (acceptedId.length !== Id.LENGTH || preferredIdAtHeight.length !== Id.LENGTH) return
      heights.push({ height: acceptedHeight, weight })
      count(nodeId, acceptedId, acceptedHeight, weight)
      if (acceptedHeight > requestedHeight) count(nodeId, preferredIdAtHeight, requestedHeight, weight)
    },
    decided(height) {
      let best: Candidate | undefined
      for (const candidate of candidates.values()) {
        if (candidate.height <= (best?.height ?? height) || !isEnough(candidate.weight)) continue
        best = candidate
      }
      return best && { vote: { id: best.id, height: best.height }, supporters: best.supporters }
    },
    commonHeight() {
      let sum = 0n
      const highestFirst = heights.toSorted((a, b) => (a.height < b.height ? 1 : -1))
      return highestFirst.find(({ weight }) => {
        sum += weight
        return isEnough(sum)
      })?.height
    },
  }
}
