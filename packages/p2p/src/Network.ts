import { randomFillSync } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { type AppAnswer, type AppRequestInit, createEncoder, type Encoder } from './AppRequests.ts'
import type { ChainAnswer, ChainRequestKind, ChainRequests } from './ChainRequests.ts'
import { type ClaimBook, createClaimBook } from './ClaimBook.ts'
import * as ClaimedIpPort from './ClaimedIpPort.ts'
import type { Counters } from './Counters.ts'
import * as Endpoint from './Endpoint.ts'
import * as Handshake from './Handshake.ts'
import { type ChainEncoder, createChainEncoder } from './internal/chainMessages.ts'
import { baseContext, seconds } from './internal/context.ts'
import { Discovery } from './internal/Discovery.ts'
import { dial } from './internal/dial.ts'
import { type Connection, Links } from './internal/Links.ts'
import type { LivePeer, PeerContext } from './internal/LivePeer.ts'
import type { Failure } from './internal/OutboundRequests.ts'
import { assertId, createIds } from './internal/request.ts'
import { contextOptions } from './internal/tls.ts'
import { CLIENT } from './Limits.ts'
import * as Message from './Message.ts'
import { P2pError } from './P2pError.ts'
import type { Peer } from './Peer.ts'
import type { PeerOptions } from './PeerOptions.ts'
import * as PushGossip from './PushGossip.ts'

export type { Connection } from './internal/Links.ts'

/** Options of {@link createNetwork}. */
export interface NetworkOptions extends PeerOptions {
  /** Maximum number of TLS handshakes in progress; default 8. */
  readonly connectConcurrency?: number
  /** Milliseconds after which an attempt to connect fails, TLS included; default 15,000. */
  readonly connectMs?: number
  /**
   * Milliseconds between two attempts to dial the same remote endpoint. Default 10,500, because nodes accept
   * one connection per address in 10 s.
   */
  readonly redialMs?: number
  /** Milliseconds between attempts to reach a node; by default they grow from 1,000 to 60,000. */
  readonly backoff?: { readonly initialMs: number; readonly maximumMs: number }
  /**
   * Whether private addresses received from other peers are used. Default: false on Mainnet and Fuji,
   * otherwise true.
   */
  readonly allowPrivateIps?: boolean
  /**
   * Timing of requests for addresses, in milliseconds. Peers are asked while any tracked NodeID is not connected. After
   * `n` consecutive requests without new addresses, the next one follows after `intervalMs * 2 ** min(n, 7)`. `answerMs`
   * is the time to wait for an answer. The defaults are 500 and 1,000; false disables discovery.
   */
  readonly discovery?: { readonly intervalMs: number; readonly answerMs: number } | false
  readonly onConnected?: (peer: Peer) => void
  /** Called for every connection that ends, even if it was never ready. */
  readonly onDisconnected?: (peer: Peer, reason: P2pError) => void
}

/**
 * The dialling side of the protocol. It keeps at most one connection to each tracked NodeID, and sends
 * requests to these nodes.
 */
export interface Network {
  /** The node's id, 20 bytes. */
  readonly nodeId: Uint8Array
  /** Starts to keep a connection to each of these NodeIDs (20 bytes each). */
  track(nodeIds: Iterable<Uint8Array>): void
  /** Stops keeping connections to these NodeIDs, and closes the existing ones. */
  untrack(nodeIds: Iterable<Uint8Array>): void
  /**
   * Adds an address of a NodeID, for example a manual peer or one from `info.peers`. It is dialled once the
   * NodeID is tracked.
   */
  addEndpoint(nodeId: Uint8Array, endpoint: Endpoint.Endpoint): void
  connection(nodeId: Uint8Array): Connection
  /** Returns the peer with this NodeID if it is connected and ready, otherwise undefined. */
  peer(nodeId: Uint8Array): Peer | undefined
  /** Returns all peers that are connected and ready. */
  peers(): readonly Peer[]
  /**
   * Resolves with the peer once the NodeID is connected and ready.
   * @throws (rejects) P2pError `P2P_ABORTED`
   */
  connected(nodeId: Uint8Array, signal?: AbortSignal): Promise<Peer>
  /**
   * Sends a request to one node and returns its answer; failures are answers, too. The node's repeated answers
   * are counted and otherwise ignored, as are late ones without `onLateAnswer`.
   * @throws (rejects) P2pError `P2P_ABORTED`, `P2P_ARGUMENT`
   */
  request(nodeId: Uint8Array, request: AppRequestInit, signal?: AbortSignal): Promise<AppAnswer>
  /**
   * Sends a chain request to one node and returns its answer; failures are answers, too. Late and repeated answers are
   * counted and otherwise ignored. Nodes leave some requests unanswered, so a `timeout` may be normal.
   * @throws (rejects) P2pError `P2P_ABORTED`, `P2P_ARGUMENT`
   */
  ask<Kind extends ChainRequestKind>(
    kind: Kind,
    nodeId: Uint8Array,
    request: ChainRequests[Kind],
    signal?: AbortSignal,
  ): Promise<ChainAnswer<Kind>>
  /**
   * Pushes transactions to the given nodes, and returns the number of connected nodes to which they were sent. Nodes
   * do not answer, so follow the transactions to see whether they are accepted.
   * @throws P2pError `P2P_ARGUMENT`, `P2P_FRAME_LENGTH` if the transactions do not fit into one message
   */
  gossip(nodeIds: Iterable<Uint8Array>, gossip: PushGossip.ChainGossip): number
  /** Counters of all connections since the start. */
  readonly counters: Readonly<Counters>
  /** Closes every connection. Resolves when all are closed. */
  close(): Promise<void>
}

