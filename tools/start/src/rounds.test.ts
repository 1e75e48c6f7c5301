import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as rounds from './rounds.mjs'

describe('shorten', () => {
  it.each([
    { numRuns: 1000, share: 0.25, expected: 250 },
    { numRuns: undefined, share: 0.25, expected: 25 },
    { numRuns: 10, share: 0.25, expected: 5 },
    { numRuns: 3, share: 0.25, expected: 3 },
    { numRuns: 101, share: 0.25, expected: 26 },
    { numRuns: 40, share: 2, expected: 80 },
  ])('runs $expected of $numRuns rounds at a share of $share', ({ numRuns, share, expected }) => {
    expect(rounds.shorten(numRuns === undefined ? {} : { numRuns }, share).numRuns).toBe(expected)
  })

  it('runs all rounds of a replayed failure, and keeps other parameters', () => {
    const replayed = { numRuns: 1000, path: '12:3', seed: 7 }
    expect(rounds.shorten(replayed, 0.25)).toEqual(replayed)
  })
})

describe('fast-check in tests', () => {
  it('is replaced by this module', () => {
    expect(fc.assert).toBe(rounds.assert)
  })

  it('still fails for a property that does not hold', () => {
    expect(() => fc.assert(fc.property(fc.nat(), (value) => value < 0))).toThrow('Property failed')
  })
})
