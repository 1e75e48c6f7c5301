import type { SecureContext } from 'node:tls'
import { Bytes } from '@firn/codec'
import { backoff } from '@firn/runtime'
import * as Endpoint from '../Endpoint.ts'
import { P2pError } from '../P2pError.ts'
import type { Timer } from '../Timers.ts'
import { Addresses } from './Addresses.ts'
import type { dial } from './dial.ts'
import { keyOf } from './keyOf.ts'
import type { LivePeer, PeerContext } from './LivePeer.ts'

/** The connection state of a NodeID. */
export type Connection =
  | { readonly state: 'connected' }
  | {
      readonly state: 'connecting' | 'disconnected' | 'unknown'
      readonly reason: string
      /** Why the last connection ended, or the last attempt failed, since the node was last connected. */
      readonly error?: P2pError
    }

/** Options of {@link Links}. */
export interface LinksOptions {
  readonly ownNodeId: Uint8Array
  readonly secureContext: SecureContext
  /**
   * State shared by all peers; its `onReady` and `onClose` must call {@link Links.onReady} and {@link
   * Links.onClose}.
   */
  readonly context: PeerContext
  readonly dial: typeof dial
  /** Maximum number of TLS handshakes in progress. */
  readonly concurrency: number
  /** Milliseconds after which an attempt to connect fails, TLS included. */
  readonly connectMs: number
  /** Delays between attempts, in milliseconds. Half of each delay is random. */
  readonly backoff: {
    /** Minimum of the first delay. */
    readonly initialMs: number
    /** Maximum of every delay. */
    readonly maximumMs: number
    /** Returns a number in [0, 1). */
    readonly random: () => number
  }
  /**
   * Milliseconds between two attempts to dial the same remote endpoint, because nodes reject more frequent
   * attempts.
   */
  readonly redialMs: number
}

interface Link {
  readonly nodeId: Uint8Array
  /** Number of failed attempts since a connection was last ready. The loss of that connection counts as one. */
  failures: number
  isTracked: boolean
  readonly addresses: Addresses
  /** The address of the connection, or of the last attempt, as text. */
  dialled: string
  status: 'idle' | 'queued' | 'connecting' | 'connected'
  reason: string
  error: P2pError | undefined
  peer: LivePeer | undefined
  /** While idle, the timer of the next attempt. While connecting, the timer that ends an attempt at an old address. */
  timer: Timer | undefined
  giveUp: (() => void) | undefined
  readonly waiting: Set<(peer: LivePeer) => void>
}

/**
 * Milliseconds for which an attempt at an old address may continue after a new address was learned. An attempt at an
 * address that the node has left would otherwise take until its time-out.
 */
const OLD_ADDRESS_MS = 1_000
const NO_ADDRESS = 'no address is known'
const NOT_TRACKED = 'not tracked'

/** The tracked NodeIDs with their known addresses and their connections. */
export class Links {
  readonly #options: LinksOptions
  readonly #links = new Map<string, Link>()
  /** Links that wait for a free slot. Those with an address that was not dialled yet come first. */
  readonly #urgent = new Set<Link>()
  readonly #queue = new Set<Link>()
  readonly #dialledAt = new Map<string, number>()
  #connecting = 0
  #isClosed = false

  constructor(options: LinksOptions) {
    this.#options = options
  }

