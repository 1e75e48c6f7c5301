import { expect, it } from 'vitest'
import { createFakeClock } from './FakeClock.ts'

it('wakes sleepers in order, with the time at which each of them is due', async () => {
  const clock = createFakeClock()
  const woken: string[] = []
  const sleep = async (name: string, ms: number) => {
    await clock.sleep(ms)
    woken.push(`${name} at ${clock.now()}`)
  }
  void sleep('late', 30).then(() => sleep('next', 5))
  void sleep('early', 10)
  await clock.advance(20)
  expect([woken, clock.now()]).toEqual([['early at 10'], 20])
  await clock.advance(20)
  expect([woken.slice(1), clock.now()]).toEqual([['late at 30', 'next at 35'], 40])
})

it('runs until a promise is settled, and throws if no event can settle it', async () => {
  const clock = createFakeClock()
  await clock.run(clock.sleep(1_000))
  expect(clock.now()).toBe(1_000)
  await expect(clock.run(new Promise(() => undefined))).rejects.toThrow('no event is scheduled after 1000 ms')
})

it('rejects a sleep that is aborted, and forgets it', async () => {
  const clock = createFakeClock()
  const controller = new AbortController()
  const sleeping = clock.sleep(10, controller.signal)
  controller.abort(new RangeError('enough'))
  await expect(sleeping).rejects.toThrow('enough')
  await expect(clock.run(new Promise(() => undefined))).rejects.toThrow(RangeError)
})
