import type { Networks } from '@firn/genesis'
import type { ConnectedPeer } from '../peers/Peers.ts'
import { methodError } from '../Service.ts'
import type { PrimaryValidator, Weights } from './PrimaryNetwork.ts'

/** Uptime of this node as observed by the stake of the Primary Network. Both values are percentages. */
export interface NodeUptime {
  /** Percentage of the stake whose validators observed enough uptime to reward this node. */
  readonly rewardingStakePercentage: number
  /** Average observed uptime, weighted by the stake of the observers. */
  readonly weightedAveragePercentage: number
}

/** The input of {@link seenBy}. */
export interface UptimeFacts {
  readonly nodeId: Uint8Array
  /** Connected peers; undefined for a node that is not connected to the network. */
  readonly peers: readonly ConnectedPeer[] | undefined
  readonly weights: Weights
  /** The uptime that this node needs for its reward, as a fraction from 0 to 1. */
  readonly requirement: number
}

/**
 * Computes the uptime of this node as observed by connected validators. The node's own stake counts as an
 * observation of 100 %. Adds 64-bit floats in the order of connection, like avalanchego's `NodeUptime` in
 * `network/network.go`.
 * @throws RpcError `RPC_REMOTE` `couldn't get node uptime: node is not a validator`, or another text if the
 * node has no peers and its uptime is therefore unknown
 */
export function seenBy({ nodeId, peers, weights, requirement }: UptimeFacts): NodeUptime {
  const own = Number(weights.of(nodeId))
  if (own === 0) throw methodError("couldn't get node uptime: node is not a validator")
  if (peers === undefined) throw methodError(`couldn't get node uptime: ${NO_PEERS}`)
  let weighted = 100 * own
  let rewarding = own
  for (const peer of peers) {
    const weight = Number(weights.of(peer.nodeId))
    weighted += peer.observedUptime * weight
    if (peer.observedUptime / 100 >= requirement) rewarding += weight
  }
  const total = Number(weights.total)
  return {
    rewardingStakePercentage: Math.abs((100 * rewarding) / total),
    weightedAveragePercentage: Math.abs(weighted / total),
  }
}

const NO_PEERS = "this process is not connected to the network's peers; start it with --network-peers-enabled"

/**
 * Returns the uptime that a validator needs for its reward, as a fraction. Stakes that began at or after Helicon need
 * more.
 */
export function requirement(
  validator: Pick<PrimaryValidator, 'startTime'> | undefined,
  { staking, upgrades }: Networks.Constants,
): number {
  const isLate = validator !== undefined && validator.startTime >= upgrades.helicon
  return isLate ? staking.heliconUptimeRequirement : staking.uptimeRequirement
}
