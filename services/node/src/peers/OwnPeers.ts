import { Bytes } from '@firn/codec'
import { Peers } from '@firn/node-api'
import { createNetwork, type Endpoint, type Identity, type Network, type Peer, Timers } from '@firn/p2p'
import type { Logger } from '@firn/runtime'
import { describePeer } from './describePeer.ts'
import * as Uptimes from './Uptimes.ts'
import * as UptimesFile from './UptimesFile.ts'

/** A node and the address at which it accepts connections. */
export interface Address {
  /** NodeID of 20 bytes. */
  readonly nodeId: Uint8Array
  readonly endpoint: Endpoint.Endpoint
}

/** Options of {@link start}. */
export interface OwnPeersOptions {
  readonly networkId: number
  readonly identity: Identity.Identity
  /** Nodes to connect to first. Connections to them are kept open like connections to validators. */
  readonly bootstrap: readonly Address[]
  /** Returns the NodeIDs (20 bytes each) of the current validators of the Primary Network. */
  readonly validators: (signal: AbortSignal) => Promise<readonly Uint8Array[]>
  /**
   * Returns node addresses from another source, such as the upstream's `info.peers`, in addition to the
   * addresses that peers report.
   */
  readonly addresses?: (nodeIds: readonly Uint8Array[], signal: AbortSignal) => Promise<readonly Address[]>
  /** Ids of the tracked subnets, 32 bytes each; at most 16. */
  readonly trackedSubnets?: readonly Uint8Array[]
  /**
   * File that stores the measured uptimes. If undefined, the measurement restarts at each start of the
   * process.
   */
  readonly uptimesFile?: string
  readonly log: Logger
  readonly timers?: Timers.Timers
  /**
   * Milliseconds between two refreshes of the validator set; default 60,000. The uptimes are saved at each
   * refresh.
   */
  readonly refreshMs?: number
}

/** Connections to the network's peers, with measured uptimes. */
export interface OwnPeers extends Peers.Peers {
  /** Saves the uptimes and closes all connections. Resolves when the connections are closed. */
  close(): Promise<void>
}

/**
 * Joins the network as a node that does not validate and accepts no incoming connections. Resolves before the
 * first connection is established.
 */
export async function start(options: OwnPeersOptions): Promise<OwnPeers> {
  const { uptimesFile, log } = options
  return new NetworkPeers(options, await UptimesFile.read(uptimesFile, log))
}

const DEFAULT_REFRESH_MS = 60_000

class NetworkPeers implements OwnPeers {
  readonly #options: OwnPeersOptions
  readonly #timers: Timers.Timers
  readonly #network: Network
  readonly #uptimes: Uptimes.Uptimes
  /** Connected peers by NodeID, in the order of connection. */
  readonly #connected = new Map<string, Peer>()
  readonly #closing = new AbortController()
  #tracked: readonly Uint8Array[] = []
  #timer: Timers.Timer | undefined
  #refreshing: Promise<void>

  constructor(options: OwnPeersOptions, kept: readonly Uptimes.Measured[]) {
    const { networkId, identity, trackedSubnets = [], timers = Timers.SYSTEM } = options
    this.#options = options
    this.#timers = timers
    this.#uptimes = new Uptimes.Uptimes(() => timers.now(), kept)
    this.#network = createNetwork({
      networkId,
      identity,
      trackedSubnets,
      timers,
      onConnected: (peer) => this.#onConnected(peer),
      onDisconnected: (peer) => this.#onDisconnected(peer),
    })
    for (const { nodeId, endpoint } of options.bootstrap) this.#network.addEndpoint(nodeId, endpoint)
    this.#track(options.bootstrap.map(({ nodeId }) => nodeId))
    this.#refreshing = this.#refresh()
  }

  list(): readonly Peers.ConnectedPeer[] {
    return [...this.#connected.values()].map(describePeer)
  }

  uptime(nodeId: Uint8Array): number | undefined {
    return this.#isSelf(nodeId) ? 1 : this.#uptimes.of(nodeId)
  }

  isConnected(nodeId: Uint8Array): boolean {
    return this.#isSelf(nodeId) || this.#connected.has(Peers.key(nodeId))
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#timer?.cancel()
    await this.#refreshing
    // Saved before the connections are closed, because closed connections would count as downtime.
    await this.#keep()
    await this.#network.close()
  }

  #isSelf(nodeId: Uint8Array): boolean {
    return Bytes.equals(nodeId, this.#network.nodeId)
  }

  #onConnected(peer: Peer): void {
    this.#connected.set(Peers.key(peer.nodeId), peer)
    this.#uptimes.onConnected(peer.nodeId)
  }

  /**
   * Removes a peer. This method is also called for connections that were never established, for which no peer
   * is stored.
   */
  #onDisconnected(peer: Peer): void {
    this.#connected.delete(Peers.key(peer.nodeId))
    this.#uptimes.onDisconnected(peer.nodeId)
  }

  /**
   * Refreshes the validator set, looks up missing addresses and saves the measured uptimes. Repeats this
   * until the peers are closed.
   */
  async #refresh(): Promise<void> {
    const { signal } = this.#closing
    const { validators, bootstrap, log, refreshMs = DEFAULT_REFRESH_MS } = this.#options
    try {
      const nodeIds = await validators(signal)
      this.#track([...bootstrap.map(({ nodeId }) => nodeId), ...nodeIds])
      this.#uptimes.watch(nodeIds, (nodeId) => this.isConnected(nodeId))
      await this.#findMissing(signal)
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'cannot look up the validators to connect to')
    }
    await this.#keep()
    if (signal.aborted) return
    this.#timer = this.#timers.setTimer(() => {
      this.#refreshing = this.#refresh()
    }, refreshMs)
  }

  #track(nodeIds: readonly Uint8Array[]): void {
    const keys = new Set(nodeIds.map(Peers.key))
    this.#network.untrack(this.#tracked.filter((nodeId) => !keys.has(Peers.key(nodeId))))
    this.#network.track(nodeIds)
    this.#tracked = nodeIds
  }

  async #findMissing(signal: AbortSignal): Promise<void> {
    const { addresses } = this.#options
    const missing = this.#tracked.filter((nodeId) => !this.isConnected(nodeId))
    if (addresses === undefined || missing.length === 0) return
    for (const { nodeId, endpoint } of await addresses(missing, signal))
      this.#network.addEndpoint(nodeId, endpoint)
  }

  async #keep(): Promise<void> {
    const { uptimesFile, log } = this.#options
    await UptimesFile.write(uptimesFile, this.#uptimes, log)
  }
}
