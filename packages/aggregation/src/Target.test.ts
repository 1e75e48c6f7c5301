import { expect, it } from 'vitest'
import { create } from './Target.ts'

it('rounds the required weight up to a whole unit', () => {
  expect(create(5n, { quorum: 67, buffer: 0, slack: 0 })).toEqual({
    total: 5n,
    needed: 4n,
    target: 4n,
    goal: 4n,
  })
  expect(create(100n, { quorum: 67, buffer: 13, slack: 10 })).toEqual({
    total: 100n,
    needed: 67n,
    target: 80n,
    goal: 90n,
  })
})

it('limits the goal to the total weight', () => {
  expect(create(7n, { quorum: 90, buffer: 10, slack: 50 }).goal).toBe(7n)
})

it('computes exactly with weights near 2^64', () => {
  const total = 2n ** 64n - 1n
  expect(create(total, { quorum: 67, buffer: 0, slack: 0 }).needed).toBe((total * 67n + 99n) / 100n)
})
