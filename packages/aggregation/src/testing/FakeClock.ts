import type { Clock } from '../Clock.ts'

/** A clock whose time passes only in {@link FakeClock.run}, from event to event. */
export interface FakeClock extends Clock {
  /** Calls `action` after `ms` milliseconds of its time. */
  after(ms: number, action: () => void): void
  /** Lets time pass until the promise is settled, and returns its result. */
  run<T>(promise: Promise<T>): Promise<T>
}

interface Event {
  readonly at: number
  readonly action: () => void
}

/** Returns a clock at 0. */
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
    now = at
    while (events[0]?.at === at) events.shift()?.action()
    return true
  }

  return {
    now: () => now,
    after,
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
        // Everything that follows from the last event without time passing.
        await new Promise((resolve) => setImmediate(resolve))
        if (isSettled) return promise
        if (!step()) throw new RangeError(`no event is scheduled after ${now} ms`)
      }
    },
  }
}
