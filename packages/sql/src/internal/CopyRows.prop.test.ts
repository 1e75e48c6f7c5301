import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eachKind } from '../testing/databases.ts'
import { CopyRows } from './CopyRows.ts'

const number = fc.oneof(
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n - 1n }),
  fc.bigInt({ min: -(2n ** 260n), max: 2n ** 260n }),
  // Runs of zeros in base 10,000 are the most likely source of errors.
  fc
    .tuple(fc.bigInt({ min: 0n, max: 9999n }), fc.nat({ max: 19 }))
    .map(([digit, zeros]) => digit * 10_000n ** BigInt(zeros)),
)
const bytes = fc.uint8Array({ maxLength: 40 })
const i64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
// Neither database can store a NUL character in a string.
const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', ''))
const row = fc.record({
  a: fc.option(bytes),
  b: fc.array(bytes, { maxLength: 3 }),
  c: text,
  d: fc.boolean(),
  e: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  f: i64,
  g: number,
})

eachKind(({ driver }) => {
  test('reads back any copied rows unchanged with both drivers', async () => {
    const { transaction } = await driver()
    await transaction(async (session) => {
      await session.query(
        'create table copied (i int, a bytea, b bytea[], c text, d boolean, e int, f bigint, g numeric(80))',
      )
    })
    const property = fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
      const copy = new CopyRows()
      rows.forEach(({ a, b, c, d, e, f, g }, i) => {
        copy.row(8)
        copy.int4(i)
        if (a === null) copy.null()
        else copy.bytea(a)
        copy.byteas(b)
        copy.text(c)
        copy.bool(d)
        copy.int4(e)
        copy.int8(f)
        copy.numeric(g)
      })
      const read = await transaction(async (session) => {
        await session.query('truncate copied')
        await session.copy('copied', copy.finish())
        return await session.query('select * from copied order by i')
      })
      expect(read).toEqual(rows.map((value, i) => ({ i, ...value })))
    })
    await fc.assert(property, { numRuns: 40 })
  })
})
