import fc from 'fast-check'
import type { Codec } from '../binary/Codec.ts'

/**
 * Returns a generator of random values that `codec` can encode. `open` contains codecs of union variants that
 * may not occur.
 *
 * @example
 * ```ts
 * import { Codec } from '@firn/codec'
 * import { arbitrary } from '@firn/codec/testing'
 * import fc from 'fast-check'
 *
 * fc.assert(fc.property(arbitrary(Codec.u64), (value) => Codec.u64.decode(Codec.u64.encode(value)) === value))
 * ```
 */
export function arbitrary<T>(codec: Codec<T>, open?: readonly unknown[]): fc.Arbitrary<T> {
  return codec.arbitrary(fc, open) as fc.Arbitrary<T>
}
