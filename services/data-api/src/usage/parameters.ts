import * as Parameter from '../http/endpoint/Parameter.ts'

/** Maximum number of values in one answer, about 25 MB. */
export const MOST_VALUES = 100_000

/** Parameter for a name by which requests are counted. */
export const name = Parameter.text('1 to 128 characters', (text) =>
  /^[\x20-\x7e]{1,128}$/.test(text) ? text : undefined,
)

/** Parameter for an HTTP status code. */
export const code = Parameter.text('a response code from 100 to 599', (text) =>
  /^[1-5][0-9]{2}$/.test(text) ? Number(text) : undefined,
)

/**
 * Rejects answers with too many values.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function assertFew(values: readonly unknown[]): void {
  if (values.length <= MOST_VALUES) return
  const expected = `a range with at most ${MOST_VALUES} values`
  throw Parameter.refused('startTimestamp', expected, 'more values; shorten the range or add filters')
}
