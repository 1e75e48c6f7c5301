import { Network } from '@firn/codec'
import { createNetwork, type Network as PeerToPeerNetwork } from '@firn/p2p'
import type { Clock, Logger, Owner } from '@firn/runtime'
import type { Registry } from 'prom-client'
import { type Configuration, identifiers } from '../configuration/Configuration.ts'
import type { Ledger } from '../p-chain/Ledger.ts'
import type { PChain } from '../p-chain/PChain.ts'
import type { ValidatorSets } from '../p-chain/ValidatorSets.ts'
import { type Connections, createConnections } from './Connections.ts'
import * as OwnIdentity from './OwnIdentity.ts'
import { createRecentlyLost } from './RecentlyLost.ts'

/**
 * Maximum number of subnets in a handshake, because peers reject more. Further subnets are tracked as well,
 * but not announced.
 */
const MAX_GOSSIP_SUBNETS = 16
/** Time between two updates of validator sets from a ledger in this process, in milliseconds. */
const LEDGER_UPDATE_MS = 1_000

/** The peer-to-peer network, and this service's connections to validators. */
export interface Peers {
  readonly network: PeerToPeerNetwork
  readonly connections: Connections
}

/** Options of {@link openPeers}. */
export interface PeersDependencies {
  readonly configuration: Configuration
  readonly networkId: number
  readonly ledger: Ledger | undefined
  readonly pChain: PChain
  readonly validatorSets: ValidatorSets
  readonly clock: Clock
  readonly register: Registry
  readonly log: Logger
}

/** Opens the peer-to-peer network. Validators are not connected before the connections are started. */
export function openPeers(dependencies: PeersDependencies, owner: Owner): Peers {
  const { configuration, networkId, ledger, clock } = dependencies
  const { trackedSubnets, manualPeers } = identifiers(configuration)
  const allowPrivate = configuration.allowPrivateIps || !isPublic(networkId)
  const recentlyLost = createRecentlyLost(clock)
  const network = owner.own(
    createNetwork({
      networkId,
      identity: OwnIdentity.load(configuration),
      trackedSubnets: trackedSubnets.slice(0, MAX_GOSSIP_SUBNETS),
      allowPrivateIps: allowPrivate,
      limits: { requestsInFlight: configuration.maxP2pRequestsPerValidator },
      onDisconnected: ({ nodeId }) => recentlyLost.add(nodeId),
    }),
  )
  const connections = createConnections({
    ...dependencies,
    network,
    recentlyLost,
    trackedSubnets,
    manualPeers: [...(ledger?.beacons ?? []), ...manualPeers],
    allowPrivate,
    connectTimeoutMs: configuration.connectTimeout,
    refreshMs: configuration.validatorRefreshPeriod,
    ...(ledger === undefined
      ? {}
      : { updateMs: LEDGER_UPDATE_MS, canUpdate: () => ledger.status().problem === undefined }),
  })
  return { network, connections: owner.own(connections) }
}

function isPublic(networkId: number): boolean {
  return networkId === Network.MAINNET || networkId === Network.FUJI
}
