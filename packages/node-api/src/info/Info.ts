import { Bytes, Id, Json } from '@firn/codec'
import { Networks, Upgrades, Vm } from '@firn/genesis'
import { InfoMethods } from '@firn/rpc'
import type { FreshnessTable, NodeContext } from '../Context.ts'
import * as GoTime from '../internal/GoTime.ts'
import { type ConnectedPeer, key, NONE, type Peers } from '../peers/Peers.ts'
import { type Handlers, methodError } from '../Service.ts'
import type { Vms } from '../vms/Vms.ts'
import * as Acps from './Acps.ts'
import * as NodeUptime from './NodeUptime.ts'
import * as NodeVersion from './NodeVersion.ts'
import * as PrimaryNetwork from './PrimaryNetwork.ts'
import * as TxFees from './TxFees.ts'

/** The public identity of a node: its NodeID, and a BLS key with its proof of possession. */
export interface PublicIdentity {
  /** The node's id (20 bytes), derived from the staking certificate. */
  readonly nodeId: Uint8Array
  /** The compressed BLS public key, 48 bytes. */
  readonly publicKey: Uint8Array
  /** The proof of possession of the BLS key, 96 bytes. */
  readonly proofOfPossession: Uint8Array
}

/** Dependencies of the Info API besides {@link InfoContext}. */
export interface InfoOptions {
  readonly identity: PublicIdentity
  /**
   * Returns the address that this node announces to its peers, such as `127.0.0.1:9651`; empty if it
   * announces no address.
   */
  readonly ip: () => string
  readonly peers: Peers
  readonly vms: Pick<Vms, 'list' | 'versions'>
  /** Returns the validators of the Primary Network. */
  readonly primaryNetwork: () => Promise<readonly PrimaryNetwork.PrimaryValidator[]>
}

/** The part of the context that the Info API uses. */
export interface InfoContext extends Pick<NodeContext, 'constants' | 'isBootstrapped'> {
  readonly chains: Pick<NodeContext['chains'], 'lookup'>
}

/** How long results may be cached. */
export const FRESHNESS: FreshnessTable<typeof InfoMethods> = {
  'info.acps': 'volatile',
  'info.getBlockchainID': 'forever',
  'info.getNetworkID': 'forever',
  'info.getNetworkName': 'forever',
  'info.getNodeID': 'forever',
  'info.getNodeIP': 'volatile',
  'info.getNodeVersion': 'volatile',
  'info.getTxFee': 'forever',
  'info.getVMs': 'volatile',
  'info.isBootstrapped': 'volatile',
  'info.peers': 'volatile',
  'info.upgrades': 'forever',
  'info.uptime': 'volatile',
}

const FX_NAMES: ReadonlyMap<string, string> = new Map([
  [Id.format(Vm.SECP256K1_FX), 'secp256k1fx'],
  [Id.format(Vm.NFT_FX), 'nftfx'],
  [Id.format(Vm.PROPERTY_FX), 'propertyfx'],
])

/**
 * Returns the handlers of the Info API.
 * @example
 * ```ts
 * import { createService, Info } from '@firn/node-api'
 * import { InfoMethods } from '@firn/rpc'
 *
 * declare const context: Parameters<typeof Info.handlers>[0]
 * declare const options: Parameters<typeof Info.handlers>[1]
 * const service = createService(InfoMethods, Info.handlers(context, options))
 * ```
 * @throws CodecError `CODEC_ID` if the id of the X-chain's stop vertex in `context.constants` is not 32 bytes
 * long
 */
