import { type Clock, withAnySignal } from '@firn/runtime'

/** Lets a loop sleep until something happens. */
export interface WakeUp {
  /** Ends the waits that began, and the next waits of loops that have called {@link next} and do not wait yet. */
  wake(): void
  /** Must be called before the loop looks for work, so that nothing that happens during the look is missed. */
  next(): {
    /** Resolves after {@link wake}, after `ms` milliseconds, or when the signal aborts. */
    within(ms: number, signal: AbortSignal): Promise<void>
  }
}

/** Creates a wake-up. */
export function createWakeUp(clock: Clock): WakeUp {
  let current = new AbortController()
  return {
    wake() {
      const ending = current
      current = new AbortController()
      ending.abort()
    },
    next() {
      const { signal: woken } = current
      return {
        within: (ms, signal) =>
          withAnySignal([woken, signal], (either) => clock.sleep(ms, either)).catch(() => undefined),
      }
    },
  }
}
