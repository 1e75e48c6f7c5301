import type { TLSSocket } from 'node:tls'
import type { Counters } from '../Counters.ts'
import type { Limits } from '../Limits.ts'
import type { Timer, Timers } from '../Timers.ts'

/** Options of {@link Intake}. */
export interface IntakeOptions {
  readonly socket: TLSSocket
  readonly limits: Limits
  readonly timers: Timers
  readonly counters: Counters
}

/** Minimum number of bytes charged for a frame, because handling an empty frame is not free. */
const MIN_CHARGE = 32

/** Pauses reading from one peer while it exceeds its byte rate or has too many requests in progress. */
export class Intake {
  readonly #options: IntakeOptions
  #credit: number
  #refilledAt: number
  #timer: Timer | undefined
  #inWork = 0
  #isStopped = false

  constructor(options: IntakeOptions) {
    this.#options = options
    this.#credit = options.limits.inboundBurstBytes
    this.#refilledAt = options.timers.monotonic()
  }

  /** True while reading is paused. */
  get isPaused(): boolean {
    return this.#timer !== undefined || this.#inWork >= this.#options.limits.requestsInWork
  }

  /** Charges `bytes` for a frame against the rate limit. */
  charge(bytes: number): void {
    this.#credit -= Math.max(MIN_CHARGE, bytes)
    if (this.#credit >= 0 || this.#timer !== undefined || this.#isStopped) return
    this.#refill()
    if (this.#credit >= 0) return
    const { limits, timers, counters } = this.#options
    counters.throttledReads++
    this.#timer = timers.setTimer(this.#onRefilled, (-this.#credit / limits.inboundBytesPerSecond) * 1_000)
    this.#apply()
  }

  /** Records that a request of the peer started (1) or ended (−1). */
  work(change: 1 | -1): void {
    this.#inWork += change
    this.#apply()
  }

  /** Lifts all limits. Called when the connection is closing and its input is discarded. */
  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
    this.#timer = undefined
    this.#inWork = Number.NEGATIVE_INFINITY
    this.#apply()
  }

  readonly #onRefilled = (): void => {
    this.#timer = undefined
    this.#refill()
    this.#apply()
  }

  #refill(): void {
    const { limits, timers } = this.#options
    const now = timers.monotonic()
    const earned = ((now - this.#refilledAt) / 1_000) * limits.inboundBytesPerSecond
    this.#credit = Math.min(limits.inboundBurstBytes, this.#credit + earned)
    this.#refilledAt = now
  }

  #apply(): void {
    const { socket } = this.#options
    if (this.isPaused === socket.isPaused()) return
    if (this.isPaused) socket.pause()
    else socket.resume()
  }
}
