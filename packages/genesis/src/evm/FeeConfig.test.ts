import { describe, expect, it } from 'vitest'
import * as FeeConfig from './FeeConfig.ts'

const EMPTY = FeeConfig.read({}, '')

describe('FeeConfig.toJSON and isEmpty', () => {
  it('omits missing parameters and a block rate of 0', () => {
    expect(FeeConfig.toJSON(EMPTY)).toEqual({})
    expect(FeeConfig.toJSON({ ...EMPTY, minBlockGasCost: 0n })).toEqual({ minBlockGasCost: 0n })
    expect(FeeConfig.toJSON({ ...EMPTY, targetBlockRate: 1n })).toEqual({ targetBlockRate: 1n })
  })

  it('returns whether all parameters are missing', () => {
    expect(FeeConfig.isEmpty(EMPTY)).toBe(true)
    expect(FeeConfig.isEmpty({ ...EMPTY, minBlockGasCost: 0n })).toBe(false)
    expect(FeeConfig.isEmpty({ ...EMPTY, targetBlockRate: 1n })).toBe(false)
  })
})

describe('FeeConfig.assertValid', () => {
  const check = (change: Partial<FeeConfig.FeeConfig>) => () =>
    FeeConfig.assertValid({ ...FeeConfig.DEFAULT, ...change })
  const [word, u64] = [2n ** 256n, 2n ** 64n]

  it.each<[keyof FeeConfig.FeeConfig, bigint, bigint]>([
    ['gasLimit', 1n, word],
    ['targetBlockRate', 1n, word],
    ['minBaseFee', 0n, word],
    ['targetGas', 1n, word],
    ['baseFeeChangeDenominator', 1n, word],
    ['minBlockGasCost', 0n, 1_000_001n],
    ['maxBlockGasCost', 0n, u64],
    ['blockGasCostStep', 0n, word],
  ])('accepts %s from %i to below %i', (field, least, above) => {
    const refused = expect.objectContaining({
      code: 'GENESIS_EVM_FEES',
      details: expect.objectContaining({ field }),
    })
    expect(check({ [field]: least })).not.toThrow()
    expect(check({ [field]: above - 1n })).not.toThrow()
    expect(check({ [field]: least - 1n })).toThrow(refused)
    expect(check({ [field]: above })).toThrow(refused)
    expect(check({ [field]: undefined })).toThrow(refused)
  })
})
