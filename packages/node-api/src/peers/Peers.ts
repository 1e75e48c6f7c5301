import type { ValidatorView } from '../Context.ts'

/** An established connection to another node. */
export interface ConnectedPeer {
  /** 20 bytes. */
  readonly nodeID: Uint8Array
  /** The remote address of the socket, such as `127.0.0.1:52724`. */
  readonly ip: string
  /** The address that the peer announces; `0.0.0.0:1` for a peer that accepts no connections. */
  readonly publicIP: string
  /** For example `avalanchego/1.14.2`. */
  readonly version: string
  /** Unix seconds. */
  readonly upgradeTime: number
  /** Returns the time in milliseconds since 1970. */
  readonly lastSent: number
  readonly lastReceived: number
  /** The uptime of this node that the peer observed, in percent, from its last Ping; 0 before the first. */
  readonly observedUptime: number
  /** Without the Primary Network, which all nodes track; 32 bytes each. */
  readonly trackedSubnets: readonly Uint8Array[]
  readonly supportedACPs: readonly number[]
  readonly objectedACPs: readonly number[]
}

/** The nodes that this one is connected to, and its measurements of validators. */
export interface Peers extends ValidatorView {
  /** Returns the peers in the order of connection. */
  list(): readonly ConnectedPeer[]
}

/** Options of {@link fixed}. */
export interface FixedPeers {
  readonly peers: readonly ConnectedPeer[]
  /** Returns the uptime of a node as a fraction from 0 to 1; unknown by default. */
  readonly uptime?: ValidatorView['uptime']
}

/** Returns a fixed list of peers. */
export function fixed({ peers, uptime = () => undefined }: FixedPeers): Peers {
  const connected = new Set(peers.map(({ nodeID: nodeId }) => key(nodeId)))
  return { list: () => peers, uptime, isConnected: (nodeId) => connected.has(key(nodeId)) }
}

/** The view of a process that measures nothing. */
export const UNKNOWN: ValidatorView = { uptime: () => undefined, isConnected: () => undefined }

/** No peers, for a process that does not join the network. */
export const NONE: Peers = { list: () => [], ...UNKNOWN }

/** Returns a NodeID as a map key. */
export function key(nodeId: Uint8Array): string {
  return Buffer.from(nodeId.buffer, nodeId.byteOffset, nodeId.length).toString('latin1')
}
