import { Networks } from '@firn/genesis'
import { genesis, type L1, l1Changes, type PrimaryChains } from '../Genesis.ts'
import type { DevnetOptions } from '../Options.ts'
import { createTimeline, type Timeline } from '../Timeline.ts'
import type { ValidatorKeys } from '../Validator.ts'
import type { Plan } from './plan.ts'

/**
 * Age in milliseconds of the genesis and of the L1s' blocks at the start. It is high enough that the tip is
 * already proposed.
 */
export const GENESIS_AGE_MS = 3_600_000
const DEFAULT_WEIGHT = 2_000_000_000_000_000n

/** Inputs for creating a timeline. */
export interface Start {
  readonly options: DevnetOptions
  readonly networkId: number
  readonly primary: PrimaryChains
  readonly plan: Plan
  /** L1s in the order of the plan. */
  readonly l1s: readonly L1[]
  readonly keys: readonly ValidatorKeys[]
  /** Returns the time in Unix milliseconds. */
  readonly now: () => number
}

/**
 * Creates the P-chain's timeline from its genesis to the conversions of the L1s, or from the given initial
 * state.
 */
export function startTimeline(from: Start): Timeline {
  const { options, networkId, primary, plan, l1s, keys, now } = from
  const start = now() - GENESIS_AGE_MS
  const { proposedLagMs, platform } = options
  const network = Number(Networks.of(networkId).upgrades.graniteEpochDuration / 1_000_000n)
  const { epochDurationMs = network } = options
  const nodes = keys.map(({ identity, publicKey }) => ({ nodeId: identity.nodeId, publicKey }))
  const state =
    platform?.(nodes) ??
    genesis(networkId, primary, primaryValidators(from), BigInt(Math.floor(start / 1000)))
  const timeline = createTimeline(state, start, {
    ...(proposedLagMs === undefined ? {} : { proposedLagMs }),
    epochDurationMs,
  })
  for (const [index, l1] of l1s.entries()) {
    const planned = plan.l1s[index] as Plan['l1s'][number]
    const inactive = planned.options.inactive.map((position) => planned.nodes[position] as number)
    timeline.advance(l1Changes(l1, new Set(inactive)), start)
  }
  // Verifiers use the P-chain height of the epoch. These two blocks advance it past the conversions of the
  // L1s.
  if (l1s.length > 0) for (const age of [2, 1]) timeline.advance([], now() - age * 600_000)
  return timeline
}

function primaryValidators({ options, plan, keys }: Start) {
  const { weights = [], keyless = [] } = options
  return keys.slice(0, plan.primaries).map(({ identity, publicKey }, index) => ({
    kind: 'set-primary' as const,
    nodeId: identity.nodeId,
    publicKey: keyless.includes(index) ? null : publicKey,
    weight: weights[index] ?? DEFAULT_WEIGHT,
  }))
}
