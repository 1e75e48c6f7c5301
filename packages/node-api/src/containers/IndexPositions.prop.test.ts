import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as IndexPositions from './IndexPositions.ts'
import type { Span } from './IndexState.ts'

/** Generates index ranges with gaps between them, and a top height. The last range may be open. */
const index = fc
  .record({
    lengths: fc.array(fc.tuple(fc.bigInt(1n, 5n), fc.bigInt(1n, 9n)), { maxLength: 6 }),
    isOpen: fc.boolean(),
    top: fc.bigInt(0n, 90n),
  })
  .map(({ lengths, isOpen, top }) => {
    let next = 1n
    const spans: Span[] = lengths.map(([gap, length], i) => {
      const first = next + gap - 1n
      next = first + length + 1n
      return isOpen && i === lengths.length - 1 ? { first } : { first, last: first + length - 1n }
    })
    return { spans, top }
  })

/** Returns all indexed heights as a plain list, against which the results are compared. */
function heights(spans: readonly Span[], top: bigint): bigint[] {
  const all: bigint[] = []
  for (let height = 1n; height <= top; height++)
    if (spans.some(({ first, last = top }) => height >= first && height <= last)) all.push(height)
  return all
}

test('maps between heights and indices like a plain list of heights', () => {
  fc.assert(
    fc.property(index, ({ spans, top }) => {
      const all = heights(spans, top)
      expect(IndexPositions.count(spans, top)).toBe(BigInt(all.length))
      for (let height = 0n; height <= top + 2n; height++) {
        const place = all.indexOf(height)
        expect(IndexPositions.indexOf(spans, top, height)).toBe(place < 0 ? undefined : BigInt(place))
      }
    }),
  )
})

test('returns a range of the index as runs of consecutive heights', () => {
  fc.assert(
    fc.property(index, fc.bigInt(0n, 60n), fc.bigInt(0n, 60n), ({ spans, top }, start, count) => {
      const runs = IndexPositions.heightsFrom(spans, top, start, count)
      const found = runs.flatMap(({ first, last }) =>
        Array.from({ length: Number(last - first + 1n) }, (_, i) => first + BigInt(i)),
      )
      expect(found).toEqual(heights(spans, top).slice(Number(start), Number(start + count)))
      expect(runs.length).toBeLessThanOrEqual(Math.max(1, spans.length))
    }),
  )
})
