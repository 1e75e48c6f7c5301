import { createFakeClock } from '@firn/runtime/testing'
import { expect, it } from 'vitest'
import { createRecentlyLost } from './RecentlyLost.ts'

it('knows for 5 s that the connection to a node was lost', async () => {
  const clock = createFakeClock()
  const lost = createRecentlyLost(clock)
  const [nodeId, other] = [new Uint8Array(20).fill(1), new Uint8Array(20).fill(2)]
  lost.add(nodeId)
  expect([lost.has(nodeId), lost.has(other)]).toEqual([true, false])
  await clock.advance(4_999)
  expect(lost.has(nodeId)).toBe(true)
  await clock.advance(1)
  expect(lost.has(nodeId)).toBe(false)
})
