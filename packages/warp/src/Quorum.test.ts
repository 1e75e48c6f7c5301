import { describe, expect, test } from 'vitest'
import * as Quorum from './Quorum.ts'
import { cases } from './testing/vectors.ts'

interface Golden {
  readonly signed: string
  readonly total: string
  readonly quorumNum: string
  readonly quorumDen: string
  readonly error: string | null
}

test.each(cases<Golden>('verifyWeight'))(
  'decides like the reference whether $signed of $total meets $quorumNum/$quorumDen',
  (golden) => {
    const met = Quorum.isMet(
      BigInt(golden.signed),
      BigInt(golden.total),
      BigInt(golden.quorumNum),
      BigInt(golden.quorumDen),
    )
    expect(met).toBe(golden.error === null)
  },
)

describe('needed', () => {
  test.each<[bigint, number | bigint, bigint]>([
    [100n, 67, 67n],
    [101n, 67, 68n],
    [1n, 1, 1n],
    [3n, 67, 3n],
    [0n, 67, 0n],
    [7n, 0, 0n],
    [7n, 100n, 7n],
    [2n ** 64n - 1n, 67n, 12359318529385399583n],
  ])(
    'maps the total weight %s and a quorum of %s %% to the required weight %s',
    (total, percentage, needed) => {
      expect(Quorum.needed(total, percentage)).toBe(needed)
      expect(Quorum.isMet(needed, total, BigInt(percentage))).toBe(true)
      if (needed > 0n) expect(Quorum.isMet(needed - 1n, total, BigInt(percentage))).toBe(false)
    },
  )
})

test('needs no signature for a quorum of 0, or for any quorum of a validator set without weight', () => {
  expect(Quorum.isMet(0n, 100n, 0n, 1n)).toBe(true)
  expect(Quorum.isMet(0n, 0n, 67n)).toBe(true)
  expect(Quorum.isMet(0n, 1n, 1n)).toBe(false)
})

test('converts a percentage to a quorum', () => {
  expect(Quorum.percent(67)).toEqual(Quorum.DEFAULT)
  expect(Quorum.percent(0n)).toEqual({ numerator: 0n, denominator: 100n })
  expect(Quorum.percent(100)).toEqual({ numerator: 100n, denominator: 100n })
})

test.each([-1, 101, 67.5, Number.NaN, Number.POSITIVE_INFINITY, -1n, 101n, '67', null, undefined])(
  'rejects %s percent as a quorum',
  (percentage) => {
    const error = expect.objectContaining({ code: 'WARP_QUORUM' })
    expect(() => Quorum.percent(percentage as number)).toThrow(error)
    expect(() => Quorum.percent(percentage as number)).toThrow(
      'a whole number of percent from 0 to 100, got ',
    )
    if (Number(percentage) !== 101) expect(() => Quorum.needed(1n, percentage as number)).toThrow(error)
  },
)
