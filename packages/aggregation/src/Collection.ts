import type { ValidatorSet } from '@firn/warp'
import { type Entry, type Phase, phaseOf } from './Entry.ts'

/** The state of all validators in one run, with the total weight in each phase. */
export interface Collection {
  readonly entries: readonly Entry[]
  /** The phase of each entry. */
  readonly phases: readonly Phase[]
  /** Total weight of the entries in each phase. */
  readonly weights: Readonly<Record<Phase, bigint>>
  /** Number of entries in each phase. */
  readonly counts: Readonly<Record<Phase, number>>
}

/** Returns the initial collection: no validator has been queried and no connection has been checked. */
export function create(validatorSet: ValidatorSet.ValidatorSet, inactive: ReadonlySet<number>): Collection {
  const entries: Entry[] = []
  const phases: Phase[] = []
  const collection = { entries, phases, weights: perPhase(0n), counts: perPhase(0) }
  for (const [index, { publicKey, weight, nodeIds }] of validatorSet.validators.entries()) {
    const nodes = nodeIds.map((nodeId) => ({ nodeId, state: { kind: 'idle' } as const, failures: 0 }))
    const entry: Entry = {
      index,
      weight,
      publicKey,
      nodes,
      inactive: inactive.has(index),
      fromCache: false,
      requests: 0,
    }
    const phase = phaseOf(entry)
    entries.push(entry)
    phases.push(phase)
    collection.weights[phase] += weight
    collection.counts[phase] += 1
  }
  return collection
}

/** Replaces the entry that has the same index as `entry`. This is the only function that changes a collection. */
export function update(collection: Collection, entry: Entry): void {
  const { index, weight } = entry
  const before = collection.phases[index]
  if (before === undefined) return
  ;(collection.entries as Entry[])[index] = entry
  const phase = phaseOf(entry)
  if (phase === before) return
  ;(collection.phases as Phase[])[index] = phase
  const weights = collection.weights as Record<Phase, bigint>
  const counts = collection.counts as Record<Phase, number>
  weights[before] -= weight
  weights[phase] += weight
  counts[before] -= 1
  counts[phase] += 1
}

/** Returns the weight of the signatures received so far, verified or not. */
export function collected({ weights }: Collection): bigint {
  return weights.signed + weights.candidate
}

/** Returns the weight of the signatures received so far or expected on time. */
export function covered(collection: Collection): bigint {
  return collected(collection) + collection.weights.waiting
}

/** Returns the weight that is reached if all validators sign except the lost and inactive ones. */
export function reachable(collection: Collection): bigint {
  return covered(collection) + open(collection.weights) + collection.weights.idle
}

/** Returns the weight that is reached if, in addition, no validator signs that has answered "not yet". */
export function reachableNow(collection: Collection): bigint {
  return reachable(collection) - collection.weights['not-yet']
}

/**
 * Returns true when no response or connection is pending and no validator is left to query. Scheduled retries are
 * ignored.
 */
export function isExhausted({ counts }: Collection): boolean {
  return counts.waiting + counts.overdue + counts.idle + counts.connecting === 0
}

function open(weights: Collection['weights']): bigint {
  return weights.overdue + weights.silent + weights['not-yet'] + weights.connecting
}

function perPhase<T>(value: T): Record<Phase, T> {
  return {
    signed: value,
    candidate: value,
    waiting: value,
    overdue: value,
    silent: value,
    'not-yet': value,
    idle: value,
    connecting: value,
    lost: value,
    inactive: value,
  }
}
