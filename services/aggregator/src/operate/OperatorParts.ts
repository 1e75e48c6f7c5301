import { Bytes, Hex, Id, NodeId } from '@firn/codec'
import type { Operators } from '@firn/operate'
import { Endpoint, type Network, Version } from '@firn/p2p'
import type { Configuration } from '../configuration/Configuration.ts'
import { DEFAULT_RATE_LIMIT } from '../configuration/Options.ts'
import type { Connections } from '../peers/Connections.ts'

/** Sources of the data for operators. */
export interface PartsOptions {
  readonly network: Pick<Network, 'peers'>
  readonly connections: Pick<Connections, 'weights' | 'tracked'>
  readonly configuration: Pick<
    Configuration,
    'rateLimitPerMinute' | 'p2pRequestsPerMinute' | 'maxJobsPerCaller'
  >
}

const SERVICE = 'aggregator'

/** Returns the data of the signature aggregator for operators. */
export function createParts({ network, connections, configuration }: PartsOptions): Operators.Parts {
  return {
    peers: async () => {
      const stakes = primaryWeights(connections)
      return {
        peers: network.peers().map(({ nodeId, remote, info, lastReceived }) => ({
          ...{ service: SERVICE, nodeId: NodeId.format(nodeId), address: Endpoint.format(remote) },
          version: info === undefined ? '' : Version.format(info.version),
          ...withStake(stakes.get(Hex.encodeBare(nodeId))),
          trackedSubnets: (info?.trackedSubnets ?? []).map(Id.format),
          lastReceived: Math.floor(lastReceived / 1000),
        })),
        subnets: connections
          .weights()
          .map(({ subnetId, validators, connectedValidators, total, connected }) => ({
            ...{ service: SERVICE, subnetId: Id.format(subnetId), validators, connectedValidators },
            ...{ weight: String(total), connectedWeight: String(connected) },
          })),
      }
    },
    limits: () => ({ limits: limitsOf(configuration), limited: [] }),
  }
}

const withStake = (weight: bigint | undefined) => (weight === undefined ? {} : { stake: String(weight) })

/** Returns the weights of the Primary Network's validators by node id in hex. */
function primaryWeights({ tracked }: Pick<Connections, 'tracked'>): ReadonlyMap<string, bigint> {
  const primary = tracked().find(({ at }) => Bytes.isZero(at.subnetId))
  const validators = primary?.at.set.validators ?? []
  // Nodes with the same BLS key are one validator in a set, whose weight is their sum.
  const single = validators.filter(({ nodeIds }) => nodeIds.length === 1)
  return new Map(
    single.map(({ nodeIds: [nodeId], weight }) => [Hex.encodeBare(nodeId as Uint8Array), weight]),
  )
}

function limitsOf({
  rateLimitPerMinute = DEFAULT_RATE_LIMIT,
  p2pRequestsPerMinute,
  maxJobsPerCaller,
}: PartsOptions['configuration']): readonly Operators.Limit[] {
  const callers = 'each address or key'
  const all = [
    { limit: 'requests', value: rateLimitPerMinute, unit: 'per minute' },
    { limit: 'requests to validators', value: p2pRequestsPerMinute, unit: 'per minute' },
    { limit: 'unfinished jobs', value: maxJobsPerCaller, unit: 'at once' },
  ]
  // 0 means no limit.
  return all.filter(({ value }) => value > 0).map((one) => ({ service: SERVICE, callers, ...one }))
}
