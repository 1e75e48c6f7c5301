import { expect, test } from 'vitest'
import * as Rates from './Rates.ts'

const at = (timestamp: bigint, timestampMilliseconds?: bigint) => ({ timestamp, timestampMilliseconds })

test.each([
  ['milliseconds where both have them', at(10n, 10_000n), at(11n, 11_250n), 1.25],
  ['seconds where one has none', at(10n), at(12n, 12_900n), 2],
  ['seconds where the other has none', at(10n, 10_900n), at(12n), 2],
  ['a second for none', at(10n, 10_500n), at(10n, 10_500n), 1],
  ['a second for none, without milliseconds', at(10n), at(10n), 1],
  ['a second for a clock that goes back', at(10n), at(9n), 1],
])('%s', (_, before, block, seconds) => {
  expect(Rates.seconds(before, block)).toBe(seconds)
  expect(Rates.of(5n, before, block)).toBe(5 / seconds)
})

test('the time in milliseconds', () => {
  expect(Rates.milliseconds(at(10n))).toBe(10_000n)
  expect(Rates.milliseconds(at(10n, 10_999n))).toBe(10_999n)
})
