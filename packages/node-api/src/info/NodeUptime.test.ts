import { Networks } from '@firn/genesis'
import { describe, expect, test } from 'vitest'
import * as NodeUptime from './NodeUptime.ts'
import * as PrimaryNetwork from './PrimaryNetwork.ts'

const node = (byte: number) => new Uint8Array(20).fill(byte)

function seenBy(
  weights: readonly bigint[],
  observed: readonly (readonly [number, number])[],
  requirement = 0.8,
) {
  return NodeUptime.seenBy({
    nodeId: node(0),
    peers: observed.map(([byte, observedUptime]) => ({ nodeId: node(byte), observedUptime }) as never),
    weights: PrimaryNetwork.weights(
      weights.map((weight, byte) => ({ nodeId: node(byte), weight, startTime: 0n })),
    ),
    requirement,
  })
}

describe('uptime of this node', () => {
  test("reports the node's own share of the stake if no other validator is connected", () => {
    expect(seenBy([1n, 3n], [])).toEqual({
      rewardingStakePercentage: 25,
      weightedAveragePercentage: 25,
    })
  })

  test('counts the stake of peers that observed the required uptime, and averages the uptime that all peers observed', () => {
    const observed = [
      [1, 79],
      [2, 80],
      [9, 100],
    ] as const
    expect(seenBy([1n, 1n, 2n], observed)).toEqual({
      rewardingStakePercentage: 75,
      weightedAveragePercentage: (100 + 79 + 160) / 4,
    })
    expect(seenBy([1n, 1n, 2n], observed, 0.9).rewardingStakePercentage).toBe(25)
  })

  test('throws an error for a node that is not a validator', () => {
    expect(() => seenBy([0n, 1n], [[1, 100]])).toThrow("couldn't get node uptime: node is not a validator")
    expect(() => seenBy([], [])).toThrow("couldn't get node uptime: node is not a validator")
  })
})

test("throws an error if this process is not connected to the network's peers", () => {
  const weights = PrimaryNetwork.weights([{ nodeId: node(0), weight: 1n, startTime: 0n }])
  const facts = { nodeId: node(0), peers: undefined, weights, requirement: 0.8 }
  expect(() => NodeUptime.seenBy(facts)).toThrow(
    "couldn't get node uptime: this process is not connected to the network's peers",
  )
})

test('requires a higher uptime for stakes that began after Helicon', () => {
  const constants = {
    ...Networks.LOCAL,
    upgrades: { ...Networks.LOCAL.upgrades, helicon: 1_000n },
  }
  expect(NodeUptime.requirement(undefined, constants)).toBe(0.8)
  expect(NodeUptime.requirement({ startTime: 999n }, constants)).toBe(0.8)
  expect(NodeUptime.requirement({ startTime: 1_000n }, constants)).toBe(0.9)
})
