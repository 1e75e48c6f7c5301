import type { Clock } from '../Clock.ts'

/** A clock whose time advances only when a test asks for it. Sleepers wake in order. */
export interface FakeClock extends Clock {
  /** Calls `action` after `ms` milliseconds of simulated time. */
  after(ms: number, action: () => void): void
  /** Advances the time by `ms` without any event, as if the process were busy. Events of that time run late. */
  block(ms: number): void
  /** Advances the time by `ms`, and waits after each event until its work has settled. */
  advance(ms: number): Promise<void>
  /** Advances the time from event to event until the promise is settled, and returns its result. */
  run<T>(promise: Promise<T>): Promise<T>
}

interface Event {
  readonly at: number
  readonly action: () => void
}

/** Returns a clock that starts at 0. */
export function createFakeClock(): FakeClock {
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
    async advance(ms) {
      const end = now + ms
      await settle()
      while ((events[0]?.at ?? Number.POSITIVE_INFINITY) <= end) {
        step()
        await settle()
      }
      now = end
    },
    async run(promise) {
      let isSettled = false
      const onSettled = () => {
        isSettled = true
      }
      promise.then(onSettled, onSettled)
      for (;;) {
        // Before the time advances, all work that the last event caused must run.
        await settle()
        if (isSettled) return promise
        if (!step())
          throw new RangeError(`the promise is not settled, but no event is scheduled after ${now} ms`)
      }
    },
  }
}

/** Waits until all pending promises have settled. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
