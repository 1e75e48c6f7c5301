import type { Peer } from '../Peer.ts'
import type { Timer, Timers } from '../Timers.ts'

/** Options of {@link Discovery}. */
export interface DiscoveryOptions {
  readonly timers: Timers
  /** Returns a number in [0, 1). */
  readonly random: () => number
  /** Returns the peers to which a request can be sent. */
  readonly peers: () => readonly Peer[]
  /** Returns true while addresses are needed. */
  readonly isNeeded: () => boolean
  /** Returns the filter of all known claims, with new seeds if `afresh`. */
  readonly known: (afresh: boolean) => { readonly filter: Uint8Array; readonly salt: Uint8Array }
  readonly allSubnets: boolean
  /**
   * Milliseconds. If a request returned no addresses, the next one follows after twice this time. The delay doubles
   * with each further such request, up to 128 times this time.
   */
  readonly intervalMs: number
  /** Milliseconds to wait for an answer. A node without new addresses does not answer. */
  readonly answerMs: number
}

/** Maximum number of times that the interval doubles while no new addresses arrive. */
const MAX_DOUBLINGS = 7
/** Milliseconds before the first request, and between two requests while the answers contain addresses. */
const EAGER_MS = 20

/** Requests unknown addresses from connected peers, one request at a time, while addresses are needed. */
export class Discovery {
  readonly #options: DiscoveryOptions
  #timer: Timer | undefined
  #asked: Peer | undefined
  #inVain = 0
  #isStopped = false

  constructor(options: DiscoveryOptions) {
    this.#options = options
  }

  /** Schedules a request soon. Called when there is a new peer or a new NodeID to dial, or a peer was lost. */
  wake(): void {
    this.#inVain = 0
    if (this.#asked === undefined) this.#askIn(EAGER_MS)
  }

  /** Handles a PeerList of `length` claims. Ignores it unless it answers the outstanding request. */
  onList(peer: Peer, length: number): void {
    if (this.#asked !== peer) return
    this.#asked = undefined
    this.#inVain = length > 0 ? 0 : this.#inVain + 1
    this.#askIn(length > 0 ? EAGER_MS : this.#delay())
  }

  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
  }

  #delay(): number {
    return this.#options.intervalMs * 2 ** Math.min(this.#inVain, MAX_DOUBLINGS)
  }

  #askIn(ms: number): void {
    if (this.#isStopped) return
    this.#timer?.cancel()
    this.#timer = this.#options.timers.setTimer(() => this.#ask(), ms)
  }

  #ask(): void {
    const { peers, isNeeded, known, allSubnets, random, answerMs, timers } = this.#options
    this.#asked = undefined
    if (!isNeeded()) return
    const all = peers()
    const peer = all[Math.floor(random() * all.length)]
    if (peer === undefined) return
    this.#asked = peer
    peer.send({ case: 'getPeerList', value: { knownPeers: known(this.#inVain > 0), allSubnets } })
    this.#timer = timers.setTimer(() => {
      this.#asked = undefined
      this.#inVain++
      this.#askIn(this.#delay())
    }, answerMs)
  }
}
