import { expect, test } from 'vitest'
import { feeRate, timeLeft } from './ValidatorFees.ts'

const block = (blockTimestamp: number, l1ValidatorsAccruedFees?: number) => ({
  blockTimestamp,
  l1ValidatorsAccruedFees,
})

test('computes the rate between the newest blocks with different times', () => {
  expect(feeRate([block(1_010, 7_120), block(1_010, 7_120), block(1_000, 2_000), block(900, 0)])).toBe(512)
})

test('returns no rate for one time only, or for blocks before the fees', () => {
  expect(feeRate([block(1_000, 512), block(1_000, 512)])).toBeUndefined()
  expect(feeRate([block(1_000), block(900)])).toBeUndefined()
  expect(feeRate([])).toBeUndefined()
})

test('divides the balance by the rate', () => {
  expect(timeLeft(1_327_104_000, 512)).toBe(2_592_000)
  expect(timeLeft(1_000, 0)).toBeUndefined()
  expect(timeLeft(1_000, undefined)).toBeUndefined()
})
