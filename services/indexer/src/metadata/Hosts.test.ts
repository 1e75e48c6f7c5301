import { createFakeClock } from '@firn/runtime/testing'
import { expect, test } from 'vitest'
import { createHosts, type Resting, type Turn } from './Hosts.ts'

const turnOf = (given: Turn | Resting): Turn => {
  if ('until' in given) throw new Error(`rests until ${given.until}`)
  return given
}

test('runs requests up to the limit, queues a few more requests, and defers the others', async () => {
  const hosts = createHosts(createFakeClock())
  const turns = [turnOf(await hosts.enter('a', 2)), turnOf(await hosts.enter('a', 2))]
  const order: number[] = []
  const waiting = [0, 1, 2, 3].map(async (i) => {
    const turn = turnOf(await hosts.enter('a', 2))
    order.push(i)
    turn.answered()
  })
  expect(await hosts.enter('a', 2)).toEqual({ until: 60_000, failure: 'host-busy' })
  expect(await hosts.enter('b', 2)).toHaveProperty('answered')
  expect(order).toEqual([])
  for (const turn of turns) turn.answered()
  await Promise.all(waiting)
  expect(order).toEqual([0, 1, 2, 3])
})

test('pauses a host after three consecutive failures, each time for longer, up to an hour', async () => {
  const clock = createFakeClock()
  const hosts = createHosts(clock)
  const fail = async () => turnOf(await hosts.enter('a', 1)).failed('timeout')
  await fail()
  await fail()
  turnOf(await hosts.enter('a', 1)).answered()
  await fail()
  await fail()
  await fail()
  for (const restMs of [60_000, 120_000, 240_000, 480_000, 960_000, 1_920_000, 3_600_000, 3_600_000]) {
    const until = clock.now() + restMs
    expect(await hosts.enter('a', 1)).toEqual({ until, failure: 'timeout' })
    clock.block(restMs - 1)
    expect(await hosts.enter('a', 1)).toEqual({ until, failure: 'timeout' })
    clock.block(1)
    await fail()
  }
})

test('pauses a host that requests a pause, and defers the callers in its queue', async () => {
  const clock = createFakeClock()
  const hosts = createHosts(clock)
  const turn = turnOf(await hosts.enter('a', 1))
  const waiting = [hosts.enter('a', 1), hosts.enter('a', 1)]
  turn.throttled(5_000)
  expect(await Promise.all(waiting)).toEqual(Array(2).fill({ until: 5_000, failure: 'throttled' }))
  clock.block(5_000)
  turnOf(await hosts.enter('a', 1)).throttled(1e12)
  expect(await hosts.enter('a', 1)).toEqual({ until: 3_605_000, failure: 'throttled' })
})

test('forgets idle hosts that were used once, but keeps hosts with a running request', async () => {
  const hosts = createHosts(createFakeClock())
  const held = turnOf(await hosts.enter('held', 1))
  for (let i = 0; i < 30_000; i++) turnOf(await hosts.enter(`host-${i}`, 1)).answered()
  let entered = false
  const next = hosts.enter('held', 1).then(() => {
    entered = true
  })
  await Promise.resolve()
  expect(entered).toBe(false)
  held.answered()
  await next
})
