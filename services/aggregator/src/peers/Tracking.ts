import { Hex } from '@firn/codec'
import type { Clock } from '@firn/runtime'
import type { ValidatorSet } from '@firn/warp'
import { LRUCache } from 'lru-cache'
import type { SetAtHeight } from '../p-chain/ValidatorSets.ts'
import type { PeerNetwork } from './PeerNetwork.ts'

/**
 * Maximum number of subnets that are tracked because of requests. Beyond it, the least recently used subnet
 * is dropped.
 */
const MAX_ON_DEMAND = 64
/** Maximum number of older sets that stay connected. Beyond it, the least recently used set is dropped. */
const MAX_OLDER = 64

/** A tracked subnet. */
export interface Tracked {
  /** The subnet's newest known validator set. */
  readonly at: SetAtHeight
  /**
   * Time at which the subnet was first seen, in milliseconds as returned by `clock.now()`. The time limit for
   * connecting to the subnet starts at this time.
   */
  readonly since: number
  /** True for the Primary Network and configured subnets, false for subnets from requests. */
  readonly isConfigured: boolean
}

/** The tracked subnets. The network tracks the nodes in their validator sets. */
export interface Tracking {
  /**
   * Marks a subnet as used, and stores its validator set if it is newer than the stored set. Older sets are kept for a
   * while, because chains verify messages at the heights of their epochs. Returns when the subnet or the older set was
   * first seen, and whether this call added it.
   */
  track(at: SetAtHeight): { readonly since: number; readonly isNew: boolean }
  subnets(): readonly Tracked[]
}

/** Options of {@link createTracking}. */
export interface TrackingDependencies {
  readonly network: Pick<PeerNetwork, 'track' | 'untrack'>
  readonly clock: Pick<Clock, 'now'>
  /** Subnets (32 bytes each) that are always tracked. */
  readonly configured: readonly Uint8Array[]
  /** Nodes that are always tracked. */
  readonly permanentNodes: readonly Uint8Array[]
}

/** Starts to track the permanent nodes. Returns an object that tracks no subnets yet. */
export function createTracking({
  network,
  clock,
  configured,
  permanentNodes,
}: TrackingDependencies): Tracking {
  const subnets = new Map<string, Tracked>()
  const permanent = new Set(configured.map(Hex.encodeBare))
  const { add, remove } = createNodeUses(network, permanentNodes)
  const older = new LRUCache<string, { readonly at: SetAtHeight; readonly since: number }>({
    max: MAX_OLDER,
    dispose: ({ at }) => remove(at.set),
  })
  const trackOlder = (name: string, at: SetAtHeight) => {
    const key = `${name}@${at.height}`
    const known = older.get(key)
    if (known !== undefined) return { since: known.since, isNew: false }
    const since = clock.now()
    add(at.set)
    older.set(key, { at, since })
    return { since, isNew: true }
  }
  const evict = () => {
    const onDemand = [...subnets].filter(([, tracked]) => !tracked.isConfigured)
    const [oldest] = onDemand
    if (onDemand.length <= MAX_ON_DEMAND || oldest === undefined) return
    subnets.delete(oldest[0])
    remove(oldest[1].at.set)
  }
  const track: Tracking['track'] = (at) => {
    const name = Hex.encodeBare(at.subnetId)
    const before = subnets.get(name)
    const since = before?.since ?? clock.now()
    const isNewer = before === undefined || at.height > before.at.height
    /**
     * Deleting the entry first moves the subnet to the end of the map, so the map is ordered by last use.
     */
    subnets.delete(name)
    subnets.set(name, { at: isNewer ? at : before.at, since, isConfigured: permanent.has(name) })
    if (isNewer) add(at.set)
    if (isNewer && before !== undefined) remove(before.at.set)
    evict()
    if (before !== undefined && at.height < before.at.height) return trackOlder(name, at)
    return { since, isNew: before === undefined }
  }
  return { track, subnets: () => [...subnets.values()] }
}

/**
 * Returns functions that add and remove validator sets. They count how many sets use each node, and track or
 * untrack the node in the network accordingly.
 */
function createNodeUses(network: TrackingDependencies['network'], permanentNodes: readonly Uint8Array[]) {
  const permanent = new Set(permanentNodes.map(Hex.encodeBare))
  const uses = new Map<string, number>()
  network.track(permanentNodes)
  const add = (set: ValidatorSet.ValidatorSet) => {
    for (const name of nodesOf(set).map(Hex.encodeBare)) uses.set(name, (uses.get(name) ?? 0) + 1)
    network.track(nodesOf(set))
  }
  const remove = (set: ValidatorSet.ValidatorSet) => {
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
  return { add, remove }
}

/** Returns the ids (20 bytes each) of all nodes in a set. */
export function nodesOf(set: ValidatorSet.ValidatorSet): readonly Uint8Array[] {
  return set.validators.flatMap(({ nodeIds }) => nodeIds)
}