/** The address that a client claims if it cannot be dialled. The port is 1, because nodes reject port 0. */
const UNREACHABLE: Endpoint.Endpoint = { host: '0.0.0.0', port: 1 }
const PUBLIC_NETWORKS: readonly number[] = [1, 5]
const DEFAULT_DISCOVERY = { intervalMs: 500, answerMs: 1_000 }
const DEFAULT_BACKOFF = { initialMs: 1_000, maximumMs: 60_000 }

/**
 * Creates the dialling side. It signs its address immediately, which takes as long as `identity.blsSign`
 * does.
 * @throws P2pError `P2P_ARGUMENT`
 * @example
 * ```ts
 * import { ProofOfPossession, SecretKey } from '@firn/bls'
 * import { createNetwork, Identity } from '@firn/p2p'
 *
 * const secretKey = SecretKey.random()
 * const identity = Identity.create({
 *   blsSign: (message) => ProofOfPossession.sign(secretKey, message).compressed,
 * })
 * const network = createNetwork({ networkId: 5, identity })
 * await network.close()
 * ```
 */
export function createNetwork(options: NetworkOptions): Network {
  return new DiallingNetwork(options)
}

class DiallingNetwork implements Network {
  readonly nodeId: Uint8Array
  readonly counters: Readonly<Counters>
  readonly #options: NetworkOptions
  readonly #random: (length: number) => Uint8Array
  readonly #context: PeerContext
  readonly #encode: Encoder
  readonly #encodeChain: ChainEncoder
  readonly #book: ClaimBook
  readonly #links: Links
  readonly #discovery: Discovery

