import type { Limits } from '../Limits.ts'
import type { Timer, Timers } from '../Timers.ts'

/** Options of {@link Keepalive}. */
export interface KeepaliveOptions {
  readonly limits: Limits
  readonly timers: Timers
  /**
   * Returns true while this side itself has paused reading, so that the peer cannot be blamed for the
   * silence.
   */
  readonly isPaused: () => boolean
  /** Called when a Ping is due. */
  readonly onTick: () => void
  readonly onIdle: () => void
  /** Called when the connection did not become ready in time. */
  readonly onLate: () => void
}

/** The timers of one connection: idle time-out, Pings, and the deadline for becoming ready. */
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

  /** Restarts the idle time-out. Called when the length of a frame has been read and when the frame is complete. */
  progress(): void {
    this.#lastProgress = this.#options.timers.monotonic()
  }

  /** Cancels the deadline for becoming ready. */
  ready(): void {
    this.#late?.cancel()
  }

  stop(): void {
    this.#isStopped = true
    this.#idle?.cancel()
    this.#tick?.cancel()
    this.#late?.cancel()
  }

  /**
   * Starts the idle timer. When it fires, it checks how long ago the last frame arrived, so it need not be restarted
   * for each frame.
   */
  #watch(ms: number): void {
    const { limits, timers } = this.#options
    this.#idle = timers.setTimer(() => {
      // After the process was blocked, timers run before pending socket data is read, so check again after
      // reading it.
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
 * Runs `callback` after the data that is already in the sockets has been read, which takes one full turn of
 * the event loop.
 */
function afterReading(callback: () => void): void {
  setImmediate(() => setImmediate(callback))
}
