import type { ValidatorView } from '../Context.ts'

/** An established connection to another node. */
export interface ConnectedPeer {
  /** The node's id, 20 bytes. */
  readonly nodeId: Uint8Array
  /** The remote address of the socket, such as `127.0.0.1:52724`. */
  readonly ip: string
  /** The address that the peer announces; `0.0.0.0:1` for a peer that accepts no connections. */
  readonly publicIP: string
  /** The peer's software version, such as `avalanchego/1.14.2`. */
  readonly version: string
  /** Upgrade time that the peer announced, in Unix seconds. */
  readonly upgradeTime: number
  /** Time of the last message to the peer, in milliseconds since 1970. */
  readonly lastSent: number
  readonly lastReceived: number
  /** Uptime of this node in percent, as reported in the peer's last Ping; 0 before the first Ping. */
  readonly observedUptime: number
  /**
   * Ids of the tracked subnets, 32 bytes each. The Primary Network, which all nodes track, is not included.
   */
  readonly trackedSubnets: readonly Uint8Array[]
  readonly supportedACPs: readonly number[]
  readonly objectedACPs: readonly number[]
}

/** The connected peers of this node, and its measurements of validators. */
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

/**
 * Returns a peer list that never changes.
 * @example
 * ```ts
 * import { Peers } from '@firn/node-api'
 *
 * const peers = Peers.fixed({ peers: [] })
 * peers.list().length // 0
 * ```
 */
export function fixed({ peers, uptime = () => undefined }: FixedPeers): Peers {
  const connected = new Set(peers.map(({ nodeId }) => key(nodeId)))
  return { list: () => peers, uptime, isConnected: (nodeId) => connected.has(key(nodeId)) }
}

/** Validator measurements of a process that measures nothing: all values are unknown. */
export const UNKNOWN: ValidatorView = { uptime: () => undefined, isConnected: () => undefined }

/** No peers, for a process that does not join the network. */
export const NONE: Peers = { list: () => [], ...UNKNOWN }

/**
 * Returns a NodeID as a map key.
 * @example
 * ```ts
 * import { Peers } from '@firn/node-api'
 *
 * declare const nodeIds: readonly Uint8Array[]
 * const keys = new Set(nodeIds.map(Peers.key))
 * ```
 */
export function key(nodeId: Uint8Array): string {
  return Buffer.from(nodeId.buffer, nodeId.byteOffset, nodeId.length).toString('latin1')
}
