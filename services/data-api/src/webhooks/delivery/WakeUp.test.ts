import { getEventListeners } from 'node:events'
import { createFakeClock } from '@firn/runtime/testing'
import { describe, expect, it } from 'vitest'
import { createWakeUp } from './WakeUp.ts'

describe('createWakeUp', () => {
  it('ends a wait that began before the wake-up, and not a later one', async () => {
    const clock = createFakeClock()
    const { signal } = new AbortController()
    const wakeUp = createWakeUp(clock)
    const early = wakeUp.next()
    wakeUp.wake()
    await early.within(60_000, signal)
    let isOver = false
    const late = wakeUp.next().within(1_000, signal)
    void late.then(() => {
      isOver = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isOver).toBe(false)
    await clock.run(late)
  })

  it('ends a wait when the signal aborts', async () => {
    const stop = new AbortController()
    const waiting = createWakeUp(createFakeClock()).next().within(60_000, stop.signal)
    stop.abort()
    await waiting
  })

  it('keeps nothing of waits that are over', async () => {
    const clock = createFakeClock()
    const { signal } = new AbortController()
    const next = createWakeUp(clock).next()
    for (let i = 0; i < 3; i++) await clock.run(next.within(1_000, signal))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
