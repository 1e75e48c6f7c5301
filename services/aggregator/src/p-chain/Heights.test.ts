import { createFakeClock, settle } from '@firn/runtime/testing'
import { describe, expect, it } from 'vitest'
import { createFakePChain } from '../testing/fakes.ts'
import { createHeights } from './Heights.ts'

function setUp(maxLookback = 50) {
  const pChain = createFakePChain()
  const clock = createFakeClock()
  const heights = createHeights({ pChain, clock, staleAfterMs: 60_000, patienceMs: 1_000, maxLookback })
  return { pChain, clock, heights }
}

describe('proposed', () => {
  it('requests the height once for concurrent callers, and again after a second', async () => {
    const { pChain, clock, heights } = setUp()
    const all = await Promise.all([heights.proposed(), heights.proposed(), heights.proposed()])
    expect(all.map(({ height }) => height)).toEqual([100n, 100n, 100n])
    expect(pChain.calls).toEqual(['proposedHeight'])
    await clock.advance(1_001)
    pChain.proposed = 101n
    expect((await heights.proposed()).height).toBe(101n)
  })

  it('keeps the highest height when an upstream lags, and fails when this height is too old', async () => {
    const { pChain, clock, heights } = setUp()
    await heights.proposed()
    pChain.proposed = 90n
    await clock.advance(59_000)
    expect(await heights.proposed()).toEqual({ height: 100n, confirmedAt: 0 })
    await clock.advance(2_000)
    await expect(heights.proposed()).rejects.toMatchObject({ code: 'AGGREGATOR_UPSTREAM_STALE' })
    pChain.proposed = 100n
    await clock.advance(2_000)
    expect(await heights.proposed()).toEqual({ height: 100n, confirmedAt: 63_000 })
  })

  it("uses the last height while the upstream is down, and later fails with an error that contains the height's age", async () => {
    const { pChain, clock, heights } = setUp()
    pChain.isDown = true
    await expect(heights.proposed()).rejects.toMatchObject({
      code: 'AGGREGATOR_UPSTREAM',
    })
    pChain.isDown = false
    await heights.proposed()
    pChain.isDown = true
    await clock.advance(30_000)
    expect((await heights.proposed()).height).toBe(100n)
    await clock.advance(31_000)
    await expect(heights.proposed()).rejects.toMatchObject({
      code: 'AGGREGATOR_UPSTREAM_STALE',
      message: expect.stringContaining('61 s ago'),
    })
  })

  it('waits at most the configured time for a slow upstream, and then uses the last height', async () => {
    const { pChain, clock, heights } = setUp()
    await heights.proposed()
    await clock.advance(5_000)
    pChain.gate = new Promise(() => {})
    let height: bigint | undefined
    void heights.proposed().then((proposed) => {
      height = proposed.height
    })
    await clock.advance(999)
    expect(height).toBeUndefined()
    await clock.advance(1)
    expect(height).toBe(100n)
  })

  it('rejects the request only for the caller that aborts, and not for other callers of the same request', async () => {
    const { pChain, heights } = setUp()
    let open = () => {}
    pChain.gate = new Promise((resolve) => {
      open = resolve
    })
    const stop = new AbortController()
    const mine = heights.proposed(stop.signal)
    const theirs = heights.proposed()
    stop.abort(new Error('gone'))
    await expect(mine).rejects.toThrow('gone')
    open()
    await settle()
    expect((await theirs).height).toBe(100n)
  })
})

describe('assertServed', () => {
  it('accepts heights within the lookback, up to the tip', async () => {
    const { heights } = setUp()
    await heights.assertServed(120n)
    await heights.assertServed(70n)
    await expect(heights.assertServed(69n)).rejects.toMatchObject({
      code: 'AGGREGATOR_HEIGHT',
      message: expect.stringMatching(/^pChainHeight: 69 .*expected at least 70/),
    })
  })

  it('fetches the tip again before it rejects a height as being in the future', async () => {
    const { pChain, clock, heights } = setUp()
    await expect(heights.assertServed(121n)).rejects.toMatchObject({
      code: 'AGGREGATOR_HEIGHT',
      message: 'pChainHeight: 121 is in the future; the P-chain is at 120',
    })
    pChain.tip = 121n
    await clock.advance(101)
    await heights.assertServed(121n)
  })

  it('accepts any past height if the lookback is negative', async () => {
    await setUp(-1).heights.assertServed(1n)
  })
})
