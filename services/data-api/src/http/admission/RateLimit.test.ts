import { describe, expect, test } from 'vitest'
import { createMemoryCounters, DAY_MS, MINUTE_MS, take } from './RateLimit.ts'

const allowance = { unitsPerMinute: 100, unitsPerDay: 250 }

const caller = (key: string) => ({ limits: [{ key, factor: 1 }], allowance }) as const

function clock(start: number) {
  let time = start
  return { now: () => time, pass: (ms: number) => (time += ms) }
}

test('rejects requests beyond the per-minute limit until the next minute begins', async () => {
  const { now, pass } = clock(DAY_MS * 20_000 + 15_000)
  const counters = createMemoryCounters(now)
  const first = await take(counters, caller('a'), 60)
  expect(first).toEqual({
    isAllowed: true,
    name: 'a',
    allowance,
    headers: {
      'ratelimit-policy': '100;w=60, 250;w=86400',
      'ratelimit-limit': '100',
      'ratelimit-remaining': '40',
      'ratelimit-reset': '45',
    },
  })
  const second = await take(counters, caller('a'), 60)
  expect(second.isAllowed).toBe(false)
  expect(second.headers).toMatchObject({
    'ratelimit-remaining': '0',
    'ratelimit-reset': '45',
    'retry-after': '45',
  })
  expect((await take(counters, caller('b'), 60)).isAllowed).toBe(true)
  pass(45_000)
  expect((await take(counters, caller('a'), 60)).isAllowed).toBe(true)
})

test('counts the daily units across all minutes of a day', async () => {
  const { now, pass } = clock(DAY_MS * 20_000)
  const counters = createMemoryCounters(now)
  for (let i = 0; i < 2; i++) {
    expect((await take(counters, caller('a'), 100)).isAllowed).toBe(true)
    pass(MINUTE_MS)
  }
  // Fewer units remain for the day than for the minute, so the reset time is the end of the day.
  const few = await take(counters, caller('a'), 1)
  const untilMidnight = String((DAY_MS - 2 * MINUTE_MS) / 1000)
  expect(few.headers).toMatchObject({ 'ratelimit-remaining': '49', 'ratelimit-reset': untilMidnight })
  const last = await take(counters, caller('a'), 60)
  expect(last.isAllowed).toBe(false)
  expect(last.headers['retry-after']).toBe(untilMidnight)
  pass(DAY_MS - 2 * MINUTE_MS)
  expect((await take(counters, caller('a'), 60)).isAllowed).toBe(true)
})

describe('a caller with several names', () => {
  const networks = (network: number) =>
    ({
      limits: [
        { key: `network ${network}`, factor: 1 },
        { key: 'all networks', factor: 2 },
      ],
      allowance,
    }) as const

  test('is limited under each of them', async () => {
    const counters = createMemoryCounters(() => 0)
    const allowed = []
    for (let i = 0; i < 5; i++) allowed.push((await take(counters, networks(i), 60)).isAllowed)
    expect(allowed).toEqual([true, true, true, false, false])
    const { headers, name } = await take(counters, networks(9), 1)
    expect([name, headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual([
      'all networks',
      '200',
      '0',
    ])
  })

  test('uses nothing of the wider name while it is limited under the narrow one', async () => {
    const counters = createMemoryCounters(() => 0)
    for (let i = 0; i < 10; i++) await take(counters, networks(1), 60)
    expect((await counters.add('all networks', 0)).minute.used).toBe(60)
  })
})

test('forgets the callers that have been silent longest', async () => {
  const counters = createMemoryCounters(() => 0, 2)
  for (const name of ['a', 'b', 'a', 'c']) await counters.add(name, 1)
  const used = async (name: string) => (await counters.add(name, 0)).day.used
  expect([await used('a'), await used('c'), await used('b')]).toEqual([2, 1, 0])
})
