import { expect, it } from 'vitest'
import * as Segments from './Segments.ts'

const id = (height: bigint) => new Uint8Array(32).fill(Number(height))
const segment = (from: bigint, to: bigint): Segments.Segment => ({
  from,
  to,
  id: id(to),
  parentId: id(from - 1n),
})

it('joins linked neighbours on both sides', () => {
  const segments = Segments.add(Segments.add([], segment(5n, 6n)), segment(10n, 12n))
  expect(Segments.add(segments, segment(7n, 9n))).toEqual([segment(5n, 12n)])
})

it('does not join neighbours that are not linked', () => {
  const other = { ...segment(7n, 9n), parentId: id(99n), id: id(98n) }
  expect(Segments.add([segment(5n, 6n), segment(10n, 12n)], other)).toHaveLength(3)
})

it('finds the segment of a height', () => {
  const segments = [segment(2n, 3n), segment(7n, 9n)]
  const found = [1n, 2n, 3n, 4n, 7n, 9n, 10n].map((height) => Segments.at(segments, height)?.from)
  expect(found).toEqual([undefined, 2n, 2n, undefined, 7n, 7n, undefined])
})

it('counts the heights within a range', () => {
  expect(Segments.count([segment(2n, 3n), segment(7n, 9n)], 3n, 8n)).toBe(3n)
})
