import { expect, test } from 'vitest'
import { createMemoryCounters, DAY_MS, MINUTE_MS, take } from './RateLimit.ts'

const allowance = { unitsPerMinute: 100, unitsPerDay: 250 }

function clock(start: number) {
  let time = start
  return { now: () => time, pass: (ms: number) => (time += ms) }
}

test('rejects requests beyond the per-minute limit until the next minute begins', async () => {
  const { now, pass } = clock(DAY_MS * 20_000 + 15_000)
  const counters = createMemoryCounters(now)
  const first = await take(counters, 'a', 60, allowance)
  expect(first).toEqual({
    isAllowed: true,
    headers: {
      'ratelimit-policy': '100;w=60, 250;w=86400',
      'ratelimit-limit': '100',
      'ratelimit-remaining': '40',
      'ratelimit-reset': '45',
    },
  })
  const second = await take(counters, 'a', 60, allowance)
  expect(second.isAllowed).toBe(false)
  expect(second.headers).toMatchObject({
    'ratelimit-remaining': '0',
    'ratelimit-reset': '45',
    'retry-after': '45',
  })
  expect((await take(counters, 'b', 60, allowance)).isAllowed).toBe(true)
  pass(45_000)
  expect((await take(counters, 'a', 60, allowance)).isAllowed).toBe(true)
})

test('counts the daily units across all minutes of a day', async () => {
  const { now, pass } = clock(DAY_MS * 20_000)
  const counters = createMemoryCounters(now)
  for (let i = 0; i < 2; i++) {
    expect((await take(counters, 'a', 100, allowance)).isAllowed).toBe(true)
    pass(MINUTE_MS)
  }
  // Fewer units remain for the day than for the minute, so the reset time is the end of the day.
  const few = await take(counters, 'a', 1, allowance)
  const untilMidnight = String((DAY_MS - 2 * MINUTE_MS) / 1000)
  expect(few.headers).toMatchObject({ 'ratelimit-remaining': '49', 'ratelimit-reset': untilMidnight })
  const last = await take(counters, 'a', 60, allowance)
  expect(last.isAllowed).toBe(false)
  expect(last.headers['retry-after']).toBe(untilMidnight)
  pass(DAY_MS - 2 * MINUTE_MS)
  expect((await take(counters, 'a', 60, allowance)).isAllowed).toBe(true)
})
