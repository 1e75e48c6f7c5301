import { backoff } from '@firn/runtime'

/** A failed attempt. */
export interface FailedAttempt {
  /** Number of consecutive attempts that failed before this one. */
  readonly attempts: number
  /** Whether another attempt may succeed. */
  readonly isTransient: boolean
  /** Whether the number of attempts is not limited. */
  readonly isUnlimited?: boolean
  readonly retryAfterSeconds?: number
  /** End of the host's pause in milliseconds since the Unix epoch, if no request was made because of the pause. */
  readonly until?: number | undefined
}

/** Time, randomness and limit that decide about the next attempt. */
export interface AttemptContext {
  readonly nowMs: number
  readonly random: () => number
  readonly mostAttempts: number
}

const FIRST_RETRY_SECONDS = 60
const LONGEST_RETRY_SECONDS = 86_400

/**
 * Returns the number of consecutive failures, and the time of the next attempt in Unix seconds. Transient failures are
 * retried after one, four and sixteen minutes and so on, up to a day, with jitter. A retry does not happen before the time
 * in a server's `retry-after` header. There are up to `mostAttempts` attempts.
 */
export function nextAttempt(
  { attempts, isTransient, isUnlimited = false, retryAfterSeconds = 0, until }: FailedAttempt,
  { nowMs, random, mostAttempts }: AttemptContext,
): { readonly attempts: number; readonly retryAt: bigint | undefined } {
  const due = (seconds: number) => BigInt(Math.floor(nowMs / 1_000)) + BigInt(Math.ceil(seconds))
  // Without jitter, all tokens of a collection would be retried at the same time.
  const backOff = (failures: number) =>
    backoff(failures, { random, first: FIRST_RETRY_SECONDS, longest: LONGEST_RETRY_SECONDS, factor: 4 })
  if (!isTransient) return { attempts: 0, retryAt: undefined }
  if (until !== undefined) {
    const retryAt = due(Math.max(until - nowMs, 0) / 1_000 + backOff(1))
    return { attempts, retryAt }
  }
  const tries = Math.min(attempts + 1, mostAttempts)
  if (tries === mostAttempts && !isUnlimited) return { attempts: tries, retryAt: undefined }
  return {
    attempts: tries,
    retryAt: due(Math.min(retryAfterSeconds, LONGEST_RETRY_SECONDS) + backOff(tries)),
  }
}
