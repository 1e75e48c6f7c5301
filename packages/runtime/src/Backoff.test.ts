import { describe, expect, it } from 'vitest'
import { backoff, pause } from './Backoff.ts'
import { systemClock } from './Clock.ts'

describe('backoff', () => {
  it('doubles the delay up to the maximum, and makes half of each delay random', () => {
    const delays = (random: number) =>
      [1, 2, 3, 4, 5].map((failures) => backoff(failures, { random: () => random, first: 10, longest: 100 }))
    expect(delays(0)).toEqual([5, 10, 20, 40, 50])
    expect(delays(0.5)).toEqual([7.5, 15, 30, 60, 75])
  })

  it('multiplies the delay by the given factor', () => {
    expect([1, 2, 3].map((failures) => backoff(failures, { random: () => 0, factor: 4 }))).toEqual([
      50, 200, 800,
    ])
  })
})

describe('pause', () => {
  it('resolves early when the signal aborts', async () => {
    const timing = { clock: systemClock, random: () => 0 }
    await expect(pause(10, timing, AbortSignal.abort())).resolves.toBeUndefined()
  })

  it("rejects with the clock's error if sleeping fails", async () => {
    const clock = { now: () => 0, sleep: () => Promise.reject(new RangeError('no timers left')) }
    const paused = pause(1, { clock, random: () => 0 }, new AbortController().signal)
    await expect(paused).rejects.toThrow('no timers left')
  })
})
