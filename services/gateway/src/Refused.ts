import type { GatewayContext } from './Context.ts'
import { type GatewayError, isGatewayError, REFUSALS, GatewayError as Refusal } from './GatewayError.ts'
import type { Calls } from './RequestReader.ts'

/** Returns an error as callers get it: the text of an unexpected error goes only to the log. */
export function asGatewayError(error: unknown): GatewayError {
  if (isGatewayError(error)) return error
  return new Refusal('GATEWAY_UPSTREAM', 'this service failed', { cause: error })
}

/** Returns the JSON-RPC error body: one error for each call that expects an answer, by its id. */
export function errorBody(error: GatewayError, calls: Calls | undefined): string {
  const { rpc: code } = REFUSALS[error.code]
  const text = (id: string) =>
    `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message: error.message })}}`
  if (calls === undefined) return text('null')
  const ids = calls.calls.flatMap(({ id }) => (id === undefined ? [] : [id]))
  if (calls.isBatch && ids.length > 0) return `[${ids.map(text).join(',')}]`
  return text(ids[0] ?? 'null')
}

/** Returns the whole seconds until the caller may retry; undefined where retrying does not help. */
export function retryAfter({ details }: GatewayError): string | undefined {
  const { retryAfterMs } = details
  return typeof retryAfterMs === 'number' ? String(Math.max(1, Math.ceil(retryAfterMs / 1000))) : undefined
}

/** Counts a refusal that is the caller's fault, not ours or a node's; returns true after too many. */
export function isHungUpOn({ code }: GatewayError, address: string, { admission }: GatewayContext): boolean {
  const { counted } = REFUSALS[code]
  return counted >= 400 && counted < 500 && !admission.refuse(address)
}
