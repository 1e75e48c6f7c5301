import { expect, it } from 'vitest'
import { createPulse } from './Pulse.ts'

it('wakes all who wait for a change, and nobody waits for one that came before', async () => {
  const pulse = createPulse()
  const { signal } = new AbortController()
  const woken: string[] = []
  const waits = ['a', 'b'].map((name) => pulse.next(0, signal).then(() => woken.push(name)))
  await Promise.resolve()
  expect(woken).toEqual([])
  pulse.beat()
  await Promise.all(waits)
  expect([woken, pulse.count()]).toEqual([['a', 'b'], 1])
  await pulse.next(0, signal)
})

it('stops waiting when the signal is aborted', async () => {
  const pulse = createPulse()
  const controller = new AbortController()
  const wait = pulse.next(0, controller.signal)
  controller.abort()
  await wait
  await pulse.next(0, controller.signal)
})
