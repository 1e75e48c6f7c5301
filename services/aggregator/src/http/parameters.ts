import type { TObject } from 'typebox'
import { AggregatorError } from '../errors/AggregatorError.ts'

/**
 * Throws if a query has a parameter that the route does not know, because a filter with a misspelled name would
 * otherwise be ignored.
 * @throws AggregatorError `AGGREGATOR_FIELD`
 */
export function assertParameters(query: Readonly<Record<string, unknown>>, { properties }: TObject): void {
  const unknown = Object.keys(query).find((name) => !Object.hasOwn(properties, name))
  if (unknown === undefined) return
  const known = Object.keys(properties).join(', ')
  throw new AggregatorError(
    'AGGREGATOR_FIELD',
    `${unknown}: expected one of the parameters ${known}, got an unknown parameter`,
    { details: { field: unknown } },
  )
}
