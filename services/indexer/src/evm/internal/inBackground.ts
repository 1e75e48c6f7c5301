import { isFirnError } from '@firn/codec'
import { type Clock, pause } from '@firn/runtime'

/** Options of {@link inBackground}. */
export interface BackgroundOptions {
  readonly clock: Clock
  readonly random: () => number
  /** Called for each fault with the number of consecutive faults, before the pause. */
  readonly onFault: (error: Error & { readonly code: string }, failures: number) => void
}

/** The pauses do not grow after this many consecutive faults. */
const MAX_FAILURES = 6

/**
 * Repeats a step until the signal is aborted or another process writes the chain. Pauses after faults. Throws only
 * errors that are not typed.
 */
export async function inBackground(
  step: () => Promise<void>,
  { onFault, ...timing }: BackgroundOptions,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      await step()
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      if (!isFirnError(error)) throw error
      if (error.code === 'STORE_FENCED') return
      failures += 1
      onFault(error, failures)
      await pause(Math.min(failures, MAX_FAILURES), timing, signal).catch(() => undefined)
    }
  }
}
