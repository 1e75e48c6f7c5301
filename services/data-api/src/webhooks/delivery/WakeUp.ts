import type { Clock } from '@firn/runtime'

/** Lets a loop sleep until something happens. */
export interface WakeUp {
  /** Ends the waits that began, and those of loops that have called {@link next} and do not wait yet. */
  wake(): void
  /** Must be called before the loop looks for work, so that nothing that happens during the look is missed. */
  next(): {
    /** Resolves after {@link wake}, after `ms` milliseconds, or when the signal aborts. */
    within(ms: number, signal: AbortSignal): Promise<void>
  }
}

/** Creates a wake-up. */
export function createWakeUp(clock: Clock): WakeUp {
  let current = Promise.withResolvers<void>()
  return {
    wake() {
      const { resolve } = current
      current = Promise.withResolvers()
      resolve()
    },
    next() {
      const { promise } = current
      return {
        async within(ms, signal) {
          if (signal.aborted) return
          const done = new AbortController()
          const end = () => done.abort()
          signal.addEventListener('abort', end, { once: true })
          await Promise.race([promise, clock.sleep(ms, done.signal).catch(() => undefined)])
          signal.removeEventListener('abort', end)
          done.abort()
        },
      }
    },
  }
}
