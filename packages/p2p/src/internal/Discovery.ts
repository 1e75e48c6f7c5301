import type { Peer } from '../Peer.ts'
import type { Timer, Timers } from '../Timers.ts'

/** What {@link Discovery} takes. */
export interface DiscoveryOptions {
  readonly timers: Timers
  /** A number in [0, 1). */
  readonly random: () => number
  /** Peers that can be asked. */
  readonly peers: () => readonly Peer[]
  /** True while addresses are wanted. */
  readonly isNeeded: () => boolean
  /** The filter of all that is known, made afresh if asked for. */
  readonly known: (afresh: boolean) => { readonly filter: Uint8Array; readonly salt: Uint8Array }
  readonly allSubnets: boolean
  /** Between two questions when the last brought nothing; it doubles with each that brings nothing. */
  readonly intervalMs: number
  /** How long an answer may take: a node that has nothing to tell says nothing. */
  readonly answerMs: number
}

/** Most doublings of the interval between questions that bring nothing. */
const MAX_DOUBLINGS = 5
/** Between two questions while answers bring addresses. */
const EAGER_MS = 20

/** Asks connected peers, one at a time, for addresses that are not known yet, as long as some are wanted. */
export class Discovery {
  readonly #options: DiscoveryOptions
  #timer: Timer | undefined
  #asked: Peer | undefined
  #inVain = 0
  #isStopped = false

  constructor(options: DiscoveryOptions) {
    this.#options = options
  }

  /** Something changed (a peer came, a NodeID is wanted): asks soon. */
  wake(): void {
    this.#inVain = 0
    if (this.#asked === undefined) this.#askIn(EAGER_MS)
  }

  /** A PeerList came from a peer. */
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
