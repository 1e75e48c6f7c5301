import type { SetAtHeight } from '../p-chain/ValidatorSets.ts'
import type { PeerNetwork } from './PeerNetwork.ts'

/** Weight of a subnet's validators that are currently connected. */
export interface ConnectedWeight {
  readonly subnetId: Uint8Array
  readonly connected: bigint
  readonly total: bigint
  readonly validators: number
  readonly connectedValidators: number
}

/** Returns the connected weight of a set: the total weight of the validators with at least one connected node. */
export function measure(network: PeerNetwork, { subnetId, set }: SetAtHeight): ConnectedWeight {
  let connected = 0n
  let connectedValidators = 0
  for (const { nodeIds, weight } of set.validators) {
    if (!nodeIds.some((nodeId) => network.connection(nodeId).state === 'connected')) continue
    connected += weight
    connectedValidators++
  }
  const validators = set.validators.length
  return { subnetId, connected, total: set.totalWeight, validators, connectedValidators }
}

/** Returns `part` as a percentage of `total` with two decimals, rounded down. */
export function percentage(part: bigint, total: bigint): number {
  return total === 0n ? 0 : Number((part * 10_000n) / total) / 100
}
