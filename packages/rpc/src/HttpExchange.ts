import { Bytes } from '@firn/codec'
import type { Target } from './Endpoint.ts'
import { startDeadline } from './internal/deadline.ts'
import { isRpcError, RpcError } from './RpcError.ts'

/** One HTTP request. */
export interface HttpRequest {
  /** `POST` if not given. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** `follow` if not given. */
  readonly redirect?: 'follow' | 'manual'
  readonly signal?: AbortSignal | undefined
}

/** What an answer may cost. */
export interface Limits {
  /** For one request, from sending to the last byte of the answer; 10,000 ms if not given. */
  readonly timeoutMs?: number | undefined
  /** The longest answer that is read, in bytes; 64 MiB if not given. */
  readonly maxResponseBytes?: number | undefined
}

/** A whole answer. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}

/** Used where {@link Limits} says nothing. */
export const DEFAULTS = { timeoutMs: 10_000, maxResponseBytes: 64 * 1024 * 1024 } as const

/**
 * Sends one request and returns the whole answer, whatever its status. Nothing is retried.
 * @throws RpcError `RPC_TRANSPORT`, `RPC_TIMEOUT`, `RPC_ABORTED`, and `RPC_RESPONSE` with `details.maxResponseBytes` for a longer answer
 */
export async function exchange(
  target: Target,
  { method = 'POST', headers, signal, ...request }: HttpRequest,
  { timeoutMs = DEFAULTS.timeoutMs, maxResponseBytes = DEFAULTS.maxResponseBytes }: Limits = {},
  send: typeof fetch = fetch,
): Promise<HttpAnswer> {
  const deadline = startDeadline(timeoutMs, signal)
  try {
    const response = await send(target.url, {
      ...request,
      method,
      headers: { ...target.headers, ...headers },
      signal: deadline.signal,
    })
    const body = await readBody(response, maxResponseBytes, target)
    return { status: response.status, headers: response.headers, body }
  } catch (cause) {
    if (signal?.aborted) throw aborted(target, cause)
    if (deadline.isOver()) throw timedOut(target, timeoutMs)
    throw isRpcError(cause) ? cause : unreachable(target, cause)
  } finally {
    deadline.clear()
  }
}

async function readBody(response: Response, maxBytes: number, target: Target): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array()
  // A body of known and allowed length needs no watching. The length of a compressed one says nothing.
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  if (length <= maxBytes && response.headers.get('content-encoding') === null)
    return new Uint8Array(await response.arrayBuffer())
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > maxBytes) throw oversize(target, maxBytes)
    parts.push(part)
  }
  return parts.length === 1 ? (parts[0] as Uint8Array) : Bytes.concat(...parts)
}

/** Returns the error of a caller that gave up. */
export function aborted({ name, location: url }: Target, cause: unknown): RpcError {
  return new RpcError('RPC_ABORTED', `aborted while waiting for ${name}`, { details: { url }, cause })
}

/** Returns the error of an answer that did not come in time. */
export function timedOut({ name, location: url }: Target, timeoutMs: number): RpcError {
  return new RpcError('RPC_TIMEOUT', `no answer from ${name} within ${timeoutMs} ms`, {
    details: { url, timeoutMs },
  })
}

/** Returns the error of an answer that is longer than allowed. */
export function oversize({ name, location: url }: Target, maxResponseBytes: number): RpcError {
  return new RpcError('RPC_RESPONSE', `the answer of ${name} is longer than ${maxResponseBytes} bytes`, {
    details: { url, maxResponseBytes },
  })
}

/** Returns the error of a connection that could not be made, or broke. */
export function unreachable({ name, location: url }: Target, cause: unknown): RpcError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const { message = '', code = '' } = (inner ?? {}) as { readonly message?: string; readonly code?: string }
  return new RpcError('RPC_TRANSPORT', `cannot reach ${name}: ${message || code || String(inner)}`, {
    details: { url },
    cause,
  })
}
