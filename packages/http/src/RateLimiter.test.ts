import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as IpAddress from './IpAddress.ts'
import * as RateLimiter from './RateLimiter.ts'

const RATE = { perSecond: 10, burst: 100 }

function setUp(keys?: number) {
  let time = 0
  const limiter = RateLimiter.create({ now: () => time, ...(keys === undefined ? {} : { keys }) })
  return { limiter, pass: (ms: number) => (time += ms) }
}

describe('RateLimiter', () => {
  it('grants no more units than the rate allows, and grants further units after the returned delay', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.nat(20_000))), (steps) => {
        const { limiter, pass } = setUp()
        let [spent, time] = [0, 0]
        for (const [units, pause] of steps) {
          const wait = limiter.take(RateLimiter.named('a'), units, RATE)
          if (wait > 0) {
            time += wait
            pass(wait)
            expect(limiter.take(RateLimiter.named('a'), units, RATE)).toBe(0)
          }
          spent += units
          // The last call may exceed the burst by its own cost, which is at most 300.
          expect(spent).toBeLessThanOrEqual(RATE.burst + (time / 1000) * RATE.perSecond + 300)
          time += pause
          pass(pause)
        }
      }),
    )
  })

  it('limits each key separately, and forgets the least recently used keys', () => {
    const { limiter } = setUp(2)
    const take = (key: string) => limiter.take(RateLimiter.named(key), 100, RATE)
    expect(['a', 'a', 'b', 'a', 'c', 'a', 'b'].map(take)).toEqual([0, 10_000, 0, 10_000, 0, 10_000, 0])
  })

  it('takes nothing when it refuses or only returns the wait', () => {
    const { limiter, pass } = setUp()
    limiter.take(RateLimiter.named('a'), 95, RATE)
    expect([
      limiter.wait(RateLimiter.named('a'), 6, RATE),
      limiter.take(RateLimiter.named('a'), 6, RATE),
      limiter.wait(RateLimiter.named('a'), 5, RATE),
    ]).toEqual([100, 100, 0])
    pass(100)
    expect([
      limiter.take(RateLimiter.named('a'), 6, RATE),
      limiter.left(RateLimiter.named('a'), RATE),
    ]).toEqual([0, 0])
  })

  it('overdraws by a charge no further than the debt, and never forgives what was taken', () => {
    const { limiter } = setUp()
    limiter.charge(RateLimiter.named('a'), 1_000, RATE)
    limiter.charge(RateLimiter.named('b'), 1_000, { ...RATE, debt: 500 })
    limiter.take(RateLimiter.named('c'), 1_000, RATE)
    limiter.charge(RateLimiter.named('c'), 1, RATE)
    expect(['a', 'b', 'c'].map((key) => limiter.left(RateLimiter.named(key), RATE))).toEqual([
      -100, -500, -900,
    ])
  })

  it('limits all networks of an IPv6 site together at a multiple of the rate', () => {
    const { limiter, pass } = setUp()
    const take = (network: number) =>
      limiter.take(IpAddress.toLimitKeys(IpAddress.parse(`2001:db8:1:${network.toString(16)}::1`)), 100, RATE)
    const waits = Array.from({ length: 100 }, (_, network) => take(network))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(IpAddress.SITE_FACTOR)
    expect(take(1_000)).toBeGreaterThan(0)
    expect(limiter.take(IpAddress.toLimitKeys(IpAddress.parse('2001:db8:2::1')), 100, RATE)).toBe(0)
    pass(take(1_000))
    expect(take(1_000)).toBe(0)
  })

  it('keeps no more keys than allowed while many callers pass by', () => {
    const { limiter } = setUp(1_000)
    for (let i = 0; i < 50_000; i += 1) limiter.take(RateLimiter.named(`caller ${i % 5_000}`), 1, RATE)
    const known = Array.from(
      { length: 5_000 },
      (_, i) => limiter.left(RateLimiter.named(`caller ${i}`), RATE) < RATE.burst,
    )
    expect(known.filter(Boolean)).toHaveLength(1_000)
  })
})

it('formats the headers of limited answers', () => {
  expect(RateLimiter.headers(RATE, 40.5)).toEqual({
    'ratelimit-policy': '100;w=10',
    'ratelimit-limit': '100',
    'ratelimit-remaining': '40',
    'ratelimit-reset': '6',
  })
  expect([0, 999, 1_001].map(RateLimiter.retryAfter)).toEqual(['1', '1', '2'])
  expect([0, 1, 4_096, 4_097].map((bytes) => RateLimiter.bodyUnits(bytes, 4_096))).toEqual([0, 1, 1, 2])
})
