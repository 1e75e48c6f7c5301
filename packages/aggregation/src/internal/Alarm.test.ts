import { createFakeClock } from '@firn/runtime/testing'
import { expect, it } from 'vitest'
import * as Alarm from './Alarm.ts'

function create() {
  const clock = createFakeClock()
  const sleeps: number[] = []
  const rings: number[] = []
  const sleep: typeof clock.sleep = (ms, signal) => {
    sleeps.push(ms)
    return clock.sleep(ms, signal)
  }
  const alarm = Alarm.create({ now: clock.now, sleep }, () => rings.push(clock.now()))
  return { alarm, clock, rings, sleeps }
}

it('rings once, at the earliest time that was set', async () => {
  const { alarm, clock, rings } = create()
  for (const at of [50, 30, 40]) alarm.set(at)
  await clock.run(clock.sleep(100))
  expect(rings).toEqual([30])
})

it('keeps the running timer when it is set to a later time', () => {
  const { alarm, sleeps } = create()
  for (const at of [30, 40, 50]) alarm.set(at)
  expect(sleeps).toEqual([30])
})

it('does not ring after it is stopped', async () => {
  const { alarm, clock, rings } = create()
  alarm.set(30)
  alarm.stop()
  await clock.run(clock.sleep(100))
  expect(rings).toEqual([])
})

it('never sleeps longer than the maximum delay of a platform timer (2^31 - 1 ms)', () => {
  const { alarm, sleeps } = create()
  alarm.set(1e15)
  expect(sleeps).toEqual([2 ** 31 - 1])
})
