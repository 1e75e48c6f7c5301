import { DataApiError } from '../DataApiError.ts'

/**
 * Returns the error of a request for a state that this replica has not reached yet, as the standby of a database that lags behind its
 * primary: 503, and the same request works once the replica has caught up. `wanted` and `here` say which states, such as `block 120`.
 */
export function behind(parameter: string, wanted: string, here: string): DataApiError {
  const message = `${parameter}: it is of ${wanted}, and this replica is at ${here}; it may lag behind another one, so try again in a moment`
  return new DataApiError('DATA_UNAVAILABLE', message, { details: { wanted, here } })
}
