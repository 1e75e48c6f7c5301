import { expect, it } from 'vitest'
import { createTimerClock } from './TimerClock.ts'

it('advances to the end of each sleep, and not by the time that other work takes', async () => {
  const clock = createTimerClock(100)
  const early = clock.sleep(1)
  await clock.sleep(3)
  await early
  expect(clock.now()).toBe(103)
  await new Promise((resolve) => setTimeout(resolve, 2))
  expect(clock.now()).toBe(103)
})

it('does not advance by a sleep that is aborted', async () => {
  const clock = createTimerClock()
  await expect(clock.sleep(1_000, AbortSignal.abort(new RangeError('enough')))).rejects.toThrow('enough')
  expect(clock.now()).toBe(0)
})
