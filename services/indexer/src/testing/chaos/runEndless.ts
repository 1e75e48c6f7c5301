import { setTimeout } from 'node:timers/promises'

/** An indexer that runs until it is stopped. For tests only. */
export interface Endless {
  /**
   * Calls `onTick` until a condition holds.
   * @throws Error with `reason` if it takes longer than the patience, and if the indexer has ended
   */
  until(holds: () => boolean, onTick: () => void, reason: () => string): Promise<void>
  stop(): Promise<void>
}

/** Runs an indexer that must not end. For tests only. */
export function runEndless(run: (signal: AbortSignal) => Promise<void>, patienceMs: number): Endless {
  const stop = new AbortController()
  let ended: unknown
  const running = run(stop.signal).then(
    () => {
      ended = new Error('the indexer has ended')
    },
    (error: unknown) => {
      ended = error
    },
  )
  return {
    async until(holds, onTick, reason) {
      for (const end = Date.now() + patienceMs; !holds(); ) {
        if (ended !== undefined) throw ended
        if (Date.now() > end) throw new Error(reason())
        onTick()
        await setTimeout(20)
      }
    },
    async stop() {
      stop.abort()
      await running
    },
  }
}
