import type { AggregationErrorCode } from '@firn/aggregation'
import { isFirnError } from '@firn/codec'
import type { RpcErrorCode } from '@firn/rpc'
import type { AggregatorErrorCode } from './AggregatorError.ts'

/** The HTTP statuses that this service returns, with the name of each. */
export const STATUS_NAMES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Payload Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
} as const

/** An HTTP status of {@link STATUS_NAMES}. */
export type ErrorStatus = keyof typeof STATUS_NAMES

/** A row of the error table: the HTTP status of an error code, and when the error occurs. */
export interface Row {
  readonly status: ErrorStatus
  readonly when: string
}

/** The HTTP status of every error code. `docs/errors.md` contains the same rows. */
export const TABLE = {
  AGGREGATOR_BODY: { status: 400, when: 'the body is missing, is not JSON or is not an object' },
  AGGREGATOR_FIELD: { status: 400, when: 'a field is unknown, has the wrong type or is out of range' },
  AGGREGATOR_MESSAGE: {
    status: 400,
    when: 'message or justification is not hex or cannot be decoded, or both are missing',
  },
  AGGREGATOR_SIGNATURE: {
    status: 400,
    when: 'a signature that was handed in is wrong, or its signer is not a validator at the height',
  },
  AGGREGATOR_NETWORK_ID: { status: 400, when: 'the message is for another network' },
  AGGREGATOR_CHAIN_UNKNOWN: { status: 400, when: 'the message’s source chain is unknown' },
  AGGREGATOR_SUBNET_UNKNOWN: {
    status: 400,
    when: 'the signing subnet is unknown or has no validators at the height',
  },
  AGGREGATOR_HEIGHT: { status: 400, when: 'the height is in the future or beyond the lookback' },
  AGGREGATOR_CHAIN_NOT_CONFIGURED: {
    status: 400,
    when: 'the service has no node API for the chain that the request names; see `--chain-rpc`',
  },
  AGGREGATION_INPUT: { status: 400, when: 'the aggregation library rejected an argument' },
  AGGREGATOR_KEY: { status: 401, when: 'an API key is required, but the request has none or an unknown one' },
  AGGREGATOR_SUBNET_FORBIDDEN: { status: 403, when: 'the signing subnet is not on the allow list' },
  AGGREGATOR_CHAIN_FORBIDDEN: { status: 403, when: 'the source chain is not on the allow list' },
  AGGREGATOR_NETWORK: { status: 404, when: 'this process serves another network' },
  AGGREGATOR_ROUTE: { status: 404, when: 'the path does not exist, or does not support the method' },
  AGGREGATOR_MESSAGE_UNKNOWN: { status: 404, when: 'the message log does not contain the message' },
  AGGREGATOR_JOB_UNKNOWN: { status: 404, when: 'the job does not exist, or belongs to another API key' },
  AGGREGATOR_BODY_TOO_LARGE: {
    status: 413,
    when: 'the body exceeds the limit, or message and justification do not fit into a request to a validator',
  },
  AGGREGATOR_RATE_LIMIT: {
    status: 429,
    when: 'too many requests, or too many requests to validators; Retry-After says when to retry',
  },
  AGGREGATOR_CONFIGURATION: {
    status: 500,
    when: 'never in a response: the service does not start with an invalid configuration',
  },
  AGGREGATOR_INTERNAL: {
    status: 500,
    when: 'an internal error of this service; the log contains it with the request id',
  },
  AGGREGATION_VERIFICATION: {
    status: 500,
    when: 'the signed message failed verification and was not returned',
  },
  AGGREGATION_QUORUM_NOT_REACHED: {
    status: 502,
    when: 'too many validators were silent or unreachable until the deadline, or refused and may sign later; see `waitMs`',
  },
  AGGREGATION_QUORUM_IMPOSSIBLE: {
    status: 502,
    when: 'no quorum is possible, because too much weight refused, is inactive or unreachable',
  },
  AGGREGATION_ABORTED: { status: 503, when: 'the request timed out or was aborted by a shutdown' },
  AGGREGATOR_BUSY: {
    status: 503,
    when: 'too many requests are in progress; Retry-After says when to retry',
  },
  AGGREGATOR_UPSTREAM: {
    status: 503,
    when: 'the P-chain API failed, or the own ledger is not synced, and no fresh data is cached',
  },
  AGGREGATOR_UPSTREAM_DISAGREE: {
    status: 503,
    when: 'the P-chain APIs contradict each other, and fewer than `--agree` return the same data',
  },
  AGGREGATOR_UPSTREAM_STALE: {
    status: 503,
    when: 'the known validators are older than the configured limit',
  },
  AGGREGATOR_DATABASE: { status: 503, when: 'the database of the message log is unavailable or too slow' },
  AGGREGATOR_CHAIN_RPC: { status: 503, when: 'the node API of a chain in `--chain-rpc` failed' },
  AGGREGATOR_TIMEOUT: { status: 503, when: 'no result within the request time-out or the caller’s deadline' },
  AGGREGATOR_NOT_ACCEPTED: {
    status: 503,
    when: 'the source chain has not accepted the transaction or block in time',
  },
  AGGREGATOR_JOBS_FULL: { status: 503, when: 'too many unfinished jobs or event streams' },
  AGGREGATOR_CLOSING: { status: 503, when: 'the process is shutting down' },
  RPC_TRANSPORT: { status: 503, when: 'the P-chain API could not be reached' },
  RPC_TIMEOUT: { status: 503, when: 'the P-chain API did not respond in time' },
  RPC_ABORTED: { status: 503, when: 'a call to the P-chain API was aborted' },
  RPC_HTTP: { status: 503, when: 'the P-chain API responded with an HTTP error' },
  RPC_RESPONSE: { status: 503, when: 'the response of the P-chain API is malformed' },
  RPC_REMOTE: { status: 503, when: 'the P-chain API responded with an error' },
  RPC_SCHEMA: { status: 500, when: 'a call to the P-chain API had invalid arguments' },
} as const satisfies Record<AggregatorErrorCode | AggregationErrorCode | RpcErrorCode, Row>

/** The body of every error response, except on the Go service's route. */
export interface ErrorBody {
  readonly message: string
  readonly error: string
  readonly statusCode: ErrorStatus
}

/** Returns the error's code if {@link TABLE} contains the code, otherwise `AGGREGATOR_INTERNAL`. */
export function codeOf(error: unknown): keyof typeof TABLE {
  const code = isFirnError(error) ? error.code : ''
  return Object.hasOwn(TABLE, code) ? (code as keyof typeof TABLE) : 'AGGREGATOR_INTERNAL'
}

/** Returns the status and body of an error. The details of internal errors are only logged. */
export function toBody(error: unknown): ErrorBody {
  const { status } = TABLE[codeOf(error)]
  const message =
    status === 500 ? 'internal error; the log contains it with the request id' : (error as Error).message
  return { message, error: STATUS_NAMES[status], statusCode: status }
}

/** Returns the table in `docs/errors.md` as Markdown. */
export function markdownTable(): string {
  const rows = Object.entries(TABLE).map(
    ([code, { status, when }]) => `| ${status} ${STATUS_NAMES[status]} | \`${code}\` | ${when} |`,
  )
  return ['| status | code | when |', '| --- | --- | --- |', ...rows, ''].join('\n')
}
