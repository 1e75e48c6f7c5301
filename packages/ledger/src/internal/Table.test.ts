import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Layout, Overlay, Table } from './Table.ts'

interface Item {
  readonly key: string
  readonly rank: number
}

const LAYOUT: Layout<Item> = {
  keyOf: ({ key }) => key,
  compare: (a, b) => a.rank - b.rank || (a.key < b.key ? -1 : 1),
  secondOf: ({ rank }) => (rank === 0 ? undefined : `rank ${rank}`),
}
// The key is the rank as text, so no two records compare as equal.
const keys = fc.uniqueArray(fc.nat(20))
const item = (rank: number): Item => ({ key: String(rank), rank })

describe('Overlay', () => {
  it('returns the same records in the same order as a table to which the changes were written directly', () => {
    fc.assert(
      fc.property(keys, keys, (first, second) => {
        const [base, expected] = [new Table(LAYOUT), new Table(LAYOUT)]
        for (const rank of first) for (const table of [base, expected]) table.write(undefined, item(rank))
        const overlay = new Overlay(base, LAYOUT)
        for (const rank of second) {
          const before = base.get(String(rank))
          const after = before === undefined ? item(rank) : undefined
          for (const table of [overlay, expected]) table.write(before, after)
        }
        expect([...overlay.ordered()]).toEqual([...expected.ordered()])
        expect([...base.ordered()].map(({ rank }) => rank)).toEqual(first.toSorted((a, b) => a - b))
        for (const rank of [...first, ...second]) {
          expect(overlay.get(String(rank))).toEqual(expected.get(String(rank)))
          expect(overlay.find(`rank ${rank}`)).toEqual(expected.find(`rank ${rank}`))
        }
      }),
    )
  })

  it('returns new records after the records of the table if the layout defines no order', () => {
    const layout = { ...LAYOUT, compare: undefined }
    const base = new Table(layout)
    for (const rank of [3, 1]) base.write(undefined, item(rank))
    const overlay = new Overlay(base, layout)
    for (const rank of [2, 0]) overlay.write(undefined, item(rank))
    overlay.write(item(3), undefined)
    expect([...overlay.ordered()].map(({ rank }) => rank)).toEqual([1, 2, 0])
  })
})
