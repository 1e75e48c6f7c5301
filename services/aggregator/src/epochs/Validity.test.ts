import { NodeId } from '@firn/codec'
import { ValidatorSet } from '@firn/warp'
import { expect, it } from 'vitest'
import { createValidators, L1_SUBNET } from '../testing/fakes.ts'
import * as Validity from './Validity.ts'

const setOf = (nodes: readonly ValidatorSet.Node[], height = 100n) => ({
  subnetId: L1_SUBNET,
  height,
  set: ValidatorSet.create(nodes),
})
const NODES = createValidators([40n, 30n, 20n, 10n])
const CURRENT = setOf(NODES)
/** All validators in the canonical order. */
const ORDERED = CURRENT.set.validators.map(({ nodeIds: [nodeId] }) => {
  const found = NODES.find((one) => NodeId.format(one.nodeId) === NodeId.format(nodeId as Uint8Array))
  return found as (typeof NODES)[number]
})
const EPOCH = { number: 5n, startTime: 1_000n, pChainHeight: 100n, durationSeconds: 300 }

it('knows that a message verifies with another set only if its signers have the same indices and enough weight', () => {
  const signers = Validity.signersOf(CURRENT, [0, 1, 2])
  expect(Validity.verifiesToo(signers, CURRENT, 50)).toBe(true)
  expect(Validity.verifiesToo(signers, setOf(ORDERED.slice(0, 3)), 100)).toBe(true)
  // Other keys at the same indices.
  expect(Validity.verifiesToo(signers, setOf(ORDERED.slice(1)), 1)).toBe(false)
  expect(Validity.verifiesToo(signers, setOf(ORDERED.slice(0, 2)), 1)).toBe(false)
  // Too little weight.
  const heavier = ORDERED.map((one, index) => (index === 3 ? { ...one, weight: 1_000n } : one))
  expect(Validity.verifiesToo(signers, setOf(heavier), 50)).toBe(false)
  expect(Validity.verifiesToo(signers, setOf(heavier), 1)).toBe(true)
})

it('returns the periods of the current and of the next epoch', () => {
  expect(Validity.periodOf(EPOCH, true)).toEqual({ notBefore: 1_000n, earliestExpiry: 1_300n })
  expect(Validity.periodOf(EPOCH, false)).toEqual({ notBefore: 1_300n, earliestExpiry: 1_600n })
  expect(Validity.periodOf(undefined, true)).toEqual({ notBefore: undefined, earliestExpiry: undefined })
})

it('warns about signers whose weight has left, or leaves before the end of the next epoch', () => {
  const facts = {
    epoch: EPOCH,
    signers: Validity.signersOf(CURRENT, [0, 1, 2, 3]),
    current: CURRENT,
    newest: CURRENT,
    upcoming: [],
    quorumPercentage: 67,
    now: 1_200,
  }
  expect(Validity.warnings(facts)).toEqual([])
  const [first, second] = NODES
  if (first === undefined || second === undefined) throw new Error('no validators')
  const newest = setOf([{ ...first, weight: 20n }, ...NODES.slice(1)], 108n)
  expect(Validity.warnings({ ...facts, newest })).toEqual([
    {
      code: 'weight-leaving',
      message: expect.stringMatching(/^validators with 20 % .* P-chain height 108$/),
    },
  ])
  const upcoming = [
    { kind: 'stake-ends', nodeId: second.nodeId, weight: 1n, at: 1_500n } as const,
    { kind: 'stake-ends', nodeId: first.nodeId, weight: 1n, at: 1_400n } as const,
    { kind: 'stake-ends', nodeId: new Uint8Array(20), weight: 50n, at: 1_400n } as const,
  ]
  const soon = new RegExp(
    `^validators with 70 % .*${NodeId.format(first.nodeId)}\\) at 1970-01-01T00:23:20Z$`,
  )
  expect(Validity.warnings({ ...facts, upcoming })).toEqual([
    { code: 'weight-leaving', message: expect.stringMatching(soon) },
  ])
  const others = Validity.signersOf(CURRENT, [ORDERED.indexOf(second)])
  expect(Validity.warnings({ ...facts, signers: others, newest })).toEqual([])
})
