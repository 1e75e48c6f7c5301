import { expect, test } from 'vitest'
import * as FetchedVertices from './FetchedVertices.ts'
import { eachDatabase } from './testing/databases.ts'

const idOf = (name: number) => new Uint8Array(32).fill(name)
const vertex = (
  name: number,
  height: number,
  ...parents: readonly number[]
): FetchedVertices.FetchedVertex => ({
  id: idOf(name),
  height: BigInt(height),
  parentIds: parents.map(idOf),
  bytes: Uint8Array.of(name),
})

eachDatabase(({ open }) => {
  test('returns fetched vertices by id, in order, and the parents that are missing', async () => {
    const store = await open()
    expect(await FetchedVertices.missing(store, 10)).toEqual([])
    const [stop, left, right] = [vertex(9, 2, 3, 7), vertex(7, 1, 1, 2), vertex(3, 1, 1)]
    await FetchedVertices.put(store, [stop, left])
    expect(await FetchedVertices.get(store, [idOf(7), idOf(3)])).toEqual([left, undefined])
    const missing = await FetchedVertices.missing(store, 10)
    expect(missing.map(([first]) => first).toSorted()).toEqual([1, 2, 3])
    expect(await FetchedVertices.missing(store, 2)).toHaveLength(2)
    await FetchedVertices.put(store, [right, vertex(1, 0), vertex(2, 0)])
    expect(await FetchedVertices.missing(store, 10)).toEqual([])
    expect(await FetchedVertices.count(store)).toBe(5)
    const page = await FetchedVertices.page(store, undefined, 3)
    expect(page).toEqual([vertex(1, 0), vertex(2, 0), right])
    expect(await FetchedVertices.page(store, page.at(-1), 3)).toEqual([left, stop])
    await FetchedVertices.clear(store)
    expect(await FetchedVertices.count(store)).toBe(0)
  })
})
