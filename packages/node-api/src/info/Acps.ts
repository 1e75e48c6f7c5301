import { Bytes } from '@firn/codec'
import type { ConnectedPeer } from '../peers/Peers.ts'
import type { Weights } from './PrimaryNetwork.ts'

/** The opinions of connected validators on a proposal. */
export interface Opinion {
  readonly supportWeight: bigint
  readonly supporters: readonly Uint8Array[]
  readonly objectWeight: bigint
  readonly objectors: readonly Uint8Array[]
  readonly abstainWeight: bigint
}

/**
 * Current proposals. Validators that state no opinion on one of them count as abstaining. This version of the node
 * has no current proposals.
 */
const CURRENT: readonly number[] = []

/** Returns the opinions of connected validators by proposal number. */
export function opinions(
  peers: readonly ConnectedPeer[],
  weights: Weights,
  current: readonly number[] = CURRENT,
): ReadonlyMap<string, Opinion> {
  const validators = peers.filter(({ nodeId }) => weights.of(nodeId) > 0n)
  const declared = validators.flatMap(({ supportedACPs, objectedACPs }) => [
    ...supportedACPs,
    ...objectedACPs,
  ])
  const found = new Map<string, Opinion>()
  for (const acp of new Set([...declared, ...current])) {
    const supporters = nodes(validators, ({ supportedACPs }) => supportedACPs.includes(acp))
    const objectors = nodes(validators, ({ objectedACPs }) => objectedACPs.includes(acp))
    const [supportWeight, objectWeight] = [sum(supporters, weights), sum(objectors, weights)]
    const abstainWeight = current.includes(acp) ? weights.total - supportWeight - objectWeight : 0n
    found.set(acp.toString(), { supportWeight, supporters, objectWeight, objectors, abstainWeight })
  }
  return found
}

function nodes(peers: readonly ConnectedPeer[], isIncluded: (peer: ConnectedPeer) => boolean): Uint8Array[] {
  return peers
    .filter(isIncluded)
    .map(({ nodeId }) => nodeId)
    .sort(Bytes.compare)
}

function sum(nodeIds: readonly Uint8Array[], weights: Weights): bigint {
  return nodeIds.reduce((total, nodeId) => total + weights.of(nodeId), 0n)
}
