import { expect, it } from 'vitest'
import * as Random from './testing/Random.ts'
import * as Voters from './Voters.ts'

const nodeId = (number: number) => new Uint8Array(20).fill(number)
const voters = [1n, 2n, 7n].map((weight, i) => ({ nodeId: nodeId(i), weight }))

it('gives beacons the same weight', () => {
  const beacons = Voters.beacons([nodeId(1), nodeId(2)])
  expect([beacons.length, Voters.totalWeight(beacons)]).toEqual([2, 2n])
})

it('counts the weight of connected voters, by the content of their ids', () => {
  expect(Voters.connectedWeight(voters, [nodeId(0), nodeId(2), nodeId(9)])).toBe(8n)
})

it('draws voters with probabilities proportional to their weights', () => {
  const random = Random.create(1)
  const counts = [0, 0, 0]
  for (const { nodeId } of Voters.draw(voters, 10_000, random))
    counts[nodeId[0] as number] = (counts[nodeId[0] as number] ?? 0) + 1
  for (const [i, share] of [0.1, 0.2, 0.7].entries()) {
    expect(Math.abs((counts[i] as number) / 10_000 - share)).toBeLessThan(0.02)
  }
})

it('samples different voters, and none without weight', () => {
  const random = Random.create(2)
  const all = [...voters, { nodeId: nodeId(9), weight: 0n }]
  const sample = Voters.sample(all, 20, random)
  expect(sample.map(({ nodeId }) => nodeId[0]).sort()).toEqual([0, 1, 2])
  expect(Voters.sample(all, 2, random)).toHaveLength(2)
})

it('draws nothing from voters without weight', () => {
  expect(Voters.draw([{ nodeId: nodeId(1), weight: 0n }], 3, Math.random)).toEqual([])
})
