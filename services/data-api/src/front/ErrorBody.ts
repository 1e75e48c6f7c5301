import { isFirnError } from '@firn/codec'
import { Type } from 'typebox'
import { DataApiError, isDataApiError, STATUS } from '../DataApiError.ts'

/** Body of every error response. */
export const ErrorBody = Type.Object({
  message: Type.String({ description: 'description of the error' }),
  error: Type.String({ description: 'reason phrase of the status' }),
  statusCode: Type.Integer(),
  reason: Type.Optional(
    Type.String({ description: 'C_CHAIN_NOT_FOLLOWED if the service has no data of the C-chain' }),
  ),
  report: Type.Optional(
    Type.Unknown({ description: 'for the signature aggregator: the result of each validator' }),
  ),
})

/**
 * Returns the body of an error response. For an unexpected error, the body omits the message, which is only
 * logged.
 */
export function of(error: unknown): Type.Static<typeof ErrorBody> {
  const known = translate(error)
  const [statusCode, name] = STATUS[known.code]
  const { report, reason } = known.details
  const further = {
    ...(typeof reason === 'string' && { reason }),
    ...(report === undefined ? {} : { report }),
  }
  return { message: known.message, error: name, statusCode, ...further }
}

/**
 * Converts any error to a {@link DataApiError}, including errors of the HTTP framework and of the database.
 */
export function translate(error: unknown): DataApiError {
  if (isDataApiError(error)) return error
  const { code, statusCode, message } = error as { code?: string; statusCode?: number; message?: string }
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return new DataApiError(
      'DATA_PARAMETER',
      'path: expected valid percent-encoding and a shorter parameter',
      {
        cause: error,
      },
    )
  }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new DataApiError('DATA_BODY_TOO_LARGE', 'body: the request body is too large', {
      cause: error,
    })
  }
  if (isFirnError(error) && error.code === 'STORE_UNAVAILABLE') {
    return new DataApiError('DATA_UNAVAILABLE', 'the database does not respond; try again later', {
      cause: error,
    })
  }
  if (isFirnError(error) && error.code === 'STORE_HALTED') {
    return new DataApiError('DATA_UNAVAILABLE', error.message, { cause: error })
  }
  if (isFirnError(error) && error.code === 'STORE_EMPTY') {
    return new DataApiError('DATA_UNAVAILABLE', 'no block is indexed yet; try again later', { cause: error })
  }
  if (isFirnError(error) && error.code === 'STORE_TIMEOUT') {
    const message = 'the database query took too long; request less data at once or try again later'
    return new DataApiError('DATA_UNAVAILABLE', message, { cause: error })
  }
  if (isFirnError(error) && error.code === 'STORE_READ_ONLY') {
    const message = 'the database of this replica is read-only; send the request to another replica'
    return new DataApiError('DATA_UNAVAILABLE', message, { cause: error })
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new DataApiError('DATA_PARAMETER', `request: ${message}`, { cause: error })
  }
  return new DataApiError('DATA_INTERNAL', 'internal error; look for the request id in the service log', {
    cause: error,
  })
}
