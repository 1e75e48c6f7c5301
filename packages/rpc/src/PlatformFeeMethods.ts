import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'

const none = Schema.struct({})

/**
 * The P-chain's methods for fees, a part of {@link PlatformMethods}. Numbers are JSON numbers here, not
 * strings.
 */
export const PlatformFeeMethods = {
  /**
   * Returns the configuration of fees. `weights` are those of a byte, a database read, a database write and a
   * microsecond of compute, in this order.
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
  /** Returns the state of fees. `price` is in nAVAX per unit of gas. */
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
  /** Returns the state of validator fees. `price` is in nAVAX per active L1 validator and second. */
  'platform.getValidatorFeeState': {
    params: none,
    result: Schema.struct({
      excess: Schema.bigInteger,
      price: Schema.bigInteger,
      timestamp: Schema.time,
    }),
  },
} satisfies MethodTable
