import type { MethodLayouts } from '../Layout.ts'
import * as Layout from '../Layout.ts'

const none = Layout.struct({})

/**
 * Gas per byte, database read, database write and microsecond of compute: a list in JSON, and `Gas.Dimensions` of
 * `@firn/txs` in TypeScript.
 */
export const GasWeights = Layout.tuple({
  bandwidth: Layout.bigInteger,
  dbRead: Layout.bigInteger,
  dbWrite: Layout.bigInteger,
  compute: Layout.bigInteger,
})

/**
 * The P-chain's methods for fees; part of {@link PlatformMethods}. Numbers in their results are JSON numbers,
 * not strings.
 */
export const PlatformFeeMethods = {
  /** Returns the fee configuration. */
  'platform.getFeeConfig': {
    params: none,
    result: Layout.struct({
      weights: GasWeights,
      maxCapacity: Layout.bigInteger,
      maxPerSecond: Layout.bigInteger,
      targetPerSecond: Layout.bigInteger,
      minPrice: Layout.bigInteger,
      excessConversionConstant: Layout.bigInteger,
    }),
  },
  /** Returns the current state of dynamic fees. `price` is in nAVAX per unit of gas. */
  'platform.getFeeState': {
    params: none,
    result: Layout.struct({
      capacity: Layout.bigInteger,
      excess: Layout.bigInteger,
      price: Layout.bigInteger,
      timestamp: Layout.time,
    }),
  },
  'platform.getValidatorFeeConfig': {
    params: none,
    result: Layout.struct({
      capacity: Layout.bigInteger,
      target: Layout.bigInteger,
      minPrice: Layout.bigInteger,
      excessConversionConstant: Layout.bigInteger,
    }),
  },
  /**
   * Returns the current state of L1 validator fees. `price` is in nAVAX per second for each active L1
   * validator.
   */
  'platform.getValidatorFeeState': {
    params: none,
    result: Layout.struct({
      excess: Layout.bigInteger,
      price: Layout.bigInteger,
      timestamp: Layout.time,
    }),
  },
} satisfies MethodLayouts
