import type { Networks } from '@firn/genesis'
import type { ConnectedPeer } from '../peers/Peers.ts'
import { methodError } from '../Service.ts'
import type { PrimaryValidator, Weights } from './PrimaryNetwork.ts'

/** How the stake of the Primary Network sees this node; both in percent. */
export interface NodeUptime {
  /** The share of the stake that would reward it. */
  readonly rewardingStakePercentage: number
  /** Its uptime, weighted by the stake of who saw it. */
  readonly weightedAveragePercentage: number
}

/** What {@link seenBy} is computed from. */
export interface UptimeFacts {
  readonly nodeId: Uint8Array
  /** Undefined for a node that takes no part in the network. */
  readonly peers: readonly ConnectedPeer[] | undefined
  readonly weights: Weights
  /** The part of the time that a validator must be up, 0 to 1. */
  readonly requirement: number
}

/**
 * The uptime of this node in the eyes of connected validators; its own stake sees all of it. Source: avalanchego
 * `network/network.go`, `NodeUptime`, whose 64-bit floats are added in the order of connection.
 * @throws RpcError `RPC_REMOTE` `couldn't get node uptime: node is not a validator`, or of a validator without peers that nobody
 * can tell
 */
export function seenBy({ nodeId, peers, weights, requirement }: UptimeFacts): NodeUptime {
  const own = Number(weights.of(nodeId))
  if (own === 0) throw methodError("couldn't get node uptime: node is not a validator")
  if (peers === undefined) throw methodError(`couldn't get node uptime: ${NO_PEERS}`)
  let weighted = 100 * own
  let rewarding = own
  for (const peer of peers) {
    const weight = Number(weights.of(peer.nodeID))
    weighted += peer.observedUptime * weight
    if (peer.observedUptime / 100 >= requirement) rewarding += weight
  }
  const total = Number(weights.total)
  return {
    rewardingStakePercentage: Math.abs((100 * rewarding) / total),
    weightedAveragePercentage: Math.abs(weighted / total),
  }
}

const NO_PEERS = 'this process does not take part in the network, start it with --network-peers-enabled'

/** The requirement for a validator: stakes that began under Helicon ask for more. */
export function requirement(
  validator: Pick<PrimaryValidator, 'startTime'> | undefined,
  { staking, upgrades }: Networks.Constants,
): number {
  const isLate = validator !== undefined && validator.startTime >= upgrades.helicon
  return isLate ? staking.heliconUptimeRequirement : staking.uptimeRequirement
}
