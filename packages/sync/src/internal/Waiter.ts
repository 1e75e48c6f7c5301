import type { Clock } from '@firn/runtime'

/** Lets one task wait for a time or for a call of `wake`, whichever is first. */
export interface Waiter {
  wake(): void
  /** Resolves early if `wake` was called since the last wait. Rejects with the signal's reason. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

export function createWaiter(clock: Clock): Waiter {
  let isWoken = false
  let timer: AbortController | undefined
  return {
    wake() {
      isWoken = true
      timer?.abort()
    },
    async wait(ms, signal) {
      signal.throwIfAborted()
      if (!isWoken) {
        const mine = new AbortController()
        timer = mine
        const onAbort = () => mine.abort()
        signal.addEventListener('abort', onAbort)
        try {
          await clock.sleep(ms, mine.signal)
        } catch (error) {
          if (!mine.signal.aborted) throw error
        } finally {
          signal.removeEventListener('abort', onAbort)
          timer = undefined
        }
      }
      isWoken = false
      signal.throwIfAborted()
    },
  }
}
