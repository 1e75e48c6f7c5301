import { Id, NodeId } from '@firn/codec'
import type { Operators } from '@firn/http'
import { Peers } from '@firn/node-api'
import { Stakers, type Store } from '@firn/store'

/** Returns the data of the node API for operators. */
export function createParts(store: Store, peers: Peers.Peers): Operators.Parts {
  if (peers === Peers.NONE) return {}
  return {
    peers: async () => {
      const { P } = await store.snapshot()
      const validators = await Stakers.primaryValidators(store, P.height)
      const stakes = new Map(validators.map(({ nodeId, weight }) => [Peers.key(nodeId), weight]))
      return {
        peers: peers.list().map((peer) => describe(peer, stakes.get(Peers.key(peer.nodeId)))),
        subnets: [],
      }
    },
  }
}

function describe(
  { nodeId, ip, version, trackedSubnets, lastReceived }: Peers.ConnectedPeer,
  stake: bigint | undefined,
): Operators.Peer {
  return {
    ...{ service: 'node', nodeId: NodeId.format(nodeId), address: ip, version },
    ...(stake !== undefined && { stake: String(stake) }),
    trackedSubnets: trackedSubnets.map(Id.format),
    lastReceived: Math.floor(lastReceived / 1000),
  }
}
