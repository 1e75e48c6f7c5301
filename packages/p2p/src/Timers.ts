/**
 * The two clocks and the timer of this package. Tests pass {@link createManualTimers}; everything else uses
 * {@link SYSTEM}.
 */
export interface Timers {
  /** Returns Unix time in milliseconds, as handshakes and claims carry it. */
  now(): number
  /** Returns monotonic milliseconds for measuring durations. */
  monotonic(): number
  /** Runs `callback` once after `ms`; the returned value cancels it. */
  setTimer(callback: () => void, ms: number): Timer
}

/** A timer that can be cancelled; cancelling twice, or after it ran, has no effect. */
export interface Timer {
  cancel(): void
}

/**
 * The process's own clock. A timer keeps the process alive, because a wait for the next attempt to reach a
 * node is a reason to stay.
 */
export const SYSTEM: Timers = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer: (callback, ms) => {
    const handle = setTimeout(callback, ms)
    return { cancel: () => clearTimeout(handle) }
  },
}

/** Timers whose time moves only with {@link ManualTimers.advance}. */
export interface ManualTimers extends Timers {
  /** Moves time forward by `ms` and runs the timers that fall due, in order. */
  advance(ms: number): void
}

/** Creates timers that stand still until advanced, starting at Unix time `start` (ms). */
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
