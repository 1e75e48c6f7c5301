import { createFakeClock } from '@firn/runtime/testing'
import { expect, it } from 'vitest'
import { createBudget } from './Budget.ts'

it('allows at most the given number of requests in any second, in order', async () => {
  const clock = createFakeClock()
  const budget = createBudget(clock, 3)
  const { signal } = new AbortController()
  const times: number[] = []
  const take = async () => {
    await budget.take(signal)
    times.push(clock.now())
  }
  const first = Promise.all([take(), take()])
  await clock.advance(400)
  const rest = Promise.all([take(), take(), take(), take()])
  await clock.run(Promise.all([first, rest]))
  expect(times).toEqual([0, 0, 400, 1_000, 1_000, 1_400])
})

it('goes on with the next caller when one is aborted', async () => {
  const clock = createFakeClock()
  const budget = createBudget(clock, 1)
  const { signal } = new AbortController()
  const aborted = new AbortController()
  await budget.take(signal)
  const stopped = budget.take(aborted.signal)
  const next = budget.take(signal)
  aborted.abort(new RangeError('stop'))
  await expect(stopped).rejects.toThrow('stop')
  await clock.run(next)
  expect(clock.now()).toBe(1_000)
})
