/** Counts changes, and wakes those who wait for the next one. */
export interface Pulse {
  /** Returns the number of changes so far. */
  count(): number
  /** Reports a change. */
  beat(): void
  /** Resolves once the number of changes differs from `since`, or the signal is aborted. */
  next(since: number, signal: AbortSignal): Promise<void>
}

/** Creates a pulse without changes. */
export function createPulse(): Pulse {
  const waiters = new Set<() => void>()
  let count = 0
  return {
    count: () => count,
    beat() {
      count += 1
      for (const wake of [...waiters]) wake()
    },
    next(since, signal) {
      if (count !== since || signal.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const wake = () => {
          waiters.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        waiters.add(wake)
        signal.addEventListener('abort', wake, { once: true })
      })
    },
  }
}
