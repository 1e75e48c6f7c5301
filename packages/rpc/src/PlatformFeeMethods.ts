import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'

const none = Schema.struct({})

/**
 * The P-chain's methods for fees; part of {@link PlatformMethods}. Numbers in their results are JSON numbers,
 * not strings.
 */
export const PlatformFeeMethods = {
  /**
   * Returns the fee configuration. `weights` are the gas costs of one byte, one database read, one database
   * write and one microsecond of compute, in this order.
   */
  'platform.getFeeConfig': {
    params: none,
    result: Schema.struct({
      weights: Schema.array(Schema.bigInteger),
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
