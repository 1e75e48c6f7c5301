import { ProofOfPossession, SecretKey } from '@firn/bls'
import { NodeId } from '@firn/codec'
import { type Handlers, methodError } from '@firn/node-api'
import { Endpoint } from '@firn/p2p'
import type { InfoMethods } from '@firn/rpc'
import type { Network } from './network.ts'

const VERSION = 'avalanchego/1.14.2'
const NAMES: Readonly<Record<number, string>> = { 1: 'mainnet', 5: 'fuji', 12345: 'local' }

/** Returns the Info API of the API node, which validates nothing and is connected to every validator. */
export function infoHandlers(network: Network): Partial<Handlers<typeof InfoMethods>> {
  return {
    'info.getNetworkID': () => ({ networkID: network.networkId }),
    'info.getNetworkName': () => ({
      networkName: NAMES[network.networkId] ?? `network-${network.networkId}`,
    }),
    'info.getNodeID': () => ({ nodeID: network.apiNode.nodeId, nodePOP: proofOf(network.apiNode.secretKey) }),
    'info.getNodeIP': () => ({ ip: '127.0.0.1:1' }),
    'info.getNodeVersion': () => ({
      version: VERSION,
      databaseVersion: 'v1.4.5',
      rpcProtocolVersion: 45,
      gitCommit: '',
      vmVersions: new Map([
        ['avm', VERSION],
        ['evm', 'v1.14.2'],
        ['platform', VERSION],
      ]),
    }),
    'info.getBlockchainID': ({ alias }) => {
      const chain = network.findChain(alias)
      if (chain === undefined) throw methodError(`there is no ID with alias: ${alias}`)
      return { blockchainID: chain.id }
    },
    'info.isBootstrapped': ({ chain }) => {
      if (chain === '') throw methodError("argument 'chain' not given")
      if (network.findChain(chain) === undefined)
        throw methodError(`there is no chain with alias/ID '${chain}'`)
      return { isBootstrapped: true }
    },
    'info.peers': ({ nodeIDs: nodeIds = [] }) => peers(network, nodeIds),
  }
}

function proofOf(secretKey: SecretKey.SecretKey) {
  return {
    publicKey: SecretKey.publicKey(secretKey).compressed,
    proofOfPossession: ProofOfPossession.sign(secretKey).compressed,
  }
}

function peers(network: Network, nodeIds: readonly Uint8Array[]) {
  const byId = new Map(network.validators().map((validator) => [validator.nodeIdText, validator]))
  const asked = nodeIds
    .map((nodeId) => byId.get(NodeId.format(nodeId)))
    .filter((validator) => validator !== undefined)
  const listed = nodeIds.length === 0 ? [...byId.values()] : asked
  const now = `${new Date(network.nowMs()).toISOString().slice(0, 19)}Z`
  const tracked = network.trackedSubnets()
  return {
    numPeers: BigInt(listed.length),
    peers: listed.map(({ nodeId, nodeIdText, address }) => ({
      ip: Endpoint.format(address),
      publicIP: Endpoint.format(address),
      nodeID: nodeId,
      version: VERSION,
      upgradeTime: 1607144400,
      lastSent: now,
      lastReceived: now,
      observedUptime: 100,
      trackedSubnets: tracked.get(nodeIdText) ?? [new Uint8Array(32)],
      supportedACPs: [],
      objectedACPs: [],
      benched: [],
    })),
  }
}
