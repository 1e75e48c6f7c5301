import { codeOf } from '@firn/sql/testing'
import { expect, test } from 'vitest'
import * as FetchedBlocks from './FetchedBlocks.ts'
import { eachDatabase } from './testing/databases.ts'

const idOf = (height: number) => new Uint8Array(32).fill(height)
const block = (height: number, size = 10): FetchedBlocks.FetchedBlock => ({
  height: BigInt(height),
  id: idOf(height),
  parentId: idOf(height - 1),
  bytes: new Uint8Array(size).fill(height),
})
const heights = (blocks: readonly FetchedBlocks.FetchedBlock[]) => blocks.map(({ height }) => Number(height))

eachDatabase(({ open, again }) => {
  test('returns the stored heights of a chain as intervals', async () => {
    const store = await open()
    expect(await FetchedBlocks.intervals(store, 'P')).toEqual([])
    await FetchedBlocks.put(store, 'P', [block(9), block(8), block(7)])
    await FetchedBlocks.put(store, 'P', [block(3), block(2)])
    await FetchedBlocks.put(store, 'X', [block(4)])
    await FetchedBlocks.put(store, 'X', [])
    expect(await FetchedBlocks.intervals(await again(store), 'P')).toEqual([
      { from: 2n, to: 3n },
      { from: 7n, to: 9n },
    ])
    await FetchedBlocks.remove(store, 'P', { from: 3n, to: 8n })
    expect(await FetchedBlocks.intervals(store, 'P')).toEqual([
      { from: 2n, to: 2n },
      { from: 9n, to: 9n },
    ])
    expect(await FetchedBlocks.intervals(store, 'X')).toEqual([{ from: 4n, to: 4n }])
    await FetchedBlocks.reclaim(store)
  })

  test('returns blocks by height and by id within their chain', async () => {
    const store = await open()
    await FetchedBlocks.put(store, 'P', [block(5), block(4)])
    expect(await FetchedBlocks.byHeight(store, 'P', 5n)).toEqual(block(5))
    expect(await FetchedBlocks.byHeight(store, 'X', 5n)).toBeUndefined()
    expect(await FetchedBlocks.byId(store, 'P', idOf(4))).toEqual(block(4))
    expect(await FetchedBlocks.byId(store, 'X', idOf(4))).toBeUndefined()
    expect(await FetchedBlocks.byId(store, 'P', idOf(6))).toBeUndefined()
  })

  test('returns a range up to the first gap, limited by blocks and by bytes', async () => {
    const store = await open()
    await FetchedBlocks.put(
      store,
      'P',
      [1, 2, 3, 4, 6].map((height) => block(height, 100)),
    )
    expect(heights(await FetchedBlocks.range(store, 'P', 1n, 10))).toEqual([1, 2, 3, 4])
    expect(heights(await FetchedBlocks.range(store, 'P', 1n, 3))).toEqual([1, 2, 3])
    expect(heights(await FetchedBlocks.range(store, 'P', 1n, 10, 150))).toEqual([1, 2])
    expect(heights(await FetchedBlocks.range(store, 'P', 1n, 10, 1))).toEqual([1])
    expect(await FetchedBlocks.range(store, 'P', 5n, 10)).toEqual([])
  })

  test('stores none of the blocks if one height is stored already', async () => {
    const store = await open()
    await FetchedBlocks.put(store, 'P', [block(2)])
    expect(await codeOf(FetchedBlocks.put(store, 'P', [block(3), block(2)]))).toBe('STORE_QUERY')
    expect(await FetchedBlocks.intervals(store, 'P')).toEqual([{ from: 2n, to: 2n }])
  })
})
