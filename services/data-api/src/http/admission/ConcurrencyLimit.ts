import { DataApiError } from '../endpoint/DataApiError.ts'

/** Limits on concurrent work. */
export interface ConcurrencyOptions {
  /** Maximum number of concurrent tasks. */
  readonly most: number
  /** Maximum number of waiting tasks. */
  readonly mostWaiting: number
  /** Maximum waiting time in milliseconds. */
  readonly waitMs: number
  /** Returns the error for tasks that cannot wait; by default `DATA_UNAVAILABLE`. */
  readonly refuse?: () => DataApiError
}

/** A limit on the expensive work of a process, shared by all callers. */
export interface ConcurrencyLimit {
  /**
   * Runs `work` as soon as a slot is free, and returns the result of `work`. Concurrent callers with the same
   * key share one run.
   * @throws DataApiError {@link ConcurrencyOptions.refuse} if too many tasks are waiting, or if no slot becomes free in time; errors
   * of `work`
   */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** Creates a limit on concurrent tasks. */
export function createConcurrencyLimit(options: ConcurrencyOptions): ConcurrencyLimit {
  const { most, mostWaiting, waitMs, refuse = () => busy(options) } = options
  const shared = new Map<string, Promise<unknown>>()
  const waiting = new Set<() => void>()
  let running = 0
  const enter = async (): Promise<void> => {
    if (running < most) {
      running += 1
      return
    }
    if (waiting.size >= mostWaiting) throw refuse()
    await new Promise<void>((resolve, reject) => {
      const take = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(take)
        reject(refuse())
      }, waitMs)
      waiting.add(take)
    })
  }
  const leave = () => {
    const [next] = waiting
    if (next === undefined) {
      running -= 1
      return
    }
    // The task that has waited longest gets the slot.
    waiting.delete(next)
    next()
  }
  const start = async <T>(work: () => Promise<T>): Promise<T> => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
  return {
    run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const known = shared.get(key)
      if (known !== undefined) return known as Promise<T>
      const run = start(work).finally(() => shared.delete(key))
      shared.set(key, run)
      return run
    },
  }
}

function busy({ most, waitMs }: ConcurrencyOptions): DataApiError {
  const seconds = Math.max(Math.ceil(waitMs / 1000), 1)
  const message = `too many requests: ${most} of this kind are in progress and others are waiting; retry in ${seconds} s`
  return new DataApiError('DATA_UNAVAILABLE', message, {
    details: { headers: { 'retry-after': String(seconds) } },
  })
}
