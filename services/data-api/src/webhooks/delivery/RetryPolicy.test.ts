import { expect, test } from 'vitest'
import { afterFailure, RETRIES } from './RetryPolicy.ts'

const HOUR = 3_600_000

/** Lets a target be down, and returns the hours of the attempts until the first delivery is dead or the webhook ends. */
function outage(jumpMs = 0) {
  let [nowMs, attempts] = [0, 0]
  const times: number[] = []
  for (;;) {
    attempts++
    times.push(nowMs)
    const attempt = {
      status: undefined,
      nowMs,
      attempts,
      firstAttemptMs: 0,
      failures: attempts,
      failingSinceMs: 0,
    }
    const { state, dueMs, deactivation } = afterFailure(attempt, RETRIES, () => 1)
    if (state === 'dead' || deactivation !== undefined) return { times, attempts, nowMs }
    nowMs = dueMs + (attempts === 1 ? jumpMs : 0)
  }
}

test('repeats for a day: at first after seconds, later every hour', () => {
  const { times, nowMs } = outage()
  expect(times.slice(0, 5)).toEqual([0, 1_000, 3_000, 7_000, 15_000])
  expect(nowMs).toBeGreaterThanOrEqual(24 * HOUR)
  expect(nowMs).toBeLessThan(26 * HOUR)
  const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0))
  expect(Math.max(...gaps)).toBe(HOUR)
})

test('does not give up after a few attempts, even if the clock jumps by days', () => {
  expect(outage(100 * 24 * HOUR).attempts).toBe(RETRIES.leastAttempts)
})

const failed = { status: 500, nowMs: 0, attempts: 1, firstAttemptMs: 0, failures: 1, failingSinceMs: 0 }

test('deactivates a webhook without a success for three days, and at once if the target answers 410', () => {
  const long = { ...failed, nowMs: 72 * HOUR, failures: 90, firstAttemptMs: 71 * HOUR }
  expect(afterFailure(long, RETRIES, () => 0)).toMatchObject({
    ...{ state: 'queued', deactivation: 'no attempt succeeded for 72 hours' },
  })
  expect(afterFailure({ ...long, nowMs: 71 * HOUR }, RETRIES, () => 0).deactivation).toBeUndefined()
  expect(afterFailure({ ...failed, status: 410 }, RETRIES, () => 0).deactivation).toBe(
    'the target answered 410 Gone',
  )
})
