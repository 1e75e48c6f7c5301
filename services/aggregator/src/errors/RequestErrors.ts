import type { Logger } from '@firn/runtime'
import { AggregatorError } from './AggregatorError.ts'
import * as ErrorTable from './ErrorTable.ts'

/** Converts errors of the HTTP framework to errors of this service. Returns other errors unchanged. */
export function toAggregatorError(error: unknown): unknown {
  if (ErrorTable.codeOf(error) !== 'AGGREGATOR_INTERNAL') return error
  const { code, statusCode, message } = error as { code?: string; statusCode?: number; message?: string }
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return new AggregatorError('AGGREGATOR_ROUTE', 'the path cannot be decoded', { cause: error })
  }
  if (code === 'HTTP_FORWARDED') {
    const details = { field: 'x-forwarded-for' }
    return new AggregatorError('AGGREGATOR_BODY', String(message), { details, cause: error })
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AggregatorError('AGGREGATOR_BODY', `body: ${message}`, {
      details: { field: 'body' },
      cause: error,
    })
  }
  return error
}

/**
 * Logs internal errors of this service at the level `error`. All other errors are caused by the caller or the
 * network, and are logged at a lower level.
 */
export function logError({ log }: { readonly log: Logger }, error: unknown): void {
  const code = ErrorTable.codeOf(toAggregatorError(error))
  if (ErrorTable.TABLE[code].status === 500) log.error({ err: error, code }, 'request failed')
  else log.info({ code, reason: (error as Error).message }, 'request rejected')
}
