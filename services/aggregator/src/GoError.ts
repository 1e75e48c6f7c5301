import { isFirnError } from '@firn/codec'
import * as ErrorTable from './ErrorTable.ts'
import { reportOf } from './Quorum.ts'
import type { Rule } from './RequestBody.ts'

const FAILED = 'failed to aggregate signatures. error:'

/**
 * The Go service's error texts, by field and by the rule that the field violates. Clients of the Go service
 * may compare these texts.
 */
const FIELD_TEXTS: readonly (readonly [field: RegExp, rules: readonly Rule[], text: string])[] = [
  [/^message$/, ['hex'], 'Could not decode message'],
  [/^justification$/, ['hex'], 'Could not decode justification'],
  [/^message$/, ['absent'], 'Must provide either message or justification'],
  [/^quorum-percentage$/, ['range'], 'Invalid quorum number'],
  [/^quorum-percentage-buffer$/, ['range', 'sum'], 'Invalid quorum buffer number'],
  [/^signing-subnet-id$/, ['id'], 'Error parsing signing subnet ID'],
  [/^x-request-timeout-ms$/, ['shape'], 'Invalid x-request-timeout-ms header'],
]

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
 * service.
 */
export function toGoError(error: unknown): { readonly status: number; readonly body: GoErrorBody } {
  const { message, statusCode } = ErrorTable.toBody(error)
  const code = ErrorTable.codeOf(error)
  if (code === 'AGGREGATOR_BODY' || code === 'AGGREGATOR_FIELD' || code === 'AGGREGATOR_MESSAGE') {
    return { status: 400, body: { error: inputText(error), message } }
  }
  if (code === 'AGGREGATOR_NETWORK_ID')
    return { status: 400, body: { error: 'Error unpacking warp message', message } }
  if (
    statusCode === 401 ||
    statusCode === 403 ||
    statusCode === 404 ||
    statusCode === 413 ||
    statusCode === 429
  ) {
    return { status: statusCode, body: { error: message, message } }
  }
  return { status: 500, body: { error: `${FAILED} ${cause(error, message)}`, message } }
}

function inputText(error: unknown): string {
  const details = isFirnError(error) ? error.details : {}
  const field = String(details['field'] ?? 'body')
  const rule = details['rule'] as Rule | undefined
  const found = FIELD_TEXTS.find(
    ([name, rules]) => rule !== undefined && name.test(field) && rules.includes(rule),
  )
  if (found !== undefined) return found[2]
  return ErrorTable.codeOf(error) === 'AGGREGATOR_MESSAGE'
    ? 'Error unpacking warp message'
    : 'Could not decode request body'
}

function cause(error: unknown, message: string): string {
  const code = ErrorTable.codeOf(error)
  if (code === 'AGGREGATOR_CHAIN_UNKNOWN' && isFirnError(error)) {
    return `source blockchain not found for chain ID ${String(error.details['chainId'])}`
  }
  const report = reportOf(error)
  if (report === undefined) return message
  const isUnreachable =
    report.reasons.find(({ outcome }) => outcome !== 'not-asked')?.outcome === 'not-connected'
  return `failed to ${isUnreachable ? 'connect to a threshold of stake' : 'collect a threshold of signatures'}: ${message}`
}
