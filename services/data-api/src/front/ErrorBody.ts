import { isFirnError } from '@firn/codec'
import { Type } from 'typebox'
import { DataApiError, isDataApiError, STATUS } from '../DataApiError.ts'

/** The body of every refused or failed request. */
export const ErrorBody = Type.Object({
  message: Type.String({ description: 'what was expected, what was received, and where' }),
  error: Type.String({ description: 'the status in words' }),
  statusCode: Type.Integer(),
  report: Type.Optional(
    Type.Unknown({ description: 'for the signature aggregator: the outcome for every validator' }),
  ),
})

/** Returns the body of an error. The text of an unexpected error goes only to the log. */
export function of(error: unknown): Type.Static<typeof ErrorBody> {
  const known = translate(error)
  const [statusCode, name] = STATUS[known.code]
  const report = known.details['report']
  return { message: known.message, error: name, statusCode, ...(report === undefined ? {} : { report }) }
}

/**
 * Returns an error in this service's own terms: those of the HTTP framework and of the database are
 * translated.
 */
export function translate(error: unknown): DataApiError {
  if (isDataApiError(error)) return error
  const { code, statusCode, message } = error as { code?: string; statusCode?: number; message?: string }
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return new DataApiError('DATA_PARAMETER', 'path: expected valid text within the length limit', {
      cause: error,
    })
  }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new DataApiError('DATA_BODY_TOO_LARGE', 'body: it is larger than this service accepts', {
      cause: error,
    })
  }
  if (isFirnError(error) && error.code === 'STORE_UNAVAILABLE') {
    return new DataApiError('DATA_UNAVAILABLE', 'the database does not answer; try again later', {
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
    const message = 'the database takes too long for this; request less at once, or try again later'
    return new DataApiError('DATA_UNAVAILABLE', message, { cause: error })
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new DataApiError('DATA_PARAMETER', `request: ${message}`, { cause: error })
  }
  return new DataApiError(
    'DATA_INTERNAL',
    "internal error; the service's log has details under the request id",
    {
      cause: error,
    },
  )
}
