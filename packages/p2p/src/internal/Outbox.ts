import type { TLSSocket } from 'node:tls'
import type { Counters } from '../Counters.ts'
import type { Limits } from '../Limits.ts'
import type { Timer, Timers } from '../Timers.ts'

/** Options of {@link Outbox}. */
export interface OutboxOptions {
  readonly socket: TLSSocket
  readonly limits: Limits
  readonly timers: Timers
  readonly counters: Counters
  /** Called when the peer has not read any byte for the maximum time. */
  readonly onBlocked: () => void
}

/**
 * Writes to one peer. Everything that is sent in one turn of the event loop is written together, as one TLS record if
 * it fits, and the amount of unread data is limited.
 */
export class Outbox {
  readonly #options: OutboxOptions
  #isCorked = false
  #lastWritten = 0
  #timer: Timer | undefined

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  /**
   * Queues bytes and calls `onWritten` when they have been written to the socket. Returns false if they were
   * dropped, because the socket is closed or the queue is full. If the queue is empty, a message of any size is
   * accepted.
   */
  write(bytes: Uint8Array, onWritten?: () => void): boolean {
    const { socket, limits, counters } = this.#options
    if (!socket.writable) return false
    if (socket.writableLength > 0 && socket.writableLength + bytes.length > limits.outboundBytes) {
      counters.droppedMessages++
      return false
    }
    if (!this.#isCorked) {
      this.#isCorked = true
      socket.cork()
      setImmediate(this.#uncork)
    }
    socket.write(bytes, (error) => {
      if (error != null) return
      this.#lastWritten = this.#options.timers.monotonic()
      onWritten?.()
    })
    return true
  }

  /** Stops the timer that detects a blocked peer. */
  stop(): void {
    this.#timer?.cancel()
    this.#timer = undefined
  }

  readonly #uncork = (): void => {
    this.#isCorked = false
    this.#options.socket.uncork()
    if (this.#options.socket.writableNeedDrain) this.#watch()
  }

  #watch(): void {
    if (this.#timer !== undefined) return
    this.#lastWritten = this.#options.timers.monotonic()
    this.#rearm(this.#options.limits.writeBlockedMs)
  }

  #rearm(ms: number): void {
    const { socket, limits, timers, onBlocked } = this.#options
    this.#timer = timers.setTimer(() => {
      this.#timer = undefined
      if (socket.writableLength === 0) return
      const left = this.#lastWritten + limits.writeBlockedMs - timers.monotonic()
      if (left <= 0) onBlocked()
      else this.#rearm(left)
    }, ms)
  }
}
