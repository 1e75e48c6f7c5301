import { ValidatorSet } from '@firn/warp'
import { expect, it } from 'vitest'
import { createValidators } from '../testing/fakes.ts'
import { areEqual } from './EqualSets.ts'

const NODES = createValidators([40n, 30n, 20n])

it('compares keys, weights, nodes and total weights', () => {
  const set = ValidatorSet.create(NODES)
  const [first, ...rest] = NODES
  const [other] = createValidators([40n], 2)
  if (first === undefined || other === undefined) throw new Error('no validators')
  const isEqual = (nodes: readonly ValidatorSet.Node[]) => areEqual(set, ValidatorSet.create(nodes))
  expect(areEqual(set, set)).toBe(true)
  expect(isEqual([...NODES].reverse())).toBe(true)
  expect(isEqual(rest)).toBe(false)
  expect(isEqual([{ ...first, weight: 41n }, ...rest])).toBe(false)
  expect(isEqual([{ ...first, publicKey: other.publicKey }, ...rest])).toBe(false)
  expect(isEqual([{ ...first, nodeId: other.nodeId }, ...rest])).toBe(false)
  expect(isEqual([...NODES, { ...other, publicKey: null }])).toBe(false)
})
