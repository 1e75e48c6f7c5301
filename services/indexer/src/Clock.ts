/** Time source, injected so that tests do not wait for real time. */
export interface Clock {
  /** Milliseconds since the Unix epoch, with fractions. */
  now(): number
  /** Resolves after `ms` milliseconds, or rejects when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The system clock. */
export const SYSTEM: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) =>
    new Promise((settle, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const done = () => {
        signal?.removeEventListener('abort', abort)
        settle()
      }
      const timer = setTimeout(done, ms)
      const abort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
    }),
}
