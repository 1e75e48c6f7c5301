import type { Clock } from '../Clock.ts'

const FIRST_MS = 100
const LONGEST_MS = 10_000

/**
 * Returns the pause in milliseconds after consecutive failures. It doubles with each failure, and half of it
 * is random.
 */
export function backoffMs(failures: number, random: () => number, longestMs = LONGEST_MS): number {
  const full = Math.min(FIRST_MS * 2 ** Math.max(failures - 1, 0), longestMs)
  return full / 2 + (full / 2) * random()
}

/** Pauses after consecutive failures. An abort ends the pause early, without an error. */
export async function pause(
  failures: number,
  { clock, random }: { readonly clock: Clock; readonly random: () => number },
  signal: AbortSignal,
): Promise<void> {
  try {
    await clock.sleep(backoffMs(failures, random), signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
