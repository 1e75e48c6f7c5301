import { type FirnError, isFirnError } from '@firn/codec'
import type { StoreErrorCode } from '@firn/sql'
import { DataApiError, type DataApiErrorCode, isDataApiError, STATUS } from './endpoint/DataApiError.ts'
import * as Schema from './endpoint/Schema.ts'

/** When each code occurs. */
const OCCURRENCES: { readonly [Code in DataApiErrorCode]: string } = {
  DATA_PARAMETER: 'a parameter or the body is invalid',
  DATA_PAGE_TOKEN: 'the page token does not belong to this list, or a reorg replaced its blocks',
  DATA_CONFLICT: 'the transaction has no message that validators can sign',
  DATA_KEY: 'the API key is unknown or revoked',
  DATA_SCOPE: 'the API key does not have the scope of the endpoint',
  DATA_ROUTE: 'no endpoint has this path',
  DATA_NOT_FOLLOWED: 'the service does not follow the C-chain; `reason` is C_CHAIN_NOT_FOLLOWED',
  DATA_NOT_FOUND: 'the requested object does not exist',
  DATA_GONE: 'the requested changes were removed; continue from `oldestCursor`',
  DATA_BODY_TOO_LARGE: 'the request body is too large',
  DATA_RATE_LIMIT: 'the compute units of the caller are spent; wait for the seconds in `retry-after`',
  DATA_INTERNAL: 'a defect of the service; the log of the service has the request id',
  DATA_CONFIGURATION: 'the service is not configured for this request',
  DATA_UPSTREAM: 'the signature aggregator or a node failed',
  DATA_UNAVAILABLE: 'the data cannot be read now; wait for the seconds in `retry-after`',
}

const members = {
  message: Schema.text(
    'What happened, and what to do',
    'pageSize: expected a whole number from 1 to 100, got "0"',
  ),
  error: Schema.text('Reason phrase of the status', 'Bad Request'),
  statusCode: Schema.integer('HTTP status', 400),
  reason: Schema.optional(
    Schema.text('C_CHAIN_NOT_FOLLOWED if the service has no data of the C-chain', 'C_CHAIN_NOT_FOLLOWED'),
  ),
  oldestCursor: Schema.optional(
    Schema.text('Cursor of the oldest kept change, if the requested changes were removed', '1042'),
  ),
  report: Schema.optional(Schema.any('Result of each validator, for the signature aggregator', {})),
}

/** Schema of the body of every error response. */
export const ErrorBody: Schema.ObjectSchema = Schema.object('ErrorResponse', 'An error', members, [
  'reason',
  'oldestCursor',
  'report',
])

/** Documentation of the errors with one HTTP status. */
export interface StatusErrors {
  readonly status: number
  readonly description: string
  readonly codes: readonly DataApiErrorCode[]
  readonly schema: Schema.ObjectSchema
}

/** Returns the documentation of all errors, by HTTP status. */
export function statuses(): readonly StatusErrors[] {
  const codes = Object.keys(STATUS) as DataApiErrorCode[]
  return [...Map.groupBy(codes, (code) => STATUS[code][0])].map(([status, some]) => {
    const [, phrase] = STATUS[some[0] as DataApiErrorCode]
    const description = some.map((code) => `${code}: ${OCCURRENCES[code]}.`).join(' ')
    const own = {
      ...members,
      message: Schema.text('What happened, and what to do', `${OCCURRENCES[some[0] as DataApiErrorCode]}`),
      error: Schema.constant(phrase, 'Reason phrase of the status'),
      statusCode: Schema.integer('HTTP status', status, { const: status }),
    }
    const name = phrase.replaceAll(' ', '')
    return {
      status,
      description,
      codes: some,
      schema: Schema.object(name, phrase, own, ['reason', 'oldestCursor', 'report']),
    }
  })
}

/** Body of an error response. */
interface ErrorText {
  readonly message: string
  readonly error: string
  readonly statusCode: number
  readonly reason?: string
  readonly oldestCursor?: string
  readonly report?: unknown
}

/**
 * Returns the body of an error response. For an unexpected error, the body omits the message, which is only
 * logged.
 */
export function of(error: unknown): ErrorText {
  const known = translate(error)
  const [statusCode, name] = STATUS[known.code]
  const { report, reason, oldestCursor } = known.details
  const further = {
    ...(typeof reason === 'string' && { reason }),
    ...(typeof oldestCursor === 'string' && { oldestCursor }),
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
  if (code === 'HTTP_FORWARDED') return new DataApiError('DATA_PARAMETER', String(message), { cause: error })
  if (isFirnError(error) && Object.hasOwn(STORE, error.code))
    return STORE[error.code as StoreErrorCode](error)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new DataApiError('DATA_PARAMETER', `request: ${message}`, { cause: error })
  }
  return internal(error)
}

type Translate = (error: FirnError) => DataApiError

const internal = (cause: unknown): DataApiError =>
  new DataApiError('DATA_INTERNAL', 'internal error; look for the request id in the service log', { cause })

/** Returns a translation for failures that pass, or that other replicas may not have. */
const unavailable =
  (message?: string): Translate =>
  (cause) =>
    new DataApiError('DATA_UNAVAILABLE', message ?? cause.message, { cause })

/** How each error of the database is answered. */
const STORE: Readonly<Record<StoreErrorCode, Translate>> = {
  STORE_UNAVAILABLE: unavailable('the database does not respond; try again later'),
  STORE_TIMEOUT: unavailable(
    'the database query took too long; request less data at once or try again later',
  ),
  STORE_READ_ONLY: unavailable(
    'the database of this replica is read-only; send the request to another replica',
  ),
  STORE_EMPTY: unavailable('no block is indexed yet; try again later'),
  STORE_SCHEMA: unavailable(
    'the tables belong to another version of this service; send the request to another replica',
  ),
  STORE_HALTED: unavailable(),
  STORE_UNINDEXED: unavailable(),
  STORE_PRUNED: (cause) => {
    const details = { oldestCursor: String(cause.details['oldest']) }
    return new DataApiError('DATA_GONE', `cursor: ${cause.message}`, { cause, details })
  },
  // A row or a statement is missing or wrong.
  STORE_CORRUPT: internal,
  STORE_QUERY: internal,
  // These concern the start of a service, and writers.
  STORE_FENCED: internal,
  STORE_CURSOR: internal,
  STORE_BLOCK: internal,
  STORE_IN_USE: internal,
  STORE_NETWORK: internal,
  STORE_UPGRADES: internal,
  STORE_C_CHAIN: internal,
  STORE_X_CHAIN: internal,
  STORE_NETWORKS: internal,
  STORE_SNAPSHOT: internal,
  STORE_CITUS: internal,
}
