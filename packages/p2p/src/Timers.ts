/**
 * The two clocks and the timer that this package uses. Tests hand in {@link createManualTimers}; everything else takes {@link SYSTEM}.
 */
export interface Timers {
  /** Unix time in milliseconds: what handshakes and claims carry. */
  now(): number
  /** Milliseconds that never jump: what durations are measured with. */
  monotonic(): number
  /** Runs `callback` once after `ms`; the value returned cancels it. */
  setTimer(callback: () => void, ms: number): Timer
}

/** A timer that can be cancelled; cancelling twice, or after it ran, does nothing. */
export interface Timer {
  cancel(): void
}

/** The process's own clock. A timer keeps the process alive: a wait for the next attempt at a node is a reason to stay. */
export const SYSTEM: Timers = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer: (callback, ms) => {
    const handle = setTimeout(callback, ms)
    return { cancel: () => clearTimeout(handle) }
  },
}

/** Timers whose time moves by {@link ManualTimers.advance} only. */
export interface ManualTimers extends Timers {
  /** Moves time forward by `ms`, running what falls due on the way in order of time. */
  advance(ms: number): void
}

/** Creates timers that stand still until told to advance, starting at Unix time `start` (ms). */
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
