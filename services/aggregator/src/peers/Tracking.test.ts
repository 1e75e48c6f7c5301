import { createFakeClock } from '@firn/runtime/testing'
import { ValidatorSet } from '@firn/warp'
import { expect, it } from 'vitest'
import { createFakeNetwork, createValidators, L1_SUBNET } from '../testing/fakes.ts'
import { createTracking } from './Tracking.ts'

const [A, B] = [createValidators([1n], 1), createValidators([1n], 2)]

function setUp() {
  const network = createFakeNetwork()
  const clock = createFakeClock()
  const tracking = createTracking({ network, clock, configured: [], permanentNodes: [] })
  const track = (height: bigint, nodes: readonly ValidatorSet.Node[]) =>
    tracking.track({ subnetId: L1_SUBNET, height, set: ValidatorSet.create(nodes) })
  return { network, clock, tracking, track }
}

it('keeps the nodes of an older set tracked, such as the set of an epoch', async () => {
  const { network, clock, tracking, track } = setUp()
  track(10n, B)
  await clock.advance(5)
  expect(track(7n, A)).toEqual({ since: 5, isNew: true })
  await clock.advance(5)
  expect(track(7n, A)).toEqual({ since: 5, isNew: false })
  expect(network.tracked.size).toBe(2)
  expect(tracking.subnets()).toMatchObject([{ at: { height: 10n } }])
})

it('untracks the nodes of the least recently used of more than 64 older sets', () => {
  const { network, track } = setUp()
  track(1_000n, B)
  track(1n, A)
  for (let height = 2n; height <= 64n; height++) track(height, B)
  expect(network.tracked.size).toBe(2)
  track(65n, B)
  expect(network.tracked.size).toBe(1)
})
