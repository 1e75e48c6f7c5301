import type { Clock } from '@firn/aggregation'
import { Hex } from '@firn/codec'
import type { ValidatorSet } from '@firn/warp'
import type { PeerNetwork } from './PeerNetwork.ts'
import type { SetAtHeight } from './ValidatorSets.ts'

/**
 * Subnets from requests, in addition to the configured ones; the least recently used one is dropped first.
 */
const MAX_ON_DEMAND = 64

/** A tracked subnet. */
export interface Tracked {
  /** The newest set seen. */
  readonly at: SetAtHeight
  /**
   * When the subnet was first seen (milliseconds of the clock), which starts the time for its validators to
   * connect.
   */
  readonly since: number
  /** True for the Primary Network and configured subnets, false for those from requests. */
  readonly isConfigured: boolean
}

/** The tracked subnets; keeps the network's tracked nodes equal to the union of their sets. */
export interface Tracking {
  /** Stores a set if it is newer than the known one of its subnet. */
  track(at: SetAtHeight): { readonly since: number; readonly isNew: boolean }
  subnets(): readonly Tracked[]
}

/** Options of {@link createTracking}. */
export interface TrackingDependencies {
  readonly network: Pick<PeerNetwork, 'track' | 'untrack'>
  readonly clock: Pick<Clock.Clock, 'now'>
  /** Subnets (32 bytes each) that are never forgotten. */
  readonly configured: readonly Uint8Array[]
  /** Nodes that are tracked regardless of the sets. */
  readonly permanentNodes: readonly Uint8Array[]
}

/** Returns a tracking without subnets; the permanent nodes are tracked at once. */
export function createTracking({
  network,
  clock,
  configured,
  permanentNodes,
}: TrackingDependencies): Tracking {
  const subnets = new Map<string, Tracked>()
  const permanent = new Set(configured.map(Hex.encodeBare))
  const { want, unwant } = createWishes(network, permanentNodes)
  const evict = () => {
    const onDemand = [...subnets].filter(([, tracked]) => !tracked.isConfigured)
    const [oldest] = onDemand
    if (onDemand.length <= MAX_ON_DEMAND || oldest === undefined) return
    subnets.delete(oldest[0])
    unwant(oldest[1].at.set)
  }
  const track: Tracking['track'] = (at) => {
    const name = Hex.encodeBare(at.subnetId)
    const before = subnets.get(name)
    const since = before?.since ?? clock.now()
    const isNewer = before === undefined || at.height > before.at.height
    /** Deleting first moves the subnet to the end of the map, which makes the map's order one of use. */
    subnets.delete(name)
    subnets.set(name, { at: isNewer ? at : before.at, since, isConfigured: permanent.has(name) })
    if (isNewer) want(at.set)
    if (isNewer && before !== undefined) unwant(before.at.set)
    evict()
    return { since, isNew: before === undefined }
  }
  return { track, subnets: () => [...subnets.values()] }
}

/** Tells the network which nodes of sets to track, and which are no longer in any set. */
function createWishes(network: TrackingDependencies['network'], permanentNodes: readonly Uint8Array[]) {
  const permanent = new Set(permanentNodes.map(Hex.encodeBare))
  const uses = new Map<string, number>()
  network.track(permanentNodes)
  const want = (set: ValidatorSet.ValidatorSet) => {
    for (const name of nodesOf(set).map(Hex.encodeBare)) uses.set(name, (uses.get(name) ?? 0) + 1)
    network.track(nodesOf(set))
  }
  const unwant = (set: ValidatorSet.ValidatorSet) => {
    const unused: Uint8Array[] = []
    for (const nodeId of nodesOf(set)) {
      const name = Hex.encodeBare(nodeId)
      const left = (uses.get(name) ?? 1) - 1
      if (left > 0) uses.set(name, left)
      else uses.delete(name)
      if (left <= 0 && !permanent.has(name)) unused.push(nodeId)
    }
    network.untrack(unused)
  }
  return { want, unwant }
}

/** Returns the node ids (20 bytes each) behind the keys of a set. */
export function nodesOf(set: ValidatorSet.ValidatorSet): readonly Uint8Array[] {
  return set.validators.flatMap(({ nodeIds }) => nodeIds)
}
