import { isFirnError } from '@firn/codec'
import * as ErrorTable from './ErrorTable.ts'
import type { GoRequest, GoText } from './GoRequest.ts'
import { reportOf } from './Quorum.ts'

const PROPOSED = 2n ** 64n - 1n
const FAILED = 'failed to aggregate signatures. error: '
const UNCONNECTED = `${FAILED}failed to connect to a threshold of stake`
const UNSIGNED = `${FAILED}failed to collect a threshold of signatures`
const NO_SET = `${FAILED}Failed to fetch connected canonical validators: `

/** Statuses of errors that the Go service does not have, such as a missing API key. */
const OWN_STATUSES: readonly number[] = [401, 403, 404, 413, 429]

/**
 * Body of an error response of `POST /aggregate-signatures`. `error` has the wording of the Go service, and
 * `message` says what to change.
 */
export interface GoErrorBody {
  readonly error: string
  readonly message: string
}

/**
 * Returns the status and body of an error on the Go service's route. The status is 400 for unreadable input and 500
 * for later failures. The Go service has neither API keys nor limits, so errors about them keep the status of this
 * service. `request` is undefined if the request could not be read.
 */
export function toGoError(
  error: unknown,
  request?: GoRequest,
): { readonly status: number; readonly body: GoErrorBody } {
  const { message: text, statusCode } = ErrorTable.toBody(error)
  const message = withNames(text, request)
  if (OWN_STATUSES.includes(statusCode) || ErrorTable.codeOf(error) === 'AGGREGATOR_BUSY')
    return { status: statusCode, body: { error: message, message } }
  const unreadable = unreadableText(error)
  if (unreadable !== undefined) return { status: 400, body: { error: unreadable, message } }
  return { status: 500, body: { error: failureText(error, request) ?? FAILED + message, message } }
}

/** Replaces the names of fields on the other route with the names that the caller used. */
function withNames(message: string, request: GoRequest | undefined): string {
  if (request === undefined) return message
  return message.replace(
    /\b(?:signingSubnetId|pChainHeight)\b/,
    (name) => request.spelling[name as 'pChainHeight'],
  )
}

function detailsOf(error: unknown): Readonly<Record<string, unknown>> {
  return isFirnError(error) ? error.details : {}
}

/** Returns the text for a request that the Go service cannot read either; undefined for other errors. */
function unreadableText(error: unknown): GoText | undefined {
  const code = ErrorTable.codeOf(error)
  const { goText, field } = detailsOf(error)
  if (goText !== undefined) return goText as GoText
  if (code === 'AGGREGATOR_BODY') return 'Could not decode request body'
  const isMessage =
    code === 'AGGREGATOR_MESSAGE' || (code === 'AGGREGATOR_SUBNET_UNKNOWN' && field !== undefined)
  return isMessage ? 'Error unpacking warp message' : undefined
}

/** Returns the text of a failure that the Go service has as well; undefined for other errors. */
function failureText(error: unknown, request: GoRequest | undefined): string | undefined {
  const details = detailsOf(error)
  const asked = request?.request.height ?? 'proposed'
  const height = asked === 'proposed' ? PROPOSED : asked
  switch (ErrorTable.codeOf(error)) {
    case 'AGGREGATOR_CHAIN_UNKNOWN':
      return `${FAILED}source blockchain not found for chain ID ${String(details['chainId'])}`
    case 'AGGREGATOR_SUBNET_UNKNOWN':
      return `${NO_SET}no validators for subnet ${String(details['subnetId'])} at P-Chain height ${height}`
    case 'AGGREGATOR_HEIGHT':
      return `${NO_SET}failed to get all validators at P-Chain height ${height}: ${heightText(height, details)}`
    case 'AGGREGATION_QUORUM_NOT_REACHED':
    case 'AGGREGATION_QUORUM_IMPOSSIBLE':
      return isConnected(error) ? UNSIGNED : UNCONNECTED
    case 'AGGREGATOR_NETWORK_ID':
    case 'AGGREGATOR_TIMEOUT':
    case 'AGGREGATION_ABORTED':
      return UNSIGNED
    default:
      return undefined
  }
}

function heightText(height: bigint, { tip, maxLookback }: Readonly<Record<string, unknown>>): string {
  if (maxLookback !== undefined) {
    return `requested P-Chain height ${height} is beyond the max lookback of ${maxLookback} from latest height ${tip}`
  }
  return (
    `failed to get all validators at height ${height}: failed to decode client response: ` +
    `failed to get validator sets at ${height}: failed to fetch validator set at unfinalized height: ` +
    `current P-chain height (${tip}) < requested P-Chain height (${height})`
  )
}

/** Returns whether enough weight for the quorum was connected. */
function isConnected(error: unknown): boolean {
  const report = reportOf(error)
  if (report === undefined) return true
  const connected = report.validators.filter(({ outcome }) => outcome !== 'not-connected')
  return connected.reduce((sum, { weight }) => sum + weight, 0n) >= report.neededWeight
}
