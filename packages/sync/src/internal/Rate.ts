import type { Clock } from '@firn/runtime'

/** Measures how often something happens, as an average over about the last ten seconds. */
export interface Rate {
  readonly count: (amount: number) => void
  readonly perSecond: () => number
}

const WINDOW_MS = 10_000

export function createRate(clock: Clock): Rate {
  const start = clock.now()
  let amount = 0
  let at = start
  const decay = () => {
    const now = clock.now()
    amount *= Math.exp((at - now) / WINDOW_MS)
    at = now
    return now
  }
  return {
    count(more) {
      decay()
      amount += more
    },
    perSecond() {
      const elapsedMs = Math.max(decay() - start, 1)
      // Within the first window, the weights of the past milliseconds add up to less than the window.
      return (amount / (WINDOW_MS * (1 - Math.exp(-elapsedMs / WINDOW_MS)))) * 1_000
    },
  }
}
