import { expect, it } from 'vitest'
import { createBatchSize } from './BatchSize.ts'

/**
 * Sends requests to a server that accepts at most `limit` calls per request. Returns the sizes of the
 * requests.
 */
const send = (size: ReturnType<typeof createBatchSize>, limit: number, times: number): number[] =>
  Array.from({ length: times }, () => {
    const calls = size.current()
    if (calls > limit) size.refused(calls)
    else size.accepted(calls)
    return calls
  })

it('increases the batch size up to the maximum', () => {
  expect(send(createBatchSize(16, 64), 1000, 50).at(-1)).toBe(64)
})

it.each([1, 2, 3, 5, 7, 10, 33])(
  'converges to a node’s limit of %d calls, and is rarely refused afterwards',
  (limit) => {
    const size = createBatchSize(16, 64)
    send(size, limit, 60)
    const sent = send(size, limit, 1000)
    expect(sent.filter((calls) => calls > limit).length).toBeLessThan(40)
    expect(sent.reduce((sum, calls) => sum + Math.min(calls, limit), 0) / 1000).toBeGreaterThan(limit * 0.6)
  },
)

it("increases the batch size again once the node's limit is lifted", () => {
  const size = createBatchSize(16, 64)
  send(size, 2, 100)
  expect(send(size, 1000, 450).at(-1)).toBe(64)
})

it('does not increase the batch size after small requests', () => {
  const size = createBatchSize(16, 64)
  for (let i = 0; i < 100; i++) size.accepted(8)
  expect(size.current()).toBe(16)
})
