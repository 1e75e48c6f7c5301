import { Id } from '@firn/codec'
import { silentLogger } from '@firn/runtime'
import { settle } from '@firn/runtime/testing'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { C_CHAIN, createFakePChain, createValidators, type FakePChain, L1_SUBNET } from '../testing/fakes.ts'
import { createAgreement } from './Agreement.ts'

const PRIMARY = Id.format(Id.EMPTY)

/** Creates as many APIs as there are changes; each change makes an API differ from the others. */
function setUp(agree: number, ...changes: ((pChain: FakePChain) => void)[]) {
  const apis = changes.map((change, index) => {
    const pChain = createFakePChain()
    change(pChain)
    return { name: `api-${index}`, pChain }
  })
  const register = new Registry()
  const warnings: unknown[] = []
  const log = { ...silentLogger, warn: (facts: object) => warnings.push(facts) }
  const [first] = apis
  if (first === undefined) throw new Error('no API')
  const pChain = createAgreement({ any: first.pChain, apis, agree, register, log })
  const disagreements = async (subject: string) => {
    const text = await register.metrics()
    return Number(new RegExp(`disagreements_total{subject="${subject}"} (\\d+)`).exec(text)?.[1] ?? 0)
  }
  return { pChain, disagreements, warnings }
}

const honest = () => {}
const down = (pChain: FakePChain) => {
  pChain.isDown = true
}
const lagging = (pChain: FakePChain) => {
  pChain.tip = 90n
  pChain.proposed = 80n
  pChain.chains.clear()
}
const silent = (pChain: FakePChain) => {
  pChain.gate = new Promise(() => {})
}
/** Doubles the weight of the first validator. */
const lying = (pChain: FakePChain) => {
  const [first, ...rest] = createValidators([80n, 30n, 20n, 10n])
  pChain.sets.set(PRIMARY, first === undefined ? [] : [...rest, first])
}

describe('validatorsAt', () => {
  it('returns the set of the APIs that agree, and counts the one that contradicts them', async () => {
    const { pChain, disagreements, warnings } = setUp(2, lying, honest, honest)
    const nodes = await pChain.validatorsAt(Id.EMPTY, 100n)
    expect(nodes?.map(({ weight }) => weight)).toEqual([40n, 30n, 20n, 10n])
    expect([await disagreements('validators'), warnings.length]).toEqual([1, 1])
  })

  it('names the contradicting APIs and the differences if too few agree', async () => {
    const { pChain } = setUp(2, honest, lying, lagging)
    await expect(pChain.validatorsAt(Id.EMPTY, 100n)).rejects.toMatchObject({
      code: 'AGGREGATOR_UPSTREAM_DISAGREE',
      message: expect.stringMatching(
        /^fewer than 2 P-chain APIs agree on the validators of subnet 1+LpoYY at P-chain height 100: NodeID-\w+ is weight 40, key 0x\w+ at api-0, but weight 80, key 0x\w+ at api-1; api-2 does not know it$/,
      ),
    })
  })

  it('shows the first differences of sets that have little in common', async () => {
    const { pChain } = setUp(2, honest, (one) => one.sets.set(PRIMARY, createValidators([1n, 1n], 5)))
    await expect(pChain.validatorsAt(Id.EMPTY, 100n)).rejects.toMatchObject({
      message: expect.stringMatching(/(NodeID-.* is (missing|weight).*; ){3}and 3 more differences$/),
    })
  })

  it('ignores the order of validators, and compares keys', async () => {
    const reversed = setUp(2, honest, (one) =>
      one.sets.set(PRIMARY, createValidators([40n, 30n, 20n, 10n]).toReversed()),
    )
    expect(await reversed.pChain.validatorsAt(Id.EMPTY, 100n)).toHaveLength(4)
    const keyless = setUp(2, honest, (one) =>
      one.sets.set(
        PRIMARY,
        createValidators([40n, 30n, 20n, 10n]).map((node) => ({ ...node, publicKey: null })),
      ),
    )
    await expect(keyless.pChain.validatorsAt(Id.EMPTY, 100n)).rejects.toMatchObject({
      code: 'AGGREGATOR_UPSTREAM_DISAGREE',
    })
  })

  it('does not treat an API that lags as a contradiction', async () => {
    const enough = setUp(2, lagging, honest, honest)
    expect(await enough.pChain.validatorsAt(Id.EMPTY, 100n)).toHaveLength(4)
    expect(await enough.disagreements('validators')).toBe(0)
    const few = setUp(2, lagging, honest, down)
    await expect(few.pChain.validatorsAt(Id.EMPTY, 100n)).rejects.toMatchObject({
      code: 'AGGREGATOR_UPSTREAM',
      message: expect.stringMatching(
        /^1 of the 2 P-chain APIs that must agree returned .*: api-0 does not know it; api-2 failed \(.*refused\)$/,
      ),
    })
  })

  it('returns undefined if enough APIs do not know the height, and does not wait for silent APIs', async () => {
    expect(await setUp(2, lagging, lagging, down).pChain.validatorsAt(Id.EMPTY, 100n)).toBeUndefined()
    expect(await setUp(2, silent, honest, honest).pChain.validatorsAt(Id.EMPTY, 100n)).toHaveLength(4)
  })
})