  constructor(options: NetworkOptions) {
    const base = baseContext(options, { role: 'client', limits: CLIENT, compress: false, allSubnets: true })
    this.#options = options
    this.#random = options.random ?? ((length) => randomFillSync(new Uint8Array(length)))
    this.nodeId = options.identity.nodeId
    this.counters = base.counters
    const address = Handshake.signAddress(options.identity, UNREACHABLE, seconds(base.timers))
    const nextId = createIds(this.#randomUint32())
    this.#encode = createEncoder({ compress: base.compress, nextId })
    this.#encodeChain = createChainEncoder(nextId)
    this.#book = this.#createBook(() => seconds(base.timers))
    this.#context = {
      ...base,
      address: () => address,
      known: this.#book.known,
      peersFor: () => [],
      onClaims: (peer, claims) => this.#onClaims(peer, claims),
      onReady: (peer) => this.#onReady(peer),
      onClose: (peer, reason) => {
        const wasReady = this.#links.peer(peer.nodeId) === peer
        this.#links.onClose(peer, reason)
        if (wasReady && this.#links.isTracked(peer.nodeId)) this.#discovery.wake()
        options.onDisconnected?.(peer, reason)
      },
    }
    this.#links = this.#createLinks()
    this.#discovery = this.#createDiscovery()
  }

  track(nodeIds: Iterable<Uint8Array>): void {
    let isAnyNew = false
    for (const nodeId of nodeIds) {
      if (this.#links.isTracked(assertNodeId(nodeId))) continue
      isAnyNew = true
      this.#links.track(nodeId)
      const claim = this.#book.recall(nodeId)
      if (claim !== undefined) this.#onClaim(nodeId, claim)
    }
    if (isAnyNew) this.#discovery.wake()
  }

  untrack(nodeIds: Iterable<Uint8Array>): void {
    for (const nodeId of nodeIds) this.#links.untrack(nodeId)
  }

  addEndpoint(nodeId: Uint8Array, endpoint: Endpoint.Endpoint): void {
    Endpoint.addressBytes(endpoint.host)
    this.#links.addEndpoint(assertNodeId(nodeId), endpoint)
  }

  connection(nodeId: Uint8Array): Connection {
    return this.#links.connection(nodeId)
  }

  peer(nodeId: Uint8Array): Peer | undefined {
    return this.#links.peer(nodeId)
  }

  peers(): readonly Peer[] {
    return this.#links.peers()
  }

  connected(nodeId: Uint8Array, signal?: AbortSignal): Promise<Peer> {
    const peer = this.#links.peer(nodeId)
    if (peer !== undefined) return Promise.resolve(peer)
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        stop()
        reject(
          new P2pError('P2P_ABORTED', 'the caller aborted the wait for a connection', {
            cause: signal?.reason,
          }),
        )
      }
      const stop = this.#links.whenConnected(nodeId, (found) => {
        signal?.removeEventListener('abort', onAbort)
        resolve(found)
      })
      signal?.addEventListener('abort', onAbort, { once: true })
      if (signal?.aborted === true) onAbort()
    })
  }

  async request(nodeId: Uint8Array, request: AppRequestInit, signal?: AbortSignal): Promise<AppAnswer> {
    const outgoing = this.#encode(request)
    return this.#links.peer(nodeId)?.requests.request(outgoing, request, signal) ?? this.#unreachable(nodeId)
  }

  async ask<Kind extends ChainRequestKind>(
    kind: Kind,
    nodeId: Uint8Array,
    request: ChainRequests[Kind],
    signal?: AbortSignal,
  ): Promise<ChainAnswer<Kind>> {
    const outgoing = this.#encodeChain(kind, request)
    const timing = { deadlineMs: request.deadlineMs }
    return this.#links.peer(nodeId)?.requests.request(outgoing, timing, signal) ?? this.#unreachable(nodeId)
  }

  gossip(nodeIds: Iterable<Uint8Array>, { chainId, ...gossip }: PushGossip.ChainGossip): number {
    assertId(chainId, 'gossip: expected a chain id')
    const value = { chainId, appBytes: PushGossip.encode(gossip) }
    const body = Message.encode({ case: 'appGossip', value }, { compress: this.#context.compress })
    const peers = new Set([...nodeIds].map((nodeId) => this.#links.peer(nodeId)))
    return [...peers].filter((peer) => peer?.sendFrame(body) === true).length
  }

  async close(): Promise<void> {
    const reason = new P2pError('P2P_SHUTDOWN', 'the network is shutting down')
    this.#discovery.stop()
    this.#links.close(reason)
    const open = [...this.#context.open]
    for (const peer of open) peer.close(reason)
    await Promise.all(open.map((peer) => peer.gone))
  }

  #unreachable(nodeId: Uint8Array): Failure {
    const connection = this.#links.connection(nodeId)
    return { kind: 'disconnected', reason: connection.state === 'connected' ? 'closing' : connection.reason }
  }

  #createBook(now: () => bigint): ClaimBook {
    return createClaimBook({
      now,
      random: this.#random,
      isTracked: (nodeId) => this.#links.isTracked(nodeId),
      onClaim: (nodeId, claim) => this.#onClaim(nodeId, claim),
    })
  }

  #createLinks(): Links {
    const { identity, connectConcurrency = 8, connectMs = 15_000, redialMs = 10_500, backoff } = this.#options
    return new Links({
      ownNodeId: identity.nodeId,
      secureContext: createSecureContext(contextOptions(identity)),
      context: this.#context,
      dial,
      concurrency: connectConcurrency,
      connectMs,
      redialMs,
      backoff: { ...DEFAULT_BACKOFF, ...backoff, random: () => this.#randomUint32() / 2 ** 32 },
    })
  }

  #createDiscovery(): Discovery {
    const { discovery = DEFAULT_DISCOVERY } = this.#options
    return new Discovery({
      ...(discovery === false ? DEFAULT_DISCOVERY : discovery),
      timers: this.#context.timers,
      random: () => this.#randomUint32() / 2 ** 32,
      peers: () => this.#links.peers(),
      isNeeded: () => discovery !== false && this.#links.isMissingAny,
      known: this.#book.known,
      allSubnets: this.#context.own.allSubnets,
    })
  }

  #onClaim(nodeId: Uint8Array, claim: ClaimedIpPort.ClaimedIpPort): void {
    const { networkId, allowPrivateIps = !PUBLIC_NETWORKS.includes(networkId) } = this.#options
    const endpoint = ClaimedIpPort.endpoint(claim)
    if (allowPrivateIps || !Endpoint.isPrivate(endpoint.host)) this.#links.setClaimed(nodeId, endpoint)
  }

  #onClaims(peer: Peer, claims: readonly ClaimedIpPort.ClaimedIpPort[]): void {
    this.#book.consider(claims)
    this.#discovery.onList(peer, claims.length)
  }

  #onReady(peer: LivePeer): void {
    this.#links.onReady(peer)
    this.#discovery.wake()
    this.#options.onConnected?.(peer)
  }

  #randomUint32(): number {
    return Buffer.from(this.#random(4)).readUInt32LE(0)
  }
}

function assertNodeId(nodeId: Uint8Array): Uint8Array {
  if (nodeId.length === 20) return nodeId
  throw new P2pError('P2P_ARGUMENT', `expected a NodeID of 20 bytes, got ${nodeId.length}`)
}
