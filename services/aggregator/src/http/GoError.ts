import { isFirnError } from '@firn/codec'
import * as ErrorTable from '../errors/ErrorTable.ts'
import { reportOf } from '../signing/Quorum.ts'
import type { GoRequest, GoText } from './GoRequest.ts'

const PROPOSED = 2n ** 64n - 1n
const FAILED = 'failed to aggregate signatures. error: '
const UNCONNECTED = `${FAILED}failed to connect to a threshold of stake`
const UNSIGNED = `${FAILED}failed to collect a threshold of signatures`
const NO_SET = `${FAILED}Failed to fetch connected canonical validators: `

/** Statuses of errors that the Go service does not have, such as a missing API key. */
const OWN_STATUSES: readonly number[] = [401, 403, 404, 413, 429]

/** Name of the response header with the reason of an error on the Go service's route. */
export const REASON_HEADER = 'firn-reason'
/** Maximum length of the header. Clients and proxies limit the headers of a response. */
const MAX_REASON = 1_000

/** An error response of `POST /aggregate-signatures`. */
export interface GoError {
  readonly status: number
  /** The whole body, with the wording of the Go service. */
  readonly body: { readonly error: string }
  /** Says what to change, in printable ASCII. It is sent as a header, because the Go service's body has one member. */
  readonly reason: string
}

/**
 * Returns the response to an error on the Go service's route. The status is 400 for unreadable input and 500
 * for later failures. The Go service has neither API keys nor limits, so errors about them keep the status of this
 * service. `request` is undefined if the request could not be read.
 */
export function toGoError(error: unknown, request?: GoRequest): GoError {
  const { message: text, statusCode } = ErrorTable.toBody(error)
  const message = withNames(text, request)
  const reason = toHeader(message)
  if (
    OWN_STATUSES.includes(statusCode) ||
    ErrorTable.codeOf(error) === 'AGGREGATOR_BUSY' ||
    isProxyError(error)
  )
    return { status: statusCode, body: { error: message }, reason }
  const unreadable = unreadableText(error)
  if (unreadable !== undefined) return { status: 400, body: { error: unreadable }, reason }
  return { status: 500, body: { error: failureText(error, request) ?? FAILED + message }, reason }
}

/** Returns whether the request did not pass all proxies of `--proxies`. */
function isProxyError(error: unknown): boolean {
  return detailsOf(error)['field'] === 'x-forwarded-for'
}

/** Returns a text as the value of a header, which can only contain printable ASCII characters. */
function toHeader(text: string): string {
  return text
    .replaceAll('’', "'")
    .replace(/[^ -~]/g, '?')
    .slice(0, MAX_REASON)
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
