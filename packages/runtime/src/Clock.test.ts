import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { systemClock } from './Clock.ts'

it('sleeps for the given time', async () => {
  const clock = systemClock
  const before = clock.now()
  await clock.sleep(20)
  expect(clock.now() - before).toBeGreaterThan(15)
})

it("rejects with the signal's abort reason", async () => {
  const reason = new RangeError('enough')
  await expect(systemClock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason)
  const controller = new AbortController()
  const sleeping = systemClock.sleep(60_000, controller.signal)
  controller.abort(reason)
  await expect(sleeping).rejects.toBe(reason)
})

it('leaves no listener on the signal after the sleep', async () => {
  const { signal } = new AbortController()
  await systemClock.sleep(1, signal)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
