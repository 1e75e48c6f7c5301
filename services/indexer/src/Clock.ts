/** Time, given from outside so that tests need not wait. */
export interface Clock {
  /** Milliseconds since 1970, with fractions. */
  now(): number
  /** Resolves after that time, or rejects when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The system's clock. */
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
