import { expect, test } from 'vitest'
import { emptyState } from './Change.ts'
import { createTimeline, stateAt } from './Timeline.ts'

const START = 1_000_000_000_000
const create = () => createTimeline(emptyState(12345, BigInt(START / 1000)), START)

test('proposes a block once the block and all earlier blocks are at least 30 s old', () => {
  const timeline = create()
  expect(timeline.proposedHeight(START)).toBe(0n)
  timeline.advance([], START + 10_000)
  timeline.advance([], START + 20_000)
  expect(timeline.proposedHeight(START + 20_000)).toBe(0n)
  expect(timeline.proposedHeight(START + 39_999)).toBe(0n)
  expect(timeline.proposedHeight(START + 40_000)).toBe(1n)
  expect(timeline.proposedHeight(START + 50_000)).toBe(2n)
})

test('proposes blocks that are at least 64 blocks below the tip, even if they are recent', () => {
  const timeline = create()
  for (let height = 1; height <= 100; height += 1) timeline.advance([], START + height)
  expect(timeline.proposedHeight(START + 100)).toBe(36n)
})

test('opens a new epoch after the first block that is at least 30 s after the start of the epoch', () => {
  const timeline = create()
  const block = (seconds: number) => {
    timeline.advance([], START + seconds * 1000)
    const { number, startTime, pChainHeight } = timeline.epoch()
    return [number, startTime - BigInt(START / 1000), pChainHeight]
  }
  expect(block(29)).toEqual([1n, 0n, 0n])
  // The block of 29 s was too recent at 31 s to be proposed.
  expect(block(31)).toEqual([2n, 31n, 0n])
  expect(block(60)).toEqual([2n, 31n, 0n])
  expect(block(95)).toEqual([3n, 95n, 3n])
})

test('never decreases the block time, and rejects heights above the tip', () => {
  const timeline = create()
  timeline.advance([], START - 5_000)
  expect(timeline.tip.time).toBe(BigInt(START / 1000))
  expect(stateAt(timeline, 1n)).toBe(timeline.tip)
  expect(() => stateAt(timeline, 2n)).toThrow(expect.objectContaining({ code: 'DEVNET_UNKNOWN' }))
  expect(timeline.at(-1n)).toBeUndefined()
})

test('accepts the states of another P-chain, and rejects a state whose height does not follow the tip', () => {
  const timeline = create()
  const next = { ...timeline.tip, height: 1n, time: timeline.tip.time + 40n }
  timeline.follow(next, START + 40_000)
  expect([timeline.tip, timeline.at(1n), timeline.at(0n)?.height]).toEqual([next, next, 0n])
  expect(timeline.proposedHeight(START + 40_000)).toBe(0n)
  for (const height of [1n, 3n]) {
    expect(() => timeline.follow({ ...next, height }, START)).toThrow(
      expect.objectContaining({
        code: 'DEVNET_CHANGE',
        message: `expected a block of height 2, got ${height}`,
      }),
    )
  }
  expect(timeline.tip).toBe(next)
})
