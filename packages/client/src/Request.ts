import { backoff, type Clock, withAnySignal } from '@firn/runtime'
import { ClientError, codeOf, isClientError } from './ClientError.ts'
import type { RequestParts } from './Operation.ts'
import { parseJson } from './parseJson.ts'

/** An answer that can be used again while the service confirms that it has not changed. */
export interface CachedAnswer {
  readonly tag: string
  readonly body: unknown
}

/** Where answers are kept by URL, such as a `Map`, or a map that forgets old entries. */
export interface AnswerCache {
  get(url: string): CachedAnswer | undefined
  set(url: string, answer: CachedAnswer): unknown
}

/** Settings of all requests of a client. */
export interface Settings {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds within which a response must be complete; undefined for no limit. */
  readonly timeoutMs: number | undefined
  readonly retries: number
  readonly longestWaitMs: number
  readonly clock: Clock
  readonly random: () => number
  readonly cache: AnswerCache | undefined
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, including its retries. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends a request and returns the parsed body of the answer. Requests that the service refuses for a while (429 and
 * 503), or that find no connection, are sent again.
 * @throws ClientError; the reason of the signal
 */
export async function request(
  parts: RequestParts,
  settings: Settings,
  { signal }: CallOptions = {},
): Promise<unknown> {
  if (signal === undefined) return complete(parts, settings, undefined)
  // The caller's signal may live as long as its process, so it must keep nothing of the attempts.
  return withAnySignal([signal], (own) => complete(parts, settings, own))
}

async function complete(
  parts: RequestParts,
  settings: Settings,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const cached = parts.method === 'GET' ? settings.cache?.get(parts.url) : undefined
  const response = await send(parts, settings, signal, cached?.tag)
  if (response.status === 304 && cached !== undefined) return cached.body
  const body = await read(parts, response, signal)
  const tag = response.headers.get('etag')
  if (tag !== null && parts.method === 'GET') settings.cache?.set(parts.url, { tag, body })
  return body
}

/** Sends a request, again after errors that pass. Returns a successful response, or 304 if a tag was sent. */
export async function send(
  parts: RequestParts,
  settings: Settings,
  signal: AbortSignal | undefined,
  tag?: string,
): Promise<Response> {
  const { retries, longestWaitMs, clock, random } = settings
  for (let failures = 1; ; failures++) {
    try {
      return await attempt(parts, settings, signal, tag)
    } catch (error) {
      if (!isClientError(error) || !PASSING.has(error.code) || failures > retries) throw error
      const { retryAfterSeconds } = error
      const wait =
        retryAfterSeconds === undefined
          ? backoff(failures, { random, first: 250 })
          : retryAfterSeconds * 1_000
      if (wait > longestWaitMs) throw error
      await clock.sleep(wait, signal)
    }
  }
}

const PASSING = new Set(['CLIENT_RATE_LIMIT', 'CLIENT_UNAVAILABLE', 'CLIENT_CONNECTION'])

async function attempt(
  { url, method, headers, body }: RequestParts,
  settings: Settings,
  signal: AbortSignal | undefined,
  tag: string | undefined,
): Promise<Response> {
  signal?.throwIfAborted()
  const timeout = settings.timeoutMs === undefined ? undefined : AbortSignal.timeout(settings.timeoutMs)
  const signals = [timeout, signal].filter((one) => one !== undefined)
  const init: RequestInit = {
    method,
    headers: {
      ...settings.headers,
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(tag === undefined ? {} : { 'if-none-match': tag }),
    },
    ...(body === undefined ? {} : { body }),
    ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
  }
  let response: Response
  try {
    response = await settings.fetch(url, init)
  } catch (cause) {
    signal?.throwIfAborted()
    throw failure(cause, `No connection to ${url}. Check the URL, and that the service runs.`)
  }
  if (response.ok || (response.status === 304 && tag !== undefined)) return response
  throw await refusal(response)
}

/** Returns the error for a request without a complete response. `message` describes all causes but the time limit. */
function failure(cause: unknown, message: string): ClientError {
  const isLate = cause instanceof Error && cause.name === 'TimeoutError'
  if (!isLate) return new ClientError('CLIENT_CONNECTION', message, { cause })
  const late = 'The response was not complete within timeoutMs. Raise timeoutMs, or request less at once.'
  return new ClientError('CLIENT_TIMEOUT', late, { cause })
}

async function refusal(response: Response): Promise<ClientError> {
  const { status, headers } = response
  const text = await response.text().catch(() => '')
  const body = parseRefusal(text)
  const message = (body as { readonly message?: unknown } | undefined)?.message
  const after = Number(headers.get('retry-after') ?? Number.NaN)
  return new ClientError(codeOf(status), typeof message === 'string' ? message : `HTTP status ${status}`, {
    status,
    ...(Number.isFinite(after) ? { retryAfterSeconds: after } : {}),
    body: body ?? text,
  })
}

async function read({ url }: RequestParts, response: Response, signal: AbortSignal | undefined) {
  let text: string
  try {
    text = await response.text()
  } catch (cause) {
    signal?.throwIfAborted()
    throw failure(cause, `The connection to ${url} broke. Send the request again.`)
  }
  const body = parseJson(text)
  if (body !== undefined) return body
  const message = `The response of ${url} is not JSON. Check the URL of the service.`
  throw new ClientError('CLIENT_RESPONSE', message, { status: response.status, body: text.slice(0, 200) })
}

/** Parses the body of an error response, whose text is kept if it cannot be parsed exactly. */
function parseRefusal(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
