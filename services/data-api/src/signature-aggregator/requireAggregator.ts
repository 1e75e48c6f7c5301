import type { Aggregate } from '../AggregatorClient.ts'
import type { DataContext } from '../Context.ts'
import { DataApiError } from '../DataApiError.ts'

/** Longer than an aggregator's default, which then reports the reasons of its failures itself. */
export const AGGREGATE_TIMEOUT_MS = 60_000

/**
 * Returns the signature aggregator behind this service.
 * @throws DataApiError `DATA_UNAVAILABLE`
 */
export function requireAggregator({ aggregate }: Pick<DataContext, 'aggregate'>): Aggregate {
  if (aggregate !== undefined) return aggregate
  throw new DataApiError(
    'DATA_UNAVAILABLE',
    'no signature aggregator is configured; the operator can set one with --aggregator-url',
  )
}
