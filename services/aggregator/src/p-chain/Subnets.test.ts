import { Id } from '@firn/codec'
import { silentLogger } from '@firn/runtime'
import { createFakeClock } from '@firn/runtime/testing'
import { ValidatorSet } from '@firn/warp'
import { describe, expect, it } from 'vitest'
import { C_CHAIN, createFakePChain, createValidators, L1_CHAIN, L1_SUBNET } from '../testing/fakes.ts'
import { createSubnets } from './Subnets.ts'

function setUp() {
  const pChain = createFakePChain()
  const clock = createFakeClock()
  return { pChain, clock, subnets: createSubnets({ pChain, clock, log: silentLogger, patienceMs: 1_000 }) }
}

describe('ofChain', () => {
  it("returns the P-chain's subnet without a request, and sends one request to the upstream for each other chain", async () => {
    const { pChain, clock, subnets } = setUp()
    expect(await subnets.ofChain(Id.EMPTY)).toEqual(Id.EMPTY)
    expect(pChain.calls).toEqual([])
    await Promise.all([subnets.ofChain(C_CHAIN), subnets.ofChain(C_CHAIN), subnets.ofChain(L1_CHAIN)])
    await clock.advance(10_000_000)
    expect(await subnets.ofChain(L1_CHAIN)).toEqual(L1_SUBNET)
    expect(pChain.calls).toEqual(['subnetOf', 'subnetOf'])
  })

  it('remembers for a few seconds that a chain is unknown', async () => {
    const { pChain, clock, subnets } = setUp()
    const chain = new Uint8Array(32).fill(9)
    for (let i = 0; i < 3; i++) {
      await expect(subnets.ofChain(chain)).rejects.toMatchObject({ code: 'AGGREGATOR_CHAIN_UNKNOWN' })
    }
    expect(pChain.calls).toEqual(['subnetOf'])
    pChain.chains.set(Id.format(chain), L1_SUBNET)
    await clock.advance(10_001)
    expect(await subnets.ofChain(chain)).toEqual(L1_SUBNET)
  })

  it('looks up different chains independently of each other', async () => {
    const { pChain, subnets } = setUp()
    pChain.gate = new Promise(() => {})
    void subnets.ofChain(new Uint8Array(32).fill(9))
    pChain.gate = undefined
    expect(await subnets.ofChain(C_CHAIN)).toEqual(Id.EMPTY)
  })
})

describe('find', () => {
  it('caches permanently that a subnet is an L1, and checks other subnets again after a while', async () => {
    const { pChain, clock, subnets } = setUp()
    const other = new Uint8Array(32).fill(5)
    pChain.subnets.set(Id.format(other), { isL1: false, conversionId: Id.EMPTY })
    expect((await subnets.find(other))?.isL1).toBe(false)
    pChain.subnets.set(Id.format(other), { isL1: true, conversionId: Id.hash(other) })
    expect((await subnets.find(other))?.isL1).toBe(false)
    await clock.advance(10_001)
    expect((await subnets.find(other))?.isL1).toBe(true)
    pChain.calls.length = 0
    await clock.advance(10_000_000)
    expect((await subnets.find(other))?.isL1).toBe(true)
    expect(pChain.calls).toEqual([])
  })
})

describe('inactive', () => {
  const current = ({ nodeId, weight }: ValidatorSet.Node, balance: bigint | undefined) => ({
    nodeId,
    weight,
    balance,
    endTime: undefined,
  })
  const nodes = createValidators([40n, 30n, 20n, 10n])
  const set = ValidatorSet.create(nodes)
  const indexOf = (position: number) =>
    set.validators.findIndex(({ nodeIds }) => nodeIds[0]?.[0] === nodes[position]?.nodeId[0])

  it('reports L1 validators below 2048 nAVAX as inactive, but not validators without an L1 balance', async () => {
    const { pChain, subnets } = setUp()
    const balances = [2047n, 2048n, undefined, 0n]
    pChain.current.set(
      Id.format(L1_SUBNET),
      nodes.map((node, i) => current(node, balances[i])),
    )
    const inactive = await subnets.inactive(L1_SUBNET, set)
    expect([...inactive].sort()).toEqual([indexOf(0), indexOf(3)].sort())
  })

  it('treats a key as active while at least one node with the key can sign', async () => {
    const { pChain, subnets } = setUp()
    const [first, second] = nodes
    if (first === undefined || second === undefined) throw new Error('no validators')
    const shared = ValidatorSet.create([first, { ...second, publicKey: first.publicKey }])
    pChain.current.set(Id.format(L1_SUBNET), [current(first, 0n), current(second, 5_000n)])
    expect((await subnets.inactive(L1_SUBNET, shared)).size).toBe(0)
  })

  it('waits only briefly for balances, and then uses the last known balances', async () => {
    const { pChain, clock, subnets } = setUp()
    const low = nodes.slice(0, 1).map((node) => current(node, 0n))
    pChain.current.set(Id.format(L1_SUBNET), low)
    expect((await subnets.inactive(L1_SUBNET, set)).size).toBe(1)
    await clock.advance(2_001)
    pChain.gate = new Promise(() => {})
    let size: number | undefined
    void subnets.inactive(L1_SUBNET, set).then((inactive) => {
      size = inactive.size
    })
    await clock.advance(999)
    expect(size).toBeUndefined()
    await clock.advance(1)
    expect(size).toBe(1)
  })

  it('fetches balances again after two seconds', async () => {
    const { pChain, clock, subnets } = setUp()
    expect((await subnets.inactive(L1_SUBNET, set)).size).toBe(0)
    const all = nodes.map((node) => current(node, 0n))
    pChain.current.set(Id.format(L1_SUBNET), all)
    expect((await subnets.inactive(L1_SUBNET, set)).size).toBe(0)
    await clock.advance(2_001)
    expect((await subnets.inactive(L1_SUBNET, set)).size).toBe(4)
  })

  it('reports no inactive validators for the Primary Network, or while the upstream is down', async () => {
    const { pChain, subnets } = setUp()
    expect((await subnets.inactive(Id.EMPTY, set)).size).toBe(0)
    expect(pChain.calls).toEqual([])
    pChain.isDown = true
    expect((await subnets.inactive(L1_SUBNET, set)).size).toBe(0)
  })
})
