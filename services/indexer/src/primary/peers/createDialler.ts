import { ProofOfPossession, SecretKey } from '@firn/bls'
import { Hex } from '@firn/codec'
import {
  createNetwork,
  type Endpoint,
  Identity,
  type Network,
  type P2pError,
  type Peer,
  type PushGossip,
  type Timers,
} from '@firn/p2p'
import type { Transport } from '@firn/sync'

/** A node that is asked first, with its address. */
export interface Beacon {
  /** NodeID (20 bytes). */
  readonly nodeId: Uint8Array
  readonly endpoint: Endpoint.Endpoint
}

/** The connections to the peers of a network. */
export interface Dialler extends Transport {
  /** Keeps connections to these NodeIDs in addition to the beacons, and no longer to others. */
  track(nodeIds: readonly Uint8Array[]): void
  /** Returns why the last attempt to connect to a node failed; undefined if it is connected, or none failed yet. */
  error(nodeId: Uint8Array): P2pError | undefined
  /** Pushes transactions to nodes, and returns the number of connected nodes to which they were sent. */
  push(nodeIds: readonly Uint8Array[], gossip: PushGossip.ChainGossip): number
  /** Returns the connected peers. */
  peers(): readonly Peer[]
  close(): Promise<void>
}

/** Options of {@link createDialler}. */
export interface DiallerOptions {
  readonly networkId: number
  readonly beacons: readonly Beacon[]
  /** Identity of this side; by default a new one. Peers that are no validators need no lasting NodeID. */
  readonly identity?: Identity.Identity | undefined
  readonly timers?: Timers.Timers | undefined
}

/** Connects to the beacons. */
export function createDialler({ networkId, beacons, identity, timers }: DiallerOptions): Dialler {
  const network: Network = createNetwork({
    networkId,
    identity: identity ?? createIdentity(),
    ...(timers && { timers }),
  })
  const isBeacon = new Set(beacons.map(({ nodeId }) => Hex.encodeBare(nodeId)))
  for (const { nodeId, endpoint } of beacons) network.addEndpoint(nodeId, endpoint)
  network.track(beacons.map(({ nodeId }) => nodeId))
  let tracked = new Map<string, Uint8Array>()
  return {
    connected: () => network.peers().map(({ nodeId }) => nodeId),
    ask: (kind, nodeId, request, signal) => network.ask(kind, nodeId, request, signal),
    track(nodeIds) {
      const next = new Map(nodeIds.map((nodeId) => [Hex.encodeBare(nodeId), nodeId]))
      const left = [...tracked].filter(([key]) => !next.has(key) && !isBeacon.has(key))
      network.untrack(left.map(([, nodeId]) => nodeId))
      network.track(next.values())
      tracked = next
    },
    error(nodeId) {
      const connection = network.connection(nodeId)
      return connection.state === 'connected' ? undefined : connection.error
    },
    push: (nodeIds, gossip) => network.gossip(nodeIds, gossip),
    peers: () => network.peers(),
    close: () => network.close(),
  }
}

function createIdentity(): Identity.Identity {
  const secretKey = SecretKey.random()
  return Identity.create({
    blsSign: (message) => ProofOfPossession.sign(secretKey, message).compressed,
  })
}
