import { StoreError } from '@firn/sql'

/** Maximum value of an SQL `bigint`. */
const MAX_INT8 = 2n ** 63n - 1n

/**
 * Returns a value of a block that is stored as an SQL `bigint`.
 * @throws StoreError `STORE_BLOCK` if it does not fit
 */
export function fitting(value: bigint, height: bigint, field: string): bigint {
  if (value <= MAX_INT8) return value
  const details = { height, field, expected: `at most ${MAX_INT8}`, actual: value }
  throw new StoreError('STORE_BLOCK', `block ${height}: expected ${field} below 2^63, got ${value}`, {
    details,
  })
}
