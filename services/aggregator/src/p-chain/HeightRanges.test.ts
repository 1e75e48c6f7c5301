import { ValidatorSet } from '@firn/warp'
import { expect, it } from 'vitest'
import { createValidators, L1_SUBNET } from '../testing/fakes.ts'
import { find } from './HeightRanges.ts'

const VALIDATORS = createValidators([10n, 20n, 30n, 40n])

/** Returns sets that change at the given heights, and the heights that were loaded. */
function setsThatChangeAt(...changes: readonly bigint[]) {
  const loaded: bigint[] = []
  const load = async (height: bigint) => {
    loaded.push(height)
    const count = changes.filter((change) => change <= height).length
    const nodes = VALIDATORS.map((one, index) => ({ ...one, weight: one.weight + BigInt(index * count) }))
    return { subnetId: L1_SUBNET, height, set: ValidatorSet.create(nodes) }
  }
  return { loaded, load }
}

const upTo = (most: number) => (loaded: number) => loaded < most
const bounds = ({ ranges }: Awaited<ReturnType<typeof find>>) =>
  ranges.map(({ first, last }) => [first, last])

it('finds the heights at which a set changes, and loads few others', async () => {
  const { load, loaded } = setsThatChangeAt(1_003n, 1_200n, 1_201n)
  const found = await find(1_000n, 1_300n, load, upTo(64))
  expect(bounds(found)).toEqual([
    [1_000n, 1_002n],
    [1_003n, 1_199n],
    [1_200n, 1_200n],
    [1_201n, 1_300n],
  ])
  expect(found.isComplete).toBe(true)
  expect(found.ranges.map(({ at }) => at.height)).toEqual([1_000n, 1_003n, 1_200n, 1_201n])
  expect(loaded.length).toBeLessThan(32)
})

it('loads the same heights again as the tip grows', async () => {
  const { load, loaded } = setsThatChangeAt(1_100n)
  await find(1_000n, 1_300n, load, upTo(64))
  const before = new Set(loaded)
  await find(1_000n, 1_301n, load, upTo(64))
  expect([...new Set(loaded)].filter((height) => !before.has(height))).toEqual([1_301n])
})

it('loads at most the given number of sets, the newest first, and leaves out heights that it does not know', async () => {
  const { load, loaded } = setsThatChangeAt(1_010n, 1_290n, 1_299n)
  const found = await find(1_000n, 1_300n, load, upTo(12))
  expect(loaded).toHaveLength(12)
  expect(found.isComplete).toBe(false)
  expect(bounds(found).at(-1)).toEqual([1_299n, 1_300n])
  for (const [index, { first, last }] of found.ranges.entries()) {
    expect(last).toBeGreaterThanOrEqual(first)
    const next = found.ranges[index + 1]
    if (next !== undefined) expect(next.first).toBeGreaterThan(last)
  }
})

it('returns one range if the set never changes, or if there is only one height', async () => {
  const { load, loaded } = setsThatChangeAt()
  expect(bounds(await find(1_000n, 1_300n, load, upTo(64)))).toEqual([[1_000n, 1_300n]])
  expect(loaded).toEqual([1_000n, 1_300n])
  expect(bounds(await find(7n, 7n, load, upTo(64)))).toEqual([[7n, 7n]])
  expect(bounds(await find(7n, 5n, load, upTo(64)))).toEqual([[7n, 7n]])
})
