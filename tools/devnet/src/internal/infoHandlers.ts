import { ProofOfPossession, SecretKey } from '@firn/bls'
import { NodeId } from '@firn/codec'
import type { Networks } from '@firn/genesis'
import { createVms, type Handlers, Info, NodeVersion, Peers } from '@firn/node-api'
import { Endpoint } from '@firn/p2p'
import type { InfoMethods } from '@firn/rpc'
import type { PrimaryValidator } from '../State.ts'
import type { Validator } from '../Validator.ts'
import type { Network } from './network.ts'

const UPGRADE_TIME = 1_607_144_400

/** The network as seen by the Info API. */
export interface InfoNetwork extends Pick<Network, 'apiNode' | 'nowMs' | 'trackedSubnets'> {
  readonly constants: Networks.Constants
  findChain(text: string): { readonly id: Uint8Array } | undefined
  validators(): readonly Pick<Validator, 'nodeId' | 'address'>[]
  primaryNetwork(): Iterable<PrimaryValidator>
}

/** Returns the Info API of the API node, which is not a validator and is connected to every validator. */
export function infoHandlers(network: InfoNetwork): Handlers<typeof InfoMethods> {
  const { apiNode } = network
  const ignore = () => undefined
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
  return Info.handlers(
    { constants: network.constants, chains: { lookup: network.findChain }, isBootstrapped: () => true },
    {
      identity: {
        nodeId: apiNode.nodeId,
        publicKey: SecretKey.publicKey(apiNode.secretKey).compressed,
        proofOfPossession: ProofOfPossession.sign(apiNode.secretKey).compressed,
      },
      ip: () => '127.0.0.1:1',
      peers: { ...Peers.UNKNOWN, list: () => peers(network) },
      vms: createVms({ folder: '', log }),
      primaryNetwork: async () => [...network.primaryNetwork()],
    },
  )
}

function peers(network: InfoNetwork): readonly Peers.ConnectedPeer[] {
  const tracked = network.trackedSubnets()
  const now = network.nowMs()
  return network.validators().map(({ nodeId, address }) => ({
    nodeId,
    ip: Endpoint.format(address),
    publicIP: Endpoint.format(address),
    version: NodeVersion.NODE,
    upgradeTime: UPGRADE_TIME,
    lastSent: now,
    lastReceived: now,
    observedUptime: 100,
    trackedSubnets: tracked.get(NodeId.format(nodeId)) ?? [],
    supportedACPs: [],
    objectedACPs: [],
  }))
}
