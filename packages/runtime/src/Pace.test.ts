import { expect, it } from 'vitest'
import { createPace } from './Pace.ts'
import { createFakeClock } from './testing/FakeClock.ts'

it('allows some work at once, and the rest in later turns of the event loop, in order', async () => {
  const clock = createFakeClock()
  const pace = createPace(clock, 10)
  const done: number[] = []
  const work = async (name: number, amount: number) => {
    await pace.take(amount)
    done.push(name)
  }
  expect(pace.take(4)).toBeUndefined()
  const all = [work(1, 6), work(2, 8), work(3, 8), work(4, 1)]
  await Promise.resolve()
  expect(done).toEqual([1])
  await clock.advance(0)
  expect(done).toEqual([1, 2, 3, 4])
  await Promise.all(all)
})

it('needs no timer while there is no work', async () => {
  const clock = createFakeClock()
  let sleeps = 0
  const sleep = (ms: number) => {
    sleeps += 1
    return clock.sleep(ms)
  }
  const pace = createPace({ ...clock, sleep }, 10)
  expect(pace.take(25)).toBeUndefined()
  expect(pace.take(1)).toBeInstanceOf(Promise)
  await clock.advance(5)
  expect(sleeps).toBe(2)
  expect(pace.take(1)).toBeUndefined()
})
