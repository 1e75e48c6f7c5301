import { CHAIN_ALIASES, Id, type Json } from '@firn/codec'
import { Networks } from '@firn/genesis'
import {
  Chains,
  createRoutes,
  createService,
  type Endpoint,
  Exchange,
  type Listener,
  RpcEndpoint,
} from '@firn/node-api'
import { Endpoint as PeerEndpoint } from '@firn/p2p'
import { InfoMethods } from '@firn/rpc'
import { type Actions, createEndpoints, mismatch, VALIDATOR_ACTIONS } from '../internal/adminEndpoints.ts'
import { createHttpServer } from '../internal/httpServer.ts'
import { infoHandlers } from '../internal/infoHandlers.ts'
import type { Network } from '../internal/network.ts'
import * as networkFiles from '../internal/networkFiles.ts'
import { VERSION } from '../Version.ts'
import type { RecordedDevnet } from './RecordedDevnet.ts'

/**
 * Creates the HTTP server of a devnet that serves a recorded network: the Info API, the files of a custom network, and
 * the admin endpoints. It does not listen yet.
 */
export function createRecordedApi(
  devnet: RecordedDevnet,
  apiNode: Network['apiNode'],
  nowMs: () => number,
): Listener {
  const { rules } = devnet.network
  const names = Chains.createNames(rules.genesis, new Map())
  const info = infoHandlers({
    apiNode,
    nowMs,
    constants: rules.constants,
    findChain: names.lookup,
    validators: () => devnet.validators,
    trackedSubnets: () => new Map(),
    primaryNetwork: () => [],
  })
  const routes = createRoutes()
  routes.add('info', '', RpcEndpoint.create(createService(InfoMethods, info)))
  const files = networkFiles.endpoints(devnet)
  const admin = createEndpoints(devnet, describeRecorded, ACTIONS)
  return createHttpServer({
    routes,
    nodeId: apiNode.nodeId,
    page: { ...ABOUT, links: LINKS },
    fallback(path) {
      return path.startsWith('/ext/') ? NO_CHAINS : (files(path) ?? admin(path))
    },
  })
}

/** Returns the description of a devnet, for `GET /devnet` and for the line printed at startup. */
export function describeRecorded(devnet: RecordedDevnet): { readonly [member: string]: Json.Json } {
  const { networkId, rpcUrl, network, bootstrap } = devnet
  const isCustom = Networks.of(networkId).ids === undefined
  return {
    networkID: networkId,
    rpcUrl,
    infoApi: `${rpcUrl}/ext/info`,
    bootstrapIds: bootstrap.ids,
    bootstrapIps: bootstrap.ips,
    ...(isCustom && devnet.genesisFile !== undefined
      ? { genesisFile: `${rpcUrl}${networkFiles.GENESIS_PATH}` }
      : {}),
    ...(isCustom ? { upgradeFile: `${rpcUrl}${networkFiles.UPGRADES_PATH}` } : {}),
    heights: devnet.heights,
    chains: Object.fromEntries(
      CHAIN_ALIASES.map((alias) => [alias, Id.format(network.chains[alias].chainId)]),
    ),
    blocks: Object.fromEntries(
      CHAIN_ALIASES.map((alias) => [alias, network.chains[alias].blocks.length - 1]),
    ),
    vertices: network.chains.X.vertices.size,
    validators: devnet.validators.map(({ index, nodeIdText, address, fault, counters }) => ({
      index,
      nodeID: nodeIdText,
      address: PeerEndpoint.format(address),
      fault: fault as Json.Json,
      ...counters,
    })),
  }
}

const ACTIONS: Actions<RecordedDevnet> = {
  ...VALIDATOR_ACTIONS,
  grow(devnet, { blocks = 1 }) {
    if (!Number.isSafeInteger(blocks) || (blocks as number) < 1)
      throw mismatch('blocks', 'a whole number of at least 1', blocks)
    return { heights: devnet.grow(blocks as number) }
  },
}

/** Endpoint of the chain APIs, which need a ledger. */
const NO_CHAINS: Endpoint = {
  handle: (exchange) =>
    Exchange.text(
      exchange,
      404,
      'A devnet that serves recorded blocks to peers has only the Info API. To query the chains, run firn node with the bootstrapIds and bootstrapIps of GET /devnet.\n',
    ),
}

const ABOUT = {
  name: 'devnet',
  description: 'A recorded network: validators that serve its blocks over the real peer protocol.',
  version: VERSION,
  status: 'up',
  problems: [],
} as const

const LINKS = [
  { href: '/devnet', title: 'State of the network; POST requests to the sub-paths change it' },
  { href: '/ext/info', title: 'Methods of the Info API (JSON-RPC over POST)' },
] as const