  track(nodeId: Uint8Array): void {
    const link = this.#get(nodeId)
    if (link.isTracked || Bytes.equals(nodeId, this.#options.ownNodeId)) return
    link.isTracked = true
    link.reason = NO_ADDRESS
    this.#attempt(link)
  }

  untrack(nodeId: Uint8Array): void {
    const link = this.#links.get(keyOf(nodeId))
    if (link === undefined) return
    link.isTracked = false
    link.reason = NOT_TRACKED
    link.error = undefined
    this.#stop(link, new P2pError('P2P_CLOSED', 'the node is no longer tracked'))
    // A manually added endpoint is kept, because the NodeID may be tracked again.
    if (!link.addresses.hasAdded && link.waiting.size === 0) this.#links.delete(keyOf(nodeId))
  }

  addEndpoint(nodeId: Uint8Array, endpoint: Endpoint.Endpoint): void {
    const link = this.#get(nodeId)
    if (link.addresses.add(endpoint)) this.#attemptNow(link)
  }

  /** Stores a newer address that the node itself has signed. */
  setClaimed(nodeId: Uint8Array, endpoint: Endpoint.Endpoint): void {
    const link = this.#get(nodeId)
    link.addresses.claim(endpoint)
    this.#attemptNow(link)
  }

  isTracked(nodeId: Uint8Array): boolean {
    return this.#links.get(keyOf(nodeId))?.isTracked === true
  }

  /** True while any tracked NodeID is not connected. */
  get isMissingAny(): boolean {
    for (const link of this.#links.values()) if (link.isTracked && link.status !== 'connected') return true
    return false
  }

  connection(nodeId: Uint8Array): Connection {
    const link = this.#links.get(keyOf(nodeId))
    if (link === undefined || !link.isTracked) return { state: 'unknown', reason: NOT_TRACKED }
    if (link.status === 'connected') return { state: 'connected' }
    const { reason, error } = link
    const why = { reason, ...(error && { error }) }
    if (link.status !== 'idle') return { state: 'connecting', ...why }
    return { state: link.addresses.isEmpty ? 'unknown' : 'disconnected', ...why }
  }

  peer(nodeId: Uint8Array): LivePeer | undefined {
    const link = this.#links.get(keyOf(nodeId))
    return link?.status === 'connected' ? link.peer : undefined
  }

  peers(): readonly LivePeer[] {
    const peers: LivePeer[] = []
    for (const link of this.#links.values())
      if (link.status === 'connected' && link.peer !== undefined) peers.push(link.peer)
    return peers
  }

  /** Calls `callback` when the NodeID is connected. The returned function cancels the registration. */
  whenConnected(nodeId: Uint8Array, callback: (peer: LivePeer) => void): () => void {
    const { waiting } = this.#get(nodeId)
    waiting.add(callback)
    return () => void waiting.delete(callback)
  }

  onReady(peer: LivePeer): void {
    const link = this.#links.get(keyOf(peer.nodeId))
    if (link === undefined || link.peer !== peer) return
    this.#release(link)
    link.timer?.cancel()
    link.timer = undefined
    link.status = 'connected'
    link.error = undefined
    link.failures = 0
    for (const callback of [...link.waiting]) callback(peer)
    link.waiting.clear()
  }

  onClose(peer: LivePeer, reason: P2pError): void {
    const link = this.#links.get(keyOf(peer.nodeId))
    if (link?.peer === peer) this.#onLost(link, reason)
  }

  close(reason: P2pError): void {
    this.#isClosed = true
    for (const link of this.#links.values()) this.#stop(link, reason)
  }

  #get(nodeId: Uint8Array): Link {
    const key = keyOf(nodeId)
    let link = this.#links.get(key)
    if (link === undefined) {
      link = createLink(nodeId.slice())
      this.#links.set(key, link)
    }
    return link
  }

  /** Tries a new address at once, without the back-off delay of the older addresses. */
  #attemptNow(link: Link): void {
    if (link.status === 'connected' || link.status === 'connecting') {
      const next = link.addresses.next()
      if (next !== undefined && Endpoint.format(next) === link.dialled) link.addresses.advance()
      else if (link.status === 'connecting')
        link.timer ??= this.#options.context.timers.setTimer(() => this.#abandon(link), OLD_ADDRESS_MS)
      return
    }
    link.timer?.cancel()
    link.timer = undefined
    if (this.#queue.delete(link)) link.status = 'idle'
    this.#attempt(link)
  }

  /** Ends an attempt to connect, so that the new address is dialled. */
  #abandon(link: Link): void {
    link.timer = undefined
    link.giveUp?.()
    link.peer?.close(new P2pError('P2P_CLOSED', 'the node has a newer address'))
  }

  #attempt(link: Link): void {
    if (this.#isClosed || !link.isTracked || link.status !== 'idle' || link.timer !== undefined) return
    if (link.addresses.isEmpty) return
    link.status = 'queued'
    link.reason = 'queued: too many connection attempts are in progress'
    const queue = link.addresses.isNextFresh ? this.#urgent : this.#queue
    queue.add(link)
    this.#pump()
  }

  #pump(): void {
    for (const queue of [this.#urgent, this.#queue]) {
      for (const link of queue) {
        if (this.#connecting >= this.#options.concurrency) return
        queue.delete(link)
        this.#connect(link)
      }
    }
  }

  #connect(link: Link): void {
    const endpoint = link.addresses.next() as Endpoint.Endpoint
    const wait = this.#redialWait(endpoint)
    if (wait > 0) {
      link.status = 'idle'
      this.#retry(link, wait)
      return
    }
    link.addresses.advance()
    link.dialled = Endpoint.format(endpoint)
    const { context, secureContext, connectMs, dial } = this.#options
    link.status = 'connecting'
    link.reason = `connecting to ${link.dialled}`
    this.#connecting++
    this.#recordDial(link.dialled)
    link.giveUp = dial({
      endpoint,
      nodeId: link.nodeId,
      secureContext,
      timeoutMs: connectMs,
      context,
      onFailed: (error) => this.#onLost(link, error),
      onPeer: (peer) => {
        link.giveUp = undefined
        link.peer = peer
        peer.start()
      },
    })
  }

  /** Returns the milliseconds to wait until an endpoint may be dialled again. */
  #redialWait(endpoint: Endpoint.Endpoint): number {
    const last = this.#dialledAt.get(Endpoint.format(endpoint))
    if (last === undefined || Endpoint.isLoopback(endpoint.host)) return 0
    return last + this.#options.redialMs - this.#options.context.timers.monotonic()
  }

  #recordDial(name: string): void {
    const now = this.#options.context.timers.monotonic()
    this.#dialledAt.delete(name)
    this.#dialledAt.set(name, now)
    // The map is ordered by time. Entries that no longer delay anything are removed from its start.
    for (const [oldest, at] of this.#dialledAt) {
      if (now - at < this.#options.redialMs) return
      this.#dialledAt.delete(oldest)
    }
  }

  #onLost(link: Link, reason: P2pError): void {
    this.#release(link)
    link.timer?.cancel()
    link.timer = undefined
    link.giveUp = undefined
    link.peer = undefined
    link.status = 'idle'
    if (link.isTracked) {
      link.reason = `${reason.code}: ${reason.message}`
      link.error = reason
    }
    link.failures += 1
    if (link.addresses.isNextFresh) {
      this.#attempt(link)
      return
    }
    const { initialMs, maximumMs: longest, random } = this.#options.backoff
    this.#retry(link, backoff(link.failures, { random, first: 2 * initialMs, longest, factor: 1.5 }))
  }

  #retry(link: Link, ms: number): void {
    if (this.#isClosed || !link.isTracked) return
    link.timer?.cancel()
    link.timer = this.#options.context.timers.setTimer(() => {
      link.timer = undefined
      this.#attempt(link)
    }, ms)
  }

  /** Frees the slot that a link uses while it connects. */
  #release(link: Link): void {
    if (link.status !== 'connecting') return
    link.status = 'idle'
    this.#connecting--
    this.#pump()
  }

  #stop(link: Link, reason: P2pError): void {
    link.timer?.cancel()
    link.timer = undefined
    this.#urgent.delete(link)
    this.#queue.delete(link)
    if (link.status === 'queued') link.status = 'idle'
    link.giveUp?.()
    link.peer?.close(reason)
  }
}

function createLink(nodeId: Uint8Array): Link {
  return {
    nodeId,
    failures: 0,
    isTracked: false,
    addresses: new Addresses(),
    dialled: '',
    status: 'idle',
    reason: NOT_TRACKED,
    error: undefined,
    peer: undefined,
    timer: undefined,
    giveUp: undefined,
    waiting: new Set(),
  }
}
