import { Id } from '@firn/codec'
import { silentLogger } from '@firn/runtime'
import { createFakeClock } from '@firn/runtime/testing'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { AggregatorError } from '../errors/AggregatorError.ts'
import { createFakePChain, createValidators, L1_SUBNET } from '../testing/fakes.ts'
import { createHeights } from './Heights.ts'
import { createSubnets } from './Subnets.ts'
import { createValidatorSets } from './ValidatorSets.ts'

function setUp() {
  const pChain = createFakePChain()
  const clock = createFakeClock()
  const limits = { staleAfterMs: 60_000, patienceMs: 1_000 }
  const heights = createHeights({ pChain, clock, ...limits, maxLookback: 1000 })
  const subnets = createSubnets({ pChain, clock, log: silentLogger, patienceMs: 1_000 })
  const register = new Registry()
  const sets = createValidatorSets({ pChain, heights, subnets, clock, register, ...limits })
  return { pChain, clock, sets, register }
}

describe('sets at a given height', () => {
  it('fetches each validator set once, regardless of the number of callers', async () => {
    const { pChain, clock, sets } = setUp()
    const [one, two] = await Promise.all([sets.at(Id.EMPTY, 80n), sets.at(Id.EMPTY, 80n)])
    expect(one.set).toBe(two.set)
    expect(one.set.totalWeight).toBe(100n)
    await clock.advance(10_000_000)
    await sets.at(Id.EMPTY, 80n)
    expect(pChain.calls.filter((call) => call.startsWith('validatorsAt'))).toEqual(['validatorsAt 80'])
  })

  it('shares one object among equal sets of different heights', async () => {
    const { pChain, sets } = setUp()
    const first = await sets.at(Id.EMPTY, 80n)
    const second = await sets.atAnyAge(Id.EMPTY, 1n)
    expect([second.set === first.set, second.height]).toEqual([true, 1n])
    pChain.sets.set(Id.format(Id.EMPTY), createValidators([41n, 30n, 20n, 10n]))
    expect((await sets.at(Id.EMPTY, 82n)).set).not.toBe(first.set)
  })

  it('returns a known validator set while the upstream is down', async () => {
    const { pChain, clock, sets } = setUp()
    await sets.at(Id.EMPTY, 80n)
    pChain.isDown = true
    await clock.advance(10_000_000)
    expect((await sets.at(Id.EMPTY, 80n)).height).toBe(80n)
    await expect(sets.at(Id.EMPTY, 81n)).rejects.toMatchObject({ code: 'AGGREGATOR_UPSTREAM' })
  })

  it('distinguishes unknown subnets from subnets without validators', async () => {
    const { pChain, sets } = setUp()
    await expect(sets.at(L1_SUBNET, 80n)).rejects.toMatchObject({
      code: 'AGGREGATOR_SUBNET_UNKNOWN',
      message: expect.stringContaining('has no validators at P-chain height 80'),
    })
    pChain.subnets.clear()
    await expect(sets.at(new Uint8Array(32).fill(3), 'proposed')).rejects.toMatchObject({
      code: 'AGGREGATOR_SUBNET_UNKNOWN',
      message: expect.stringContaining('is unknown on this network'),
    })
  })

  it('counts weight without a key in the total, and rejects weights that overflow', async () => {
    const { pChain, sets, register } = setUp()
    const [one] = createValidators([40n])
    if (one === undefined) throw new Error('no validator')
    pChain.sets.set(Id.format(L1_SUBNET), [one, { nodeId: new Uint8Array(20), publicKey: null, weight: 60n }])
    const { set } = await sets.at(L1_SUBNET, 80n)
    expect([set.validators.length, set.totalWeight]).toEqual([1, 100n])
    pChain.sets.set(Id.format(L1_SUBNET), [
      one,
      { nodeId: new Uint8Array(20), publicKey: null, weight: 2n ** 64n - 1n },
    ])
    await expect(sets.at(L1_SUBNET, 81n)).rejects.toMatchObject({ code: 'AGGREGATOR_UPSTREAM' })
    expect(await register.metrics()).toContain('signature_aggregator_failures_to_get_validator_set 1')
  })
})

describe('sets at the proposed height', () => {
  it('returns a new set when the proposed height rises', async () => {
    const { pChain, clock, sets } = setUp()
    expect((await sets.at(Id.EMPTY, 'proposed')).height).toBe(100n)
    pChain.proposed = 110n
    await clock.advance(1_001)
    expect((await sets.at(Id.EMPTY, 'proposed')).height).toBe(110n)
  })

  it("uses the subnet's last validator set while the set is fresh, and fails afterwards", async () => {
    const { pChain, clock, sets } = setUp()
    pChain.isDown = true
    await expect(sets.at(Id.EMPTY, 'proposed')).rejects.toMatchObject({
      code: 'AGGREGATOR_UPSTREAM',
    })
    pChain.isDown = false
    await sets.at(Id.EMPTY, 'proposed')
    pChain.isDown = true
    await clock.advance(59_000)
    expect((await sets.at(Id.EMPTY, 'proposed')).height).toBe(100n)
    await clock.advance(2_000)
    await expect(sets.at(Id.EMPTY, 'proposed')).rejects.toMatchObject({ code: 'AGGREGATOR_UPSTREAM_STALE' })
  })

  it('uses the last validator set if an upstream returns the height but not the set', async () => {
    const { pChain, clock, sets } = setUp()
    await sets.at(Id.EMPTY, 'proposed')
    pChain.proposed = 110n
    await clock.advance(1_001)
    pChain.tip = 105n
    expect((await sets.at(Id.EMPTY, 'proposed')).height).toBe(100n)
  })

  it('uses the last validator set while upstreams contradict each other', async () => {
    const { pChain, clock, sets } = setUp()
    await sets.at(Id.EMPTY, 'proposed')
    pChain.proposed = 110n
    pChain.validatorsAt = async () => {
      throw new AggregatorError('AGGREGATOR_UPSTREAM_DISAGREE', 'fewer than 2 P-chain APIs agree')
    }
    await clock.advance(1_001)
    expect((await sets.at(Id.EMPTY, 'proposed')).height).toBe(100n)
  })

  it('throws AGGREGATOR_UPSTREAM_STALE if heights advance but validator sets are unavailable for too long', async () => {
    const { pChain, clock, sets } = setUp()
    await sets.at(Id.EMPTY, 'proposed')
    await clock.advance(61_000)
    pChain.proposed = 110n
    pChain.tip = 105n
    await expect(sets.at(Id.EMPTY, 'proposed')).rejects.toMatchObject({
      code: 'AGGREGATOR_UPSTREAM_STALE',
      message: expect.stringContaining('61 s ago'),
    })
  })

  it('throws AGGREGATOR_SUBNET_UNKNOWN if a subnet no longer has validators', async () => {
    const { pChain, clock, sets } = setUp()
    await sets.at(Id.EMPTY, 'proposed')
    pChain.sets.clear()
    pChain.proposed = 101n
    await clock.advance(1_001)
    await expect(sets.at(Id.EMPTY, 'proposed')).rejects.toMatchObject({ code: 'AGGREGATOR_SUBNET_UNKNOWN' })
  })

  it('waits at most the configured time for a slow validator set, and then uses the last set', async () => {
    const { pChain, clock, sets } = setUp()
    await sets.at(Id.EMPTY, 'proposed')
    await clock.advance(1_001)
    pChain.gate = new Promise(() => {})
    let height: bigint | undefined
    void sets.at(Id.EMPTY, 'proposed').then((at) => {
      height = at.height
    })
    await clock.advance(2_000)
    expect(height).toBe(100n)
  })
})
