import { expect, test } from 'vitest'
import * as Rates from './Rates.ts'

const at = (timestamp: bigint, timestampMilliseconds?: bigint) => ({ timestamp, timestampMilliseconds })

test.each([
  ['milliseconds if both blocks have them', at(10n, 10_000n), at(11n, 11_250n), 1.25],
  ['seconds if the first block has no milliseconds', at(10n), at(12n, 12_900n), 2],
  ['seconds if the second block has no milliseconds', at(10n, 10_900n), at(12n), 2],
  ['one second if the times are equal', at(10n, 10_500n), at(10n, 10_500n), 1],
  ['one second if the times are equal, without milliseconds', at(10n), at(10n), 1],
  ['one second if the clock goes back', at(10n), at(9n), 1],
])('calculates the time between two blocks as %s', (_, before, block, seconds) => {
  expect(Rates.seconds(before, block)).toBe(seconds)
  expect(Rates.of(5n, before, block)).toBe(5 / seconds)
})

test('returns the time of a block in milliseconds, even if the block has its time only in seconds', () => {
  expect(Rates.milliseconds(at(10n))).toBe(10_000n)
  expect(Rates.milliseconds(at(10n, 10_999n))).toBe(10_999n)
})
