import { NodeId } from '@firn/codec'
import type { Upstream } from '@firn/node-api'
import { Endpoint } from '@firn/p2p'
import { InfoMethods } from '@firn/rpc'
import type { Address } from './OwnPeers.ts'

/** Maximum number of NodeIDs in one call. */
const BATCH = 1_000

/**
 * Returns the addresses of the nodes among `nodeIds` to which an upstream node is connected.
 * @throws the errors of {@link Upstream.method}
 */
export async function addresses(
  upstream: Pick<Upstream, 'method'>,
  nodeIds: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<Address[]> {
  const found: Address[] = []
  for (let start = 0; start < nodeIds.length; start += BATCH) {
    const asked = nodeIds.slice(start, start + BATCH).map((nodeId) => NodeId.format(nodeId))
    const answer = await upstream.method('/ext/info', 'info.peers', { nodeIDs: asked }, { signal })
    const { peers } = InfoMethods['info.peers'].result.parse(answer)
    for (const { nodeID: nodeId, publicIP } of peers) {
      const endpoint = parse(publicIP)
      if (endpoint !== undefined) found.push({ nodeId, endpoint })
    }
  }
  return found
}

/**
 * Parses the address of a peer. Returns undefined for a node that accepts no connections. Such a node reports
 * an empty string, or an unspecified address with port 0 or 1.
 */
function parse(text: string): Endpoint.Endpoint | undefined {
  try {
    const endpoint = Endpoint.parse(text)
    return endpoint.port <= 1 ? undefined : endpoint
  } catch {
    return undefined
  }
}

/**
 * Returns the nodes in `--bootstrap-ips` and `--bootstrap-ids`, which list the same nodes in the same order.
 * Returns undefined if the lists do not match.
 */
export function bootstrapNodes(ips: readonly string[], ids: readonly string[]): Address[] | undefined {
  if (ips.length !== ids.length) return undefined
  const nodes: Address[] = []
  for (const [index, id] of ids.entries()) {
    const endpoint = parse(ips[index] as string)
    if (endpoint === undefined) return undefined
    try {
      nodes.push({ nodeId: NodeId.parse(id), endpoint })
    } catch {
      return undefined
    }
  }
  return nodes
}
