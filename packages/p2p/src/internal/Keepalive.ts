import type { Limits } from '../Limits.ts'
import type { Timer, Timers } from '../Timers.ts'

/** Options of {@link Keepalive}. */
export interface KeepaliveOptions {
  readonly limits: Limits
  readonly timers: Timers
  /** Returns true while silence is caused by this side. */
  readonly isPaused: () => boolean
  /** Called when a Ping is due. */
  readonly onTick: () => void
  readonly onIdle: () => void
  /** Called when the connection is not ready in time. */
  readonly onLate: () => void
}

/** The timers of one connection: silence, Pings, becoming ready. */
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

  /** Called when a frame starts or is complete. */
  progress(): void {
    this.#lastProgress = this.#options.timers.monotonic()
  }

  /** Called when the connection is ready. */
  ready(): void {
    this.#late?.cancel()
  }

  stop(): void {
    this.#isStopped = true
    this.#idle?.cancel()
    this.#tick?.cancel()
    this.#late?.cancel()
  }

  /** One timer per connection measures the actual silence when it fires, so frames cost no timer work. */
  #watch(ms: number): void {
    const { limits, timers } = this.#options
    this.#idle = timers.setTimer(() => {
      // After a stall of this process timers run before pending socket data is read, so check again once it
      // has been read.
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

/**
 * Runs `callback` once everything that the sockets hold now was read: one whole turn of the event loop lies
 * in between.
 */
function afterReading(callback: () => void): void {
  setImmediate(() => setImmediate(callback))
}
