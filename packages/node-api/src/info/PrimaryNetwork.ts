import { key } from '../peers/Peers.ts'

/** A validator of the Primary Network. */
export interface PrimaryValidator {
  /** The node's id, 20 bytes. */
  readonly nodeId: Uint8Array
  /** Weight in nAVAX, including delegations. */
  readonly weight: bigint
  /** Start of the staking period in Unix seconds. */
  readonly startTime: bigint
}

/** Weights of validators by NodeID, and the total weight. */
export interface Weights {
  readonly total: bigint
  /** Returns the weight of a node; 0 if the node is not a validator. */
  of(nodeId: Uint8Array): bigint
}

/** Returns the weights of a set of validators. */
export function weights(validators: readonly PrimaryValidator[]): Weights {
  const byNode = new Map(validators.map(({ nodeId, weight }) => [key(nodeId), weight]))
  const total = validators.reduce((sum, { weight }) => sum + weight, 0n)
  return { total, of: (nodeId) => byNode.get(key(nodeId)) ?? 0n }
}
