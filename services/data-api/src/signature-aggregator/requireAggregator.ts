import { DataApiError } from '../http/endpoint/DataApiError.ts'
import type { DataContext } from '../primary/network/Context.ts'
import type { Aggregate } from '../upstream/AggregatorClient.ts'

/**
 * Timeout of aggregator requests. It is longer than the aggregator's own default timeout, because the
 * aggregator should be able to report the reason for a failure.
 */
export const AGGREGATE_TIMEOUT_MS = 60_000

/**
 * Returns the function that requests aggregated signatures.
 * @throws DataApiError `DATA_UNAVAILABLE` if no signature aggregator is configured
 */
export function requireAggregator({ aggregate }: Pick<DataContext, 'aggregate'>): Aggregate {
  if (aggregate !== undefined) return aggregate
  throw new DataApiError(
    'DATA_UNAVAILABLE',
    'no signature aggregator is configured; the operator can set one with --aggregator-url',
  )
}
