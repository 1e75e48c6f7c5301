/** The clock of the aggregation. Services pass {@link system}; simulations pass a simulated clock. */
export interface Clock {
  /** Returns milliseconds since an arbitrary fixed moment; never goes backwards. */
  now(): number
  /** Returns milliseconds since an arbitrary fixed moment; the value never decreases. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Returns the system clock: monotonic milliseconds and real timers. */
export function system(): Clock {
  return { now: () => performance.now(), sleep }
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
