import { NodeId } from '@firn/codec'
import { ValidatorSet } from '@firn/warp'
import { describe, expect, it } from 'vitest'
import { createValidators } from '../testing/fakes.ts'
import * as QuorumForecast from './QuorumForecast.ts'

const NOW = 1_800_000_000n
const DAY = 86_400n
/** Weights of 100 in total; the canonical set has another order. */
const nodes = createValidators([40n, 30n, 20n, 10n])
const set = ValidatorSet.create(nodes)
const name = (index: number) => NodeId.format(nodes[index]?.nodeId ?? NodeId.EMPTY)

/** Returns a forecast in which all validators answer, except those that `facts` says. */
function forecast(facts: Partial<QuorumForecast.Facts> = {}, lost: readonly number[] = []) {
  const isLost = (nodeId: Uint8Array) => lost.some((index) => nodes[index]?.nodeId[0] === nodeId[0])
  return QuorumForecast.create({
    set,
    quorumPercentage: 67,
    now: NOW,
    connection: (nodeId) =>
      isLost(nodeId) ? { state: 'disconnected', reason: 'connection refused' } : { state: 'connected' },
    lately: () => undefined,
    current: [],
    balancesAt: NOW,
    fee: undefined,
    ...facts,
  })
}

const ends = (index: number, endTime: bigint) => ({
  nodeId: nodes[index]?.nodeId ?? NodeId.EMPTY,
  weight: 1n,
  balance: undefined,
  endTime,
})
const balance = (index: number, amount: bigint) => ({
  ...ends(index, 0n),
  balance: amount,
  endTime: undefined,
})

describe('the state of validators', () => {
  it('divides the weight into answering, failing, disconnected and inactive', () => {
    const failing = set.validators.find(({ weight }) => weight === 30n)?.publicKey
    const result = forecast(
      {
        lately: (publicKey) => (publicKey === failing ? { outcome: 'timed-out', text: 'silent' } : undefined),
        current: [balance(3, 2_047n)],
      },
      [2],
    )
    expect(result.weights).toEqual({ answering: 40n, failing: 30n, disconnected: 20n, inactive: 10n })
    expect(result.members.map(({ state, reason }) => [state, reason]).sort()).toEqual([
      ['answering', undefined],
      ['disconnected', 'connection refused'],
      ['failing', 'timed-out: silent'],
      ['inactive', undefined],
    ])
    expect(result).toMatchObject({
      status: 'no-quorum',
      margin: -27n,
      risk: 'cannot reach quorum: 40 % of the weight can sign now, 67 % needed (20 % not connected, 30 % failed lately, 10 % inactive or without a BLS key)',
    })
  })

  it('counts weight without a key in the total', () => {
    const keyless = ValidatorSet.create([...nodes, { nodeId: NodeId.EMPTY, publicKey: null, weight: 100n }])
    expect(forecast({ set: keyless })).toMatchObject({
      keylessWeight: 100n,
      margin: -34n,
      status: 'no-quorum',
    })
  })
})

describe('the risk', () => {
  it('is none if the quorum survives the loss of any validator', () => {
    expect(forecast({ quorumPercentage: 60 })).toMatchObject({ status: 'ok', risk: 'none', margin: 40n })
  })

  it('names the validators on which the quorum depends', () => {
    expect(forecast({ quorumPercentage: 61 }).risk).toBe(
      `loses quorum if ${name(0)} stops signing (40 % of the weight)`,
    )
    expect(forecast({ quorumPercentage: 75 }).risk).toBe(
      `loses quorum if any of 2 validators, such as ${name(0)}, stops signing (40 % of the weight)`,
    )
  })

  it('names a known change that ends the quorum within a week', () => {
    const current = [ends(3, NOW + DAY), ends(0, NOW + 2n * DAY)]
    const { status, risk } = forecast({ quorumPercentage: 50, current }, [1])
    expect([status, risk]).toEqual([
      'at-risk',
      `loses quorum if ${name(0)} stops signing (40 % of the weight); loses quorum at 2027-01-17T08:00:00Z, when the staking period ends of ${name(0)}`,
    ])
    const afterDays = (days: bigint) =>
      forecast({ quorumPercentage: 60, fee: 1n, current: [balance(0, days * DAY), balance(1, days * DAY)] })
    expect(afterDays(7n).risk).toBe(
      `loses quorum at 2027-01-22T08:00:00Z, when the balance runs out of ${name(1)}`,
    )
    expect(afterDays(8n)).toMatchObject({ risk: 'none', loss: { at: NOW + 8n * DAY } })
    expect(forecast({ current: [ends(0, NOW + DAY)] }, [0]).loss).toBeUndefined()
  })
})

describe('the next changes', () => {
  it('removes validators whose staking period ends from the total', () => {
    const { changes } = forecast({
      quorumPercentage: 60,
      current: [ends(1, NOW + 2n * DAY), ends(3, NOW + DAY)],
    })
    expect(changes).toMatchObject([
      { kind: 'stake-ends', weight: 10n, at: NOW + DAY, marginAfter: 90n - 54n, totalAfter: 90n },
      { kind: 'stake-ends', weight: 30n, at: NOW + 2n * DAY, marginAfter: 60n - 36n, totalAfter: 60n },
    ])
  })

  it('keeps the weight of L1 validators whose balance runs out in the total', () => {
    const { changes, unknown } = forecast({
      quorumPercentage: 60,
      fee: 512n,
      current: [balance(0, 512n * DAY), balance(1, 2_047n), balance(2, 512n * 2n * DAY + 511n)],
    })
    expect(changes).toMatchObject([
      { kind: 'balance-runs-out', weight: 40n, at: NOW + DAY, marginAfter: 30n - 60n, totalAfter: 100n },
      { kind: 'balance-runs-out', weight: 20n, at: NOW + 2n * DAY, marginAfter: 10n - 60n },
    ])
    expect(unknown).toEqual([])
  })

  it('does not subtract a validator that cannot sign anyway', () => {
    const { changes } = forecast({ quorumPercentage: 50, current: [ends(3, NOW + DAY)] }, [3])
    expect(changes).toMatchObject([{ marginAfter: 90n - 45n }])
  })

  it('lists at most ten changes, and says what is unknown', () => {
    const many = Array.from({ length: 12 }, (_, at) => ({
      ...ends(0, NOW + BigInt(at)),
      nodeId: NodeId.EMPTY,
    }))
    expect(forecast({ current: many }).changes).toHaveLength(10)
    expect(forecast({ current: undefined }).unknown).toEqual([
      'the ends of staking periods and L1 balances, because the node API failed',
    ])
    expect(forecast({ current: [balance(0, 5_000n)] })).toMatchObject({
      changes: [],
      unknown: ['when L1 balances run out, because the node API does not return the fee'],
    })
  })
})
