import { expect, it, test } from 'vitest'
import { byteas } from './arrays.ts'
import { eachKind } from './testing/databases.ts'

const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)

it('formats bytes of any length, and null, as an SQL array', () => {
  const digits = Buffer.from(all).toString('hex')
  expect(byteas([])).toBe('{}')
  expect(byteas([null])).toBe('{null}')
  expect(byteas([all.subarray(10, 12), null, new Uint8Array(), all])).toBe(
    `{"\\\\x0a0b",null,"\\\\x","\\\\x${digits}"}`,
  )
})

eachKind(({ driver }) => {
  test.each([
    ['nothing', []],
    ['only nulls', [null, null]],
    ['bytes of any length', [all.subarray(10, 12), new Uint8Array(), all]],
    ['bytes and nulls', [null, all, null]],
  ])('passes an array of %s to a statement', async (_, items) => {
    const { transaction } = await driver()
    const rows = await transaction((session) => session.query('select unnest($1::bytea[]) as item', [items]))
    expect(rows.map(({ item }) => item)).toEqual(items)
  })
})
