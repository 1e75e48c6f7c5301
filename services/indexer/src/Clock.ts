/** Time, given from outside so that tests need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after that time, or rejects when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The system's clock. */
export const SYSTEM: Clock = {
  now: () => Date.now(),
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
