import { expect, test } from 'vitest'
import * as Amounts from './Amounts.ts'
import * as Csv from './Csv.ts'
import { shorten } from './Ids.ts'
import { memoText } from './Memos.ts'
import * as Times from './Times.ts'

test('formats amounts without rounding', () => {
  expect(Amounts.format('361196359018762311', 9)).toEqual({ whole: '361,196,359', fraction: '.018762311' })
  expect(Amounts.format(-3776999511, 9)).toEqual({ whole: '−3', fraction: '.776999511' })
  expect(Amounts.format(1n, 18)).toEqual({ whole: '0', fraction: '.000000000000000001' })
  expect(Amounts.format(2_000_000_000n, 9)).toEqual({ whole: '2', fraction: '' })
  expect(Amounts.plain('-1234500000000', 9)).toBe('-1234.5')
  expect(Amounts.count('1234567')).toBe('1,234,567')
})

test('quotes CSV fields, and keeps spreadsheets from running them', () => {
  const rows = [
    ['a', 'b,"c"\n'],
    ['=HYPERLINK("x")', '-1.5'],
    ['@SUM(1)', '+1'],
  ]
  expect(Csv.format(rows)).toBe('a,"b,""c""\n"\r\n"\'=HYPERLINK(""x"")",-1.5\r\n\'@SUM(1),\'+1\r\n')
})

test('shortens ids in the middle and keeps their prefix', () => {
  expect(shorten('NodeID-41f3Vk3mugDhhAQ3AqeXRiXzKyu1AAnNA')).toBe('NodeID-41f3Vk…1AAnNA')
  expect(shorten('0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC')).toBe('0x8db97C…BF52FC')
  expect(shorten('local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u')).toBe('local18jma8p…00z96u')
  expect(shorten('short')).toBe('short')
})

test('shows a memo as text only if nothing in it is hidden', () => {
  expect(memoText('0x')).toBeUndefined()
  expect(memoText('0x68656c6c6f')).toBe('hello')
  expect(memoText('0x3c623e')).toBe('<b>')
  expect(memoText('0xff')).toBe('0xff')
  expect(memoText('0xe280ae61')).toBe('0xe280ae61')
})

test('formats times in UTC and distances in the largest unit', () => {
  expect(Times.format(1_795_219_181, 'utc')).toBe('2026-11-20 23:59:41')
  expect(Times.relative(1_000, 1_000 + 3 * 86_400)).toBe('3 days ago')
  expect(Times.relative(1_060, 1_000)).toBe('in 1 minute')
})

test('counts things in the singular and the plural', () => {
  const texts = [1, 0, '1200'].map((value) => Amounts.countOf(value, 'row'))
  expect(texts).toEqual(['1 row', '0 rows', '1,200 rows'])
})
