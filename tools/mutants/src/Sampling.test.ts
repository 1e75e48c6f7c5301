import { expect, test } from 'vitest'
import { sample } from './Sampling.ts'

const items = Array.from({ length: 100 }, (_, index) => index)

test('returns the same items in the same order for the same seed', () => {
  const chosen = sample(items, 10, 1)
  expect(chosen).toHaveLength(10)
  expect(sample(items, 10, 1)).toEqual(chosen)
  expect(chosen.toSorted((a, b) => a - b)).toEqual(chosen)
  expect(sample(items, 10, 2)).not.toEqual(chosen)
})

test('returns all items if their number does not exceed the maximum', () => {
  expect(sample(items, 100, 1)).toEqual(items)
})