describe('subnetOf and subnet', () => {
  it('uses the subnet of a chain and an L1 conversion only if enough APIs agree', async () => {
    const misled = (one: FakePChain) => {
      one.chains.set(Id.format(C_CHAIN), L1_SUBNET)
      one.subnets.set(Id.format(L1_SUBNET), { isL1: false, conversionId: Id.EMPTY })
    }
    const { pChain, disagreements } = setUp(2, misled, honest, honest)
    expect(await pChain.subnetOf(C_CHAIN)).toEqual(Id.EMPTY)
    expect(await pChain.subnet(L1_SUBNET)).toMatchObject({ isL1: true })
    await settle()
    expect([await disagreements('chain'), await disagreements('subnet')]).toEqual([1, 1])
    const few = setUp(2, misled, honest)
    await expect(few.pChain.subnetOf(C_CHAIN)).rejects.toMatchObject({
      message: expect.stringContaining('the subnet is'),
    })
    await expect(few.pChain.subnet(L1_SUBNET)).rejects.toMatchObject({
      message: expect.stringContaining('the conversion to an L1 is none at api-0, but '),
    })
  })

  it('does not report a chain as unknown while one API knows it', async () => {
    await expect(setUp(2, lagging, lagging, honest).pChain.subnetOf(C_CHAIN)).rejects.toMatchObject({
      code: 'AGGREGATOR_UPSTREAM',
    })
  })
})

describe('heights', () => {
  it('returns the highest height that enough APIs have reached', async () => {
    const ahead = (one: FakePChain) => {
      one.proposed = 10_000n
      one.tip = 10_000n
    }
    const { pChain } = setUp(2, ahead, honest, lagging)
    expect([await pChain.height(), await pChain.proposedHeight()]).toEqual([120n, 100n])
    await expect(setUp(2, honest, down).pChain.proposedHeight()).rejects.toMatchObject({
      code: 'AGGREGATOR_UPSTREAM',
      message: expect.stringContaining('1 of the 2 P-chain APIs that must agree returned a height'),
    })
  })

  it('waits for slow APIs only if the others are behind the last result', async () => {
    const apis: FakePChain[] = []
    const { pChain } = setUp(2, ...Array.from({ length: 3 }, () => (one: FakePChain) => void apis.push(one)))
    expect(await pChain.proposedHeight()).toBe(100n)
    const [slow, other] = apis
    if (slow === undefined || other === undefined) throw new Error('no API')
    const gate = Promise.withResolvers<void>()
    slow.gate = gate.promise
    expect(await pChain.proposedHeight()).toBe(100n)
    other.proposed = 90n
    const height = pChain.proposedHeight()
    gate.resolve()
    expect(await height).toBe(100n)
  })
})
