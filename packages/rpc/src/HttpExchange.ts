import type { Target } from './Endpoint.ts'
import { startDeadline } from './internal/deadline.ts'
import { isRpcError, RpcError } from './RpcError.ts'
import { readBytes } from './readBytes.ts'

/** An HTTP request to send. */
export interface HttpRequest {
  /** HTTP method; `POST` by default. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** Whether to follow redirects; `follow` by default. */
  readonly redirect?: 'follow' | 'manual'
  readonly signal?: AbortSignal | undefined
}

/** Limits of one request. */
export interface Limits {
  /**
   * Timeout of one request in milliseconds, from sending it to receiving the last byte of the response;
   * 10,000 by default.
   */
  readonly timeoutMs?: number | undefined
  /** Maximum length of the response in bytes; 64 MiB by default. */
  readonly maxResponseBytes?: number | undefined
}

/** A complete HTTP response. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}

/** Default values of {@link Limits}. */
export const DEFAULTS = { timeoutMs: 10_000, maxResponseBytes: 64 * 1024 * 1024 } as const

/**
 * Sends one request and returns the complete response, whatever its status. Never retries.
 * @example
 * ```ts
 * import { exchange, resolve } from '@firn/rpc'
 *
 * const target = resolve({ url: 'http://127.0.0.1:9650/ext/health' })
 * const { status, body } = await exchange(target, { method: 'GET' }, { timeoutMs: 2_000 })
 * ```
 * @throws RpcError `RPC_TRANSPORT`, `RPC_TIMEOUT`, `RPC_ABORTED`; `RPC_RESPONSE` with
 * `details.maxResponseBytes` for a response that is too long
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
  // A body whose length is known and allowed need not be counted. For a compressed body, the header does not
  // contain the decoded length.
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  if (length <= maxBytes && response.headers.get('content-encoding') === null)
    return new Uint8Array(await response.arrayBuffer())
  return readBytes(response.body, (_part, size) => {
    if (size > maxBytes) throw oversize(target, maxBytes)
  })
}

/** Returns the error for a request that the caller aborted. */
export function aborted({ name, location: url }: Target, cause: unknown): RpcError {
  return new RpcError('RPC_ABORTED', `aborted while waiting for ${name}`, { details: { url }, cause })
}

/** Returns the error for a request that timed out. */
export function timedOut({ name, location: url }: Target, timeoutMs: number): RpcError {
  return new RpcError('RPC_TIMEOUT', `no response from ${name} within ${timeoutMs} ms`, {
    details: { url, timeoutMs },
  })
}

/** Returns the error for a response that exceeds the limit. */
export function oversize({ name, location: url }: Target, maxResponseBytes: number): RpcError {
  return new RpcError('RPC_RESPONSE', `the response from ${name} is longer than ${maxResponseBytes} bytes`, {
    details: { url, maxResponseBytes },
  })
}

/** Codes of Node.js for a connection that was not opened. */
const UNCONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']

/**
 * Returns the error for a connection that failed to open or broke. By default, the code of the cause decides whether
 * the request is unsent.
 */
export function unreachable(
  { name, location: url }: Target,
  cause: unknown,
  isUnsent = UNCONNECTED.includes(codeOf(cause)),
): RpcError {
  const inner = innermost(cause)
  const { message = '' } = inner as { readonly message?: string }
  return new RpcError('RPC_TRANSPORT', `cannot reach ${name}: ${message || codeOf(cause) || String(inner)}`, {
    details: { url, ...(isUnsent ? { isUnsent } : {}) },
    cause,
  })
}

function innermost(cause: unknown): unknown {
  return (cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause) ?? {}
}

function codeOf(cause: unknown): string {
  return (innermost(cause) as { readonly code?: string }).code ?? ''
}
