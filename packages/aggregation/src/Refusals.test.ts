import { expect, it } from 'vitest'
import * as Refusals from './Refusals.ts'

const durations = { finalRefusalMs: 30_000, openRefusalMs: 5_000 }
const node = (number: number) => new Uint8Array(20).fill(number)
const refusal = (isFinal: boolean, at = 0): Refusals.Refusal => ({
  failure: { outcome: 'refused', code: 5 },
  isFinal,
  at,
  rounds: 0,
})

it('forgets refusals that may change sooner than final ones', () => {
  const refusals = Refusals.create(durations)
  refusals.remember('a', node(1), refusal(false))
  refusals.remember('a', node(2), refusal(true))
  const recalled = (now: number) => [1, 2].map((one) => refusals.recall('a', node(one), now) !== undefined)
  expect([recalled(4_999), recalled(5_000), recalled(29_999), recalled(30_000)]).toEqual([
    [true, true],
    [false, true],
    [false, true],
    [false, false],
  ])
  expect(refusals.size).toBe(0)
})

it('keeps the refusals of different requests and nodes apart', () => {
  const refusals = Refusals.create(durations)
  refusals.remember('a', node(1), refusal(true))
  expect(refusals.recall('b', node(1), 1)).toBeUndefined()
  expect(refusals.recall('a', node(2), 1)).toBeUndefined()
})

it('forgets the least recently refused requests when it is full', () => {
  const refusals = Refusals.create(durations, 4)
  for (const request of ['a', 'b', 'a', 'c'])
    for (const one of [1, 2]) refusals.remember(request, node(one), refusal(true))
  const known = ['a', 'b', 'c'].filter((request) => refusals.recall(request, node(1), 1) !== undefined)
  expect([known, refusals.size]).toEqual([['a', 'c'], 4])
})

it('remembers nothing for a duration of 0', () => {
  const refusals = Refusals.create({ finalRefusalMs: 0, openRefusalMs: 0 })
  refusals.remember('a', node(1), refusal(true))
  refusals.remember('a', node(2), refusal(false))
  expect(refusals.size).toBe(0)
})
