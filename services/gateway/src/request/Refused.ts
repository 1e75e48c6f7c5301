import { isFirnError } from '@firn/codec'
import type { IpAddress } from '@firn/http'
import { type GatewayError, isGatewayError, REFUSALS, GatewayError as Refusal } from '../GatewayError.ts'
import type { Calls } from '../json-rpc/RequestReader.ts'
import type { GatewayContext } from './Context.ts'

/**
 * Converts any error to the error that callers receive. The message of an unexpected error is only logged and
 * not sent.
 */
export function asGatewayError(error: unknown): GatewayError {
  if (isGatewayError(error)) return error
  if (isFirnError(error) && error.code === 'HTTP_FORWARDED') {
    return new Refusal('GATEWAY_REQUEST', error.message, { cause: error })
  }
  return new Refusal('GATEWAY_UPSTREAM', 'internal error in the RPC gateway; retry later', { cause: error })
}

/** Returns the JSON-RPC error body. For a batch, the body contains one error for each call with an id. */
export function errorBody(error: GatewayError, calls: Calls | undefined): string {
  const { rpc: code } = REFUSALS[error.code]
  const text = (id: string) =>
    `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message: error.message })}}`
  if (calls === undefined) return text('null')
  const ids = calls.calls.flatMap(({ id }) => (id === undefined ? [] : [id]))
  if (calls.isBatch && ids.length > 0) return `[${ids.map(text).join(',')}]`
  return text(ids[0] ?? 'null')
}

/** Returns the number of seconds until a retry, rounded up. Returns undefined if the error contains no delay. */
export function retryAfter({ details }: GatewayError): string | undefined {
  const { retryAfterMs } = details
  return typeof retryAfterMs === 'number' ? String(Math.max(1, Math.ceil(retryAfterMs / 1000))) : undefined
}

/**
 * Counts a refusal that the caller has caused. Returns true if the caller must be disconnected because it
 * ignored too many refusals.
 */
export function isHungUpOn(
  { code }: GatewayError,
  keys: IpAddress.LimitKeys,
  { admission }: GatewayContext,
): boolean {
  const { counted } = REFUSALS[code]
  return counted >= 400 && counted < 500 && !admission.refuse(keys)
}
