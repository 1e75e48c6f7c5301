import type { Clock } from '@firn/runtime'

/** Measures the recent rate of an event. */
export interface Pace {
  count(items: number): void
  /** Returns the average rate over the last 15 seconds; 0 if nothing was counted yet. */
  perSecond(): number
}

const WINDOW_MS = 15_000
const LEAST_MS = 250

/** Number of blocks behind the tip from which reaching it is logged again. Each block is a few behind for a moment. */
export const FAR = 64

/** Creates a rate measurement that starts at zero. */
export function createPace(clock: Clock): Pace {
  let begun: number | undefined
  let events: { readonly at: number; readonly items: number }[] = []
  const forget = () => {
    const from = clock.now() - WINDOW_MS
    if ((events[0]?.at ?? from) < from) events = events.filter(({ at }) => at >= from)
  }
  return {
    count(items) {
      begun ??= clock.now()
      forget()
      if (items > 0) events.push({ at: clock.now(), items })
    },
    perSecond() {
      forget()
      if (begun === undefined) return 0
      const ms = Math.max(Math.min(clock.now() - begun, WINDOW_MS), LEAST_MS)
      return events.reduce((sum, { items }) => sum + items, 0) / (ms / 1000)
    },
  }
}
