import { Id, NodeId } from '@firn/codec'
import { Peers } from '@firn/node-api'
import type { Operators } from '@firn/operate'
import { Stakers, type Store } from '@firn/store'
import type { Configuration } from './Configuration.ts'

/** Returns the data of the node API for operators. */
export function createParts(
  configuration: Pick<Configuration, 'rateLimits' | 'httpUnitsPerSecond' | 'httpBurstUnits'>,
  store: Store,
  peers: Peers.Peers,
): Operators.Parts {
  const limits = limitsOf(configuration)
  if (peers === Peers.NONE) return { limits: () => limits }
  return {
    limits: () => limits,
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

function limitsOf({
  rateLimits,
  httpUnitsPerSecond,
  httpBurstUnits,
}: Parameters<typeof createParts>[0]): ReturnType<NonNullable<Operators.Parts['limits']>> {
  const of = (limit: string, value: number, unit: string) => ({
    ...{ service: 'node', callers: 'each address', limit, value, unit },
  })
  const limits = [
    of('units', httpUnitsPerSecond, 'per second'),
    of('units in a burst', httpBurstUnits, 'at once'),
  ]
  return { limits: rateLimits ? limits : [], limited: [] }
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
