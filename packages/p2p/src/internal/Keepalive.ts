import type { Limits } from '../Limits.ts'
import type { Timer, Timers } from '../Timers.ts'

/** What {@link Keepalive} takes. */
export interface KeepaliveOptions {
  readonly limits: Limits
  readonly timers: Timers
  /** While true, silence is this side's own doing. */
  readonly isPaused: () => boolean
  /** A Ping is due. */
  readonly onTick: () => void
  readonly onIdle: () => void
  /** The connection should have been ready by now. */
  readonly onLate: () => void
}

/** The clocks of one connection: silence, Pings, becoming ready. */
export class Keepalive {
  readonly #options: KeepaliveOptions
  #lastProgress: number
  #idle: Timer | undefined
  #tick: Timer | undefined
  #late: Timer | undefined
  #isStopped = false

  constructor(options: KeepaliveOptions) {
    const { limits, timers, onLate } = options
    this.#options = options
    this.#lastProgress = timers.monotonic()
    this.#watch(limits.idleMs)
    this.#schedule()
    if (Number.isFinite(limits.handshakeMs)) this.#late = timers.setTimer(onLate, limits.handshakeMs)
  }

  /** A frame began or was whole. */
  progress(): void {
    this.#lastProgress = this.#options.timers.monotonic()
  }

  /** The connection is ready. */
  ready(): void {
    this.#late?.cancel()
  }

  stop(): void {
    this.#isStopped = true
    this.#idle?.cancel()
    this.#tick?.cancel()
    this.#late?.cancel()
  }

  /** One timer per connection that looks, when it fires, how long the silence really is: frames cost no timer work. */
  #watch(ms: number): void {
    const { limits, timers } = this.#options
    this.#idle = timers.setTimer(() => {
      // After a stall of this process timers run before what waits in the sockets is read: look again once it is.
      if (this.#idleIn(limits.idleMs) <= 0) afterReading(() => this.#settle())
      else this.#settle()
    }, ms)
  }

  #settle(): void {
    if (this.#isStopped) return
    const left = this.#idleIn(this.#options.limits.idleMs)
    if (left <= 0) this.#options.onIdle()
    else this.#watch(left)
  }

  #idleIn(idleMs: number): number {
    if (this.#options.isPaused()) this.progress()
    return this.#lastProgress + idleMs - this.#options.timers.monotonic()
  }

  #schedule(): void {
    const { limits, timers, onTick } = this.#options
    this.#tick = timers.setTimer(() => {
      this.#schedule()
      onTick()
    }, limits.pingMs)
  }
}

/** Runs `callback` once all that the sockets hold now was read: one whole turn of the event loop lies between two of these. */
function afterReading(callback: () => void): void {
  setImmediate(() => setImmediate(callback))
}
