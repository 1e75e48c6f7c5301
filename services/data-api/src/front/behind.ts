import { DataApiError } from '../DataApiError.ts'

/**
 * Returns the error of a request for a state that this replica has not reached yet, such as the standby of a
 * database that lags behind its primary: 503, and the same request works once the replica has caught up.
 * `needed` and `reached` name the states, such as `block 120`.
 */
export function behind(parameter: string, needed: string, reached: string): DataApiError {
  const message = `${parameter}: needs ${needed}, but this replica has only reached ${reached}. Try again in a moment.`
  return new DataApiError('DATA_UNAVAILABLE', message, { details: { needed, reached } })
}