export function handlers(context: InfoContext, parts: InfoOptions): Handlers<typeof InfoMethods> {
  const { constants } = context
  const { identity, vms } = parts
  const upgrades = InfoMethods['info.upgrades'].result.parse(
    Json.parse(Json.stringify(Upgrades.toJSON(constants.upgrades))),
  )
  const txFees = TxFees.of(constants)
  return {
    ...chainHandlers(context),
    ...peerHandlers(context, parts),
    'info.getNetworkID': () => ({ networkID: constants.networkId }),
    'info.getNetworkName': () => ({ networkName: constants.name }),
    'info.getNodeID': () => {
      const { nodeId, publicKey, proofOfPossession } = identity
      return { nodeID: nodeId, nodePOP: { publicKey, proofOfPossession } }
    },
    'info.getNodeIP': () => ({ ip: parts.ip() }),
    'info.getNodeVersion': () => ({
      version: NodeVersion.NODE,
      databaseVersion: NodeVersion.DATABASE,
      rpcProtocolVersion: NodeVersion.RPC_PROTOCOL,
      gitCommit: NodeVersion.GIT_COMMIT,
      vmVersions: vms.versions(),
    }),
    'info.getTxFee': () => txFees,
    'info.getVMs': () => ({ vms: vms.list(), fxs: FX_NAMES }),
    'info.upgrades': () => upgrades,
  }
}

function chainHandlers({
  chains,
  isBootstrapped,
}: InfoContext): Pick<Handlers<typeof InfoMethods>, 'info.getBlockchainID' | 'info.isBootstrapped'> {
  return {
    'info.getBlockchainID': ({ alias }) => {
      const chain = chains.lookup(alias)
      if (chain === undefined) throw methodError(`there is no ID with alias: ${alias}`)
      return { blockchainID: chain.id }
    },
    'info.isBootstrapped': ({ chain: name }) => {
      if (name === '') throw methodError("argument 'chain' not given")
      const chain = chains.lookup(name)
      if (chain === undefined) throw methodError(`there is no chain with alias/ID '${name}'`)
      return { isBootstrapped: isBootstrapped(chain.id) }
    },
  }
}

function peerHandlers(
  { constants }: InfoContext,
  { identity, peers, primaryNetwork }: InfoOptions,
): Pick<Handlers<typeof InfoMethods>, 'info.acps' | 'info.peers' | 'info.uptime'> {
  return {
    'info.acps': async () => ({
      acps: Acps.opinions(peers.list(), PrimaryNetwork.weights(await primaryNetwork())),
    }),
    'info.peers': ({ nodeIDs: nodeIds = [] }) => {
      const found = nodeIds.length === 0 ? peers.list() : asked(peers.list(), nodeIds)
      return { numPeers: BigInt(found.length), peers: found.map(formatPeer) }
    },
    'info.uptime': async () => {
      const all = await primaryNetwork()
      const self = all.find(({ nodeId }) => Bytes.equals(nodeId, identity.nodeId))
      return NodeUptime.seenBy({
        nodeId: identity.nodeId,
        peers: peers === NONE ? undefined : peers.list(),
        weights: PrimaryNetwork.weights(all),
        requirement: NodeUptime.requirement(self, constants),
      })
    },
  }
}

/**
 * Returns the requested peers in the order of the request. A repeated NodeID is returned repeatedly, and a
 * node that is not connected is omitted.
 */
function asked(peers: readonly ConnectedPeer[], nodeIds: readonly Uint8Array[]): readonly ConnectedPeer[] {
  const byNode = new Map(peers.map((peer) => [key(peer.nodeId), peer]))
  return nodeIds.map((nodeId) => byNode.get(key(nodeId))).filter((peer) => peer !== undefined)
}

function formatPeer({ nodeId, ...peer }: ConnectedPeer) {
  const { trackedSubnets, supportedACPs, objectedACPs, lastSent, lastReceived } = peer
  return {
    ...peer,
    nodeID: nodeId,
    lastSent: wholeSeconds(lastSent),
    lastReceived: wholeSeconds(lastReceived),
    trackedSubnets: [Networks.PRIMARY_NETWORK_ID, ...trackedSubnets.toSorted(Bytes.compare)],
    supportedACPs: asText(supportedACPs),
    objectedACPs: asText(objectedACPs),
    // Benching is part of consensus, in which a replica does not take part.
    benched: [],
  }
}

function wholeSeconds(milliseconds: number): string {
  return GoTime.format(BigInt(Math.floor(milliseconds / 1000)) * 1_000_000_000n)
}

/** Sorts numbers by their text, because a Go set prints its members in this order. */
function asText(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((a, b) => (a.toString() < b.toString() ? -1 : 1))
}
