import { describe, expect, it } from 'vitest'
import * as Poll from './Poll.ts'

const id = (number: number) => new Uint8Array(32).fill(number)
const chits = (acceptedHeight: bigint, acceptedId: number, preferredIdAtHeight = acceptedId) => ({
  preferredId: id(99),
  preferredIdAtHeight: id(preferredIdAtHeight),
  acceptedId: id(acceptedId),
  acceptedHeight,
})
const NODE = new Uint8Array(20)

describe('hostileWin', () => {
  it('is below one in a billion for 20 % of the stake with the rule of samples', () => {
    expect(Poll.hostileWin(Poll.SAMPLE_RULE, 0.2)).toBeLessThan(1e-9)
    expect(Poll.hostileWin(Poll.SAMPLE_RULE, 0.2)).toBeCloseTo(3.25e-14, 15)
  })

  it('agrees with figures computed by hand', () => {
    expect(Poll.hostileWin({ draws: 2, threshold: 1, rounds: 1 }, 0.5)).toBeCloseTo(0.75)
    expect(Poll.hostileWin({ draws: 2, threshold: 2, rounds: 3 }, 0.5)).toBeCloseTo(0.25 ** 3)
    expect(Poll.hostileWin({ draws: 20, threshold: 11, rounds: 1 }, 0.49)).toBeCloseTo(0.38, 2)
    expect(Poll.hostileWin(Poll.SAMPLE_RULE, 0.33)).toBeLessThan(3e-8)
  })

  it('is certain for all of the stake, and impossible for none', () => {
    expect([1, 0].map((share) => Poll.hostileWin(Poll.SAMPLE_RULE, share))).toEqual([1, 0])
  })
})

describe('createTally', () => {
  const isMajority = (weight: bigint) => weight > 5n

  it('decides when enough weight accepted the same block last', () => {
    const tally = Poll.createTally(8n, isMajority)
    tally.add(NODE, chits(8n, 1), 5n)
    expect(tally.decided(7n)).toBeUndefined()
    tally.add(NODE, chits(8n, 1), 1n)
    expect(tally.decided(7n)?.vote).toEqual({ id: id(1), height: 8n })
    expect(tally.decided(8n)).toBeUndefined()
  })

  it('counts voters that are above the requested height for the block that they have there', () => {
    const tally = Poll.createTally(8n, isMajority)
    tally.add(NODE, chits(8n, 1), 3n)
    tally.add(NODE, chits(9n, 2, 1), 3n)
    expect(tally.decided(7n)?.vote).toEqual({ id: id(1), height: 8n })
  })

  it('does not count a preferred block that is not accepted', () => {
    const tally = Poll.createTally(8n, isMajority)
    tally.add(NODE, chits(7n, 3, 1), 10n)
    expect(tally.decided(7n)).toBeUndefined()
  })

  it('does not count a voter twice for one block', () => {
    const tally = Poll.createTally(8n, isMajority)
    tally.add(NODE, chits(8n, 1, 1), 3n)
    expect(tally.decided(7n)).toBeUndefined()
  })

  it('returns the height that enough weight has reached', () => {
    const tally = Poll.createTally(1n, isMajority)
    tally.add(NODE, chits(1_000n, 1), 5n)
    expect(tally.commonHeight()).toBeUndefined()
    tally.add(NODE, chits(8n, 2), 4n)
    tally.add(NODE, chits(9n, 3), 1n)
    expect(tally.commonHeight()).toBe(9n)
  })

  it('ignores ids of another length', () => {
    const tally = Poll.createTally(8n, isMajority)
    tally.add(NODE, { ...chits(8n, 1), acceptedId: new Uint8Array(31) }, 10n)
    expect(tally.decided(7n)).toBeUndefined()
  })
})
