import type { MethodTable } from './MethodTable.ts'
import * as Schema from './Schema.ts'

const none = Schema.struct({})

/** What the P-chain tells of its fees; part of {@link PlatformMethods}. Numbers are bare here, unlike elsewhere. */
export const PlatformFeeMethods = {
  /** `weights` of a byte, a database read, a database write and a microsecond of computing, in this order. */
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
  /** `price` in nAVAX for a unit of gas. */
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
  /** `price` in nAVAX for an active L1 validator and second. */
  'platform.getValidatorFeeState': {
    params: none,
    result: Schema.struct({
      excess: Schema.bigInteger,
      price: Schema.bigInteger,
      timestamp: Schema.time,
    }),
  },
} satisfies MethodTable
