import type { Clock } from '@firn/runtime'
import { LRUCache } from 'lru-cache'

/**
 * Returns a promise with the same result that rejects with the signal's reason as soon as the signal aborts.
 * The original promise continues for other callers.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    // A failure after the abort must have a handler, too.
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** Returns the result of `promise` if it settles within `ms` milliseconds, otherwise the `fallback`. */
export async function withPatience<T>(
  promise: Promise<T>,
  fallback: T,
  ms: number,
  clock: Clock,
): Promise<T> {
  const stop = new AbortController()
  const timeUp = clock.sleep(ms, stop.signal).then(
    () => fallback,
    () => fallback,
  )
  try {
    return await Promise.race([promise, timeUp])
  } finally {
    stop.abort()
  }
}

/** A cache in which concurrent requests for the same key share one load. Failures are not cached. */
export interface Memo<T> {
  get(key: string, load: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Returns the cached value without loading; undefined if it is missing or expired. */
  peek(key: string): T | undefined
}

/** Options of {@link createMemo}. If `ttlMs` returns Infinity, the value is kept until it is evicted. */
export interface MemoOptions<T> {
  readonly max: number
  readonly clock: Clock
  readonly ttlMs: (value: T) => number
}

/** Creates an empty {@link Memo} that holds at most `max` values. */
export function createMemo<T>({ max, clock, ttlMs }: MemoOptions<T>): Memo<T> {
  const kept = new LRUCache<string, { readonly value: T; readonly expires: number }>({ max })
  const flights = new Map<string, Promise<T>>()
  const peek = (key: string): { readonly value: T } | undefined => {
    const entry = kept.get(key)
    return entry !== undefined && entry.expires > clock.now() ? entry : undefined
  }
  const start = (key: string, load: () => Promise<T>): Promise<T> => {
    const flight = load()
      .then((value) => {
        kept.set(key, { value, expires: clock.now() + ttlMs(value) })
        return value
      })
      .finally(() => flights.delete(key))
    flights.set(key, flight)
    return flight
  }
  return {
    get: async (key, load, signal) => {
      const entry = peek(key)
      return entry === undefined ? abortable(flights.get(key) ?? start(key, load), signal) : entry.value
    },
    peek: (key) => peek(key)?.value,
  }
}
