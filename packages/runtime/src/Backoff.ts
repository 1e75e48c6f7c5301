import type { Clock } from './Clock.ts'

/** Options of {@link backoff}: growth and jitter of the delays between attempts. The defaults are in milliseconds. */
export interface BackoffOptions {
  /** Returns a uniform random number in [0, 1), for the jitter. */
  readonly random: () => number
  /** Maximum delay after the first failure; default 100. */
  readonly first?: number
  /** Maximum delay after any number of failures; default 10,000. */
  readonly longest?: number
  /** Factor by which the maximum delay grows after each further failure; default 2. */
  readonly factor?: number
}

/**
 * Returns the delay after a number of consecutive failures, in the unit of the options (milliseconds by default). The
 * maximum delay grows exponentially. The delay is a random value between half the maximum and the maximum.
 *
 * @example
 * ```ts
 * import { backoff } from '@firn/runtime'
 *
 * backoff(3, { random: () => 0.5 }) // 300
 * ```
 */
export function backoff(
  failures: number,
  { random, first = 100, longest = 10_000, factor = 2 }: BackoffOptions,
): number {
  const full = Math.min(first * factor ** Math.max(failures - 1, 0), longest)
  return full / 2 + (full / 2) * random()
}

/**
 * Sleeps for the delay that {@link backoff} returns for a number of consecutive failures. An abort ends the sleep
 * early, without an error.
 *
 * @throws errors of the clock other than the abort
 * @example
 * ```ts
 * import { pause, systemClock } from '@firn/runtime'
 *
 * await pause(1, { clock: systemClock, random: Math.random }, AbortSignal.timeout(10))
 * ```
 */
export async function pause(
  failures: number,
  { clock, random }: { readonly clock: Clock; readonly random: () => number },
  signal: AbortSignal,
): Promise<void> {
  try {
    await clock.sleep(backoff(failures, { random }), signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
