import type { Clock } from '@firn/runtime'

/** A clock whose time advances only in {@link FakeClock.run}, from event to event. */
export interface FakeClock extends Clock {
  /** Calls `action` after `ms` milliseconds of simulated time. */
  after(ms: number, action: () => void): void
  /** Advances the time by `ms` without any event, as if the process were busy. Events of that time run late. */
  block(ms: number): void
  /** Advances the time until the promise is settled, and returns its result. */
  run<T>(promise: Promise<T>): Promise<T>
}

interface Event {
  readonly at: number
  readonly action: () => void
}

/** Returns a clock that starts at 0. */
export function create(): FakeClock {
  const events: Event[] = []
  let now = 0

  const after = (ms: number, action: () => void) => {
    const event = { at: now + ms, action }
    let place = events.length
    while (place > 0 && (events[place - 1] as Event).at > event.at) place -= 1
    events.splice(place, 0, event)
    return event
  }
  const step = () => {
    const at = events[0]?.at
    if (at === undefined) return false
    now = Math.max(now, at)
    while (events[0]?.at === at) events.shift()?.action()
    return true
  }

  return {
    now: () => now,
    after,
    block: (ms) => {
      now += ms
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const event = after(ms, resolve)
        signal?.addEventListener(
          'abort',
          () => {
            const place = events.indexOf(event)
            if (place >= 0) events.splice(place, 1)
            reject(signal.reason)
          },
          { once: true },
        )
      }),
    async run(promise) {
      let isSettled = false
      const settle = () => {
        isSettled = true
      }
      promise.then(settle, settle)
      for (;;) {
        // Before the time advances, all work that the last event caused must run.
        await new Promise((resolve) => setImmediate(resolve))
        if (isSettled) return promise
        if (!step())
          throw new RangeError(`the promise is not settled, but no event is scheduled after ${now} ms`)
      }
    },
  }
}
