import type { ValidatorView } from '../Context.ts'

/** A connection to another node that both sides accepted. */
export interface ConnectedPeer {
  /** 20 bytes. */
  readonly nodeID: Uint8Array
  /** The other end of the socket, as `127.0.0.1:52724`. */
  readonly ip: string
  /** Where the peer says it listens; `0.0.0.0:1` for one that does not. */
  readonly publicIP: string
  /** As `avalanchego/1.14.2`. */
  readonly version: string
  /** Unix seconds. */
  readonly upgradeTime: number
  /** Returns the time in milliseconds since 1970. */
  readonly lastSent: number
  readonly lastReceived: number
  /** How much of the time the peer saw this node, in percent: what it said in its last Ping, 0 before. */
  readonly observedUptime: number
  /** Without the Primary Network, which all nodes track; 32 bytes each. */
  readonly trackedSubnets: readonly Uint8Array[]
  readonly supportedACPs: readonly number[]
  readonly objectedACPs: readonly number[]
}

/** The nodes that this one is connected to, and what it measured of validators. */
export interface Peers extends ValidatorView {
  /** Returns the peers in the order in which they came. */
  list(): readonly ConnectedPeer[]
}

/** What {@link fixed} takes. */
export interface FixedPeers {
  readonly peers: readonly ConnectedPeer[]
  /** What to say of a node's uptime, from 0 to 1; that nothing was measured if not given. */
  readonly uptime?: ValidatorView['uptime']
}

/** Peers that are told and never change. */
export function fixed({ peers, uptime = () => undefined }: FixedPeers): Peers {
  const connected = new Set(peers.map(({ nodeID: nodeId }) => key(nodeId)))
  return { list: () => peers, uptime, isConnected: (nodeId) => connected.has(key(nodeId)) }
}

/** The view of a process that measures nothing. */
export const UNKNOWN: ValidatorView = { uptime: () => undefined, isConnected: () => undefined }

/** No peers, for a process that joins no network. */
export const NONE: Peers = { list: () => [], ...UNKNOWN }

/** A NodeID as the key of a map. */
export function key(nodeId: Uint8Array): string {
  return Buffer.from(nodeId.buffer, nodeId.byteOffset, nodeId.length).toString('latin1')
}
