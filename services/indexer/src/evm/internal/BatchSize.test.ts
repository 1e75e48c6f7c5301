import { expect, it } from 'vitest'
import { createBatchSize } from './BatchSize.ts'

/** Sends requests to what takes at most `limit` calls; the sizes sent. */
const send = (size: ReturnType<typeof createBatchSize>, limit: number, times: number): number[] =>
  Array.from({ length: times }, () => {
    const calls = size.current()
    if (calls > limit) size.refused(calls)
    else size.accepted(calls)
    return calls
  })

it('grows to the most that is allowed', () => {
  expect(send(createBatchSize(16, 64), 1000, 50).at(-1)).toBe(64)
})

it.each([1, 2, 3, 5, 7, 10, 33])(
  'comes to what a node takes, %d calls, and is seldom refused then',
  (limit) => {
    const size = createBatchSize(16, 64)
    send(size, limit, 60)
    const sent = send(size, limit, 1000)
    expect(sent.filter((calls) => calls > limit).length).toBeLessThan(40)
    expect(sent.reduce((sum, calls) => sum + Math.min(calls, limit), 0) / 1000).toBeGreaterThan(limit * 0.6)
  },
)

it('widens again when what limited it is gone', () => {
  const size = createBatchSize(16, 64)
  send(size, 2, 100)
  expect(send(size, 1000, 450).at(-1)).toBe(64)
})

it('small requests widen nothing', () => {
  const size = createBatchSize(16, 64)
  for (let i = 0; i < 100; i++) size.accepted(8)
  expect(size.current()).toBe(16)
})
