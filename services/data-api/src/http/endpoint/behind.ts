import { DataApiError } from './DataApiError.ts'

/**
 * Creates the 503 error for a request that needs a newer state than this replica has. This happens, for
 * example, on a standby that lags behind its primary. The same request succeeds once the replica has caught
 * up. `needed` and `reached` describe the states, such as `block 120`.
 */
export function behind(parameter: string, needed: string, reached: string): DataApiError {
  const message = `${parameter}: needs ${needed}, but this replica has only reached ${reached}; try again in a moment`
  return new DataApiError('DATA_UNAVAILABLE', message, { details: { needed, reached } })
}
