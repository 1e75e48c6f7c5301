/**
 * The clocks and timers of this package. Tests pass {@link createManualTimers}; all other code uses {@link
 * SYSTEM}.
 */
export interface Timers {
  /** Returns the Unix time in milliseconds, for handshakes and claims. */
  now(): number
  /** Returns monotonic milliseconds, for measuring durations. */
  monotonic(): number
  /** Runs `callback` once after `ms` milliseconds. The returned timer can cancel it. */
  setTimer(callback: () => void, ms: number): Timer
  /** Runs `callback` after the data that has already arrived at the sockets of this process has been read. */
  afterInput(callback: () => void): void
}

/** A timer that can be cancelled. Cancelling it twice, or after it fired, has no effect. */
export interface Timer {
  cancel(): void
}

/**
 * The clocks and timers of the process. A pending timer keeps the process alive, so that it does not exit
 * between two connection attempts.
 */
export const SYSTEM: Timers = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer: (callback, ms) => {
    const handle = setTimeout(callback, ms)
    return { cancel: () => clearTimeout(handle) }
  },
  // The event loop reads all sockets that have input before it runs immediates.
  afterInput: (callback) => void setImmediate(callback),
}

/** Timers whose time advances only with {@link ManualTimers.advance}. */
export interface ManualTimers extends Timers {
  /** Advances the time by `ms` and fires the due timers, in order. */
  advance(ms: number): void
}

/**
 * Creates timers whose time starts at the Unix time `start` (ms) and advances only on request.
 *
 * @example
 * ```ts
 * import { Timers } from '@firn/p2p'
 *
 * const timers = Timers.createManualTimers()
 * timers.setTimer(() => console.log('elapsed'), 1_000)
 * timers.advance(1_000) // prints 'elapsed'
 * ```
 */
export function createManualTimers(start = 1_700_000_000_000): ManualTimers {
  const due = new Set<{ at: number; callback: () => void }>()
  let elapsed = 0
  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    setTimer: (callback, ms) => {
      const entry = { at: elapsed + ms, callback }
      due.add(entry)
      return { cancel: () => void due.delete(entry) }
    },
    afterInput: SYSTEM.afterInput,
    advance: (ms) => {
      const end = elapsed + ms
      for (;;) {
        let next: { at: number; callback: () => void } | undefined
        for (const entry of due) {
          if (entry.at <= end && (next === undefined || entry.at < next.at)) next = entry
        }
        if (next === undefined) break
        due.delete(next)
        elapsed = Math.max(elapsed, next.at)
        next.callback()
      }
      elapsed = end
    },
  }
}
