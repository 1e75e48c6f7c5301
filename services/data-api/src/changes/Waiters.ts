/** Callers that wait for the same event. */
export interface Waiters {
  /** Resolves at the next event. Rejects if it fails, or with the reason of the signal. */
  wait(signal: AbortSignal): Promise<void>
  resume(): void
  fail(error: unknown): void
}

/** Creates an empty set of waiters. */
export function createWaiters(): Waiters {
  const waiting = new Set<{ readonly resume: () => void; readonly fail: (error: unknown) => void }>()
  return {
    wait: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const end = () => {
          waiting.delete(one)
          signal.removeEventListener('abort', abort)
        }
        const one = {
          resume: () => {
            end()
            resolve()
          },
          fail: (error: unknown) => {
            end()
            reject(error)
          },
        }
        const abort = () => one.fail(signal.reason)
        signal.addEventListener('abort', abort, { once: true })
        waiting.add(one)
      }),
    resume: () => {
      for (const one of [...waiting]) one.resume()
    },
    fail: (error) => {
      for (const one of [...waiting]) one.fail(error)
    },
  }
}
