import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'

const none = Schema.struct({})

/**
 * Gas per byte, database read, database write and microsecond of compute: a list in JSON, and `Gas.Dimensions` of
 * `@firn/txs` in TypeScript.
 */
export const GasWeights = Schema.tuple({
  bandwidth: Schema.bigInteger,
  dbRead: Schema.bigInteger,
  dbWrite: Schema.bigInteger,
  compute: Schema.bigInteger,
})

/**
 * The P-chain's methods for fees; part of {@link PlatformMethods}. Numbers in their results are JSON numbers,
 * not strings.
 */
export const PlatformFeeMethods = {
  /** Returns the fee configuration. */
  'platform.getFeeConfig': {
    params: none,
    result: Schema.struct({
      weights: GasWeights,
      maxCapacity: Schema.bigInteger,
      maxPerSecond: Schema.bigInteger,
      targetPerSecond: Schema.bigInteger,
      minPrice: Schema.bigInteger,
      excessConversionConstant: Schema.bigInteger,
    }),
  },
  /** Returns the current state of dynamic fees. `price` is in nAVAX per unit of gas. */
  'platform.getFeeState': {
    params: none,
    result: Schema.struct({
      capacity: Schema.bigInteger,
      excess: Schema.bigInteger,
      price: Schema.bigInteger,
      timestamp: Schema.time,
    }),
  },
  'platform.getValidatorFeeConfig': {
    params: none,
    result: Schema.struct({
      capacity: Schema.bigInteger,
      target: Schema.bigInteger,
      minPrice: Schema.bigInteger,
      excessConversionConstant: Schema.bigInteger,
    }),
  },
  /**
   * Returns the current state of L1 validator fees. `price` is in nAVAX per second for each active L1
   * validator.
   */
  'platform.getValidatorFeeState': {
    params: none,
    result: Schema.struct({
      excess: Schema.bigInteger,
      price: Schema.bigInteger,
      timestamp: Schema.time,
    }),
  },
} satisfies MethodTable
