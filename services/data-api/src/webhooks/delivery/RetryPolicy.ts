import { backoff } from '@firn/runtime'
import type { DeliveryState } from '@firn/service-store'

/** When failed deliveries are sent again, and when the service gives up. Times are in milliseconds. */
export interface RetryPolicy {
  /** Delay after the first failure; it doubles with each further one. */
  readonly firstMs: number
  readonly longestMs: number
  /** A delivery is dead if it fails this long after its first attempt, and after at least `leastAttempts` of them. */
  readonly giveUpMs: number
  /** A webhook is deactivated if no attempt succeeded for this time. */
  readonly deactivateMs: number
  /** Attempts before giving up, whatever the clock says: it may have jumped. */
  readonly leastAttempts: number
}

const HOUR = 3_600_000

export const RETRIES: RetryPolicy = {
  firstMs: 1_000,
  longestMs: HOUR,
  giveUpMs: 24 * HOUR,
  deactivateMs: 72 * HOUR,
  leastAttempts: 10,
}

/** A failed attempt, and the attempts before it. */
export interface FailedAttempt {
  readonly status: number | undefined
  readonly nowMs: number
  /** Number of attempts for the delivery, with this one, and the time of the first. */
  readonly attempts: number
  readonly firstAttemptMs: number
  /** Number of failed attempts for the webhook since the last success, with this one, and the time of the first. */
  readonly failures: number
  readonly failingSinceMs: number
}

/** What follows from a failed attempt. */
export interface Consequence {
  readonly state: DeliveryState
  /** Time of the next attempt for the webhook. */
  readonly dueMs: number
  /** Why the webhook is deactivated; undefined if it stays active. */
  readonly deactivation: string | undefined
}

/** HTTP status with which a target says that it wants no more messages. */
const GONE = 410

/** Returns what follows from a failed attempt. */
export function afterFailure(attempt: FailedAttempt, policy: RetryPolicy, random: () => number): Consequence {
  const { nowMs, attempts, failures } = attempt
  const isDead = attempts >= policy.leastAttempts && nowMs - attempt.firstAttemptMs >= policy.giveUpMs
  const delay = backoff(failures, { random, first: policy.firstMs, longest: policy.longestMs })
  return {
    state: isDead ? 'dead' : 'queued',
    dueMs: nowMs + delay,
    deactivation: deactivationOf(attempt, policy),
  }
}

function deactivationOf(
  { status, nowMs, failures, failingSinceMs }: FailedAttempt,
  { deactivateMs, leastAttempts }: RetryPolicy,
): string | undefined {
  if (status === GONE) return 'the target answered 410 Gone'
  if (failures < leastAttempts || nowMs - failingSinceMs < deactivateMs) return undefined
  return `no attempt succeeded for ${Math.floor(deactivateMs / HOUR)} hours`
}
