import { excerpt, Json, truncate } from '@firn/codec'
import type { Answer, Call } from '../Asker.ts'
import type { Target } from '../Endpoint.ts'
import { parseRetryAfter } from '../Failure.ts'
import { RpcError, type RpcErrorDetails } from '../RpcError.ts'
import { isObject } from './composites.ts'

type Members = Readonly<Record<string, unknown>>

/** Maximum number of characters of a response that an error contains. */
const EXCERPT = 200

/** The format in which requests are written and responses are read. */
export interface Format {
  readonly json: { parse(text: string): unknown; stringify(value: unknown): string }
  readonly isStrict: boolean
}

/** JSON in which 64-bit numbers stay exact. */
export const EXACT: Format['json'] = {
  parse: Json.parse,
  stringify: (value) => Json.stringify(value as Json.Json),
}

/** One or more calls to send together. Their ids are consecutive and start at `firstId`. */
export interface Request {
  readonly target: Target
  readonly format: Format
  readonly calls: readonly Call[]
  readonly firstId: number
}

/** Returns the JSON body of a request. */
export function write({ calls, firstId, format }: Request): string {
  const all = calls.map(({ method, params }, i) => ({ jsonrpc: '2.0', id: firstId + i, method, params }))
  return format.json.stringify(all.length === 1 ? all[0] : all)
}

/** HTTP status and `Retry-After` of a response. */
export type Arrival = Pick<RpcErrorDetails, 'httpStatus' | 'retryAfterMs'>

/** The text of a response and the parsed JSON in it; `body` is undefined if the text is not JSON. */
export interface Parsed {
  readonly text: string
  readonly body: unknown
}

/** Parses the text of a response. */
export function parse(text: string, format: Format): Parsed {
  try {
    return { text, body: format.json.parse(text) }
  } catch {
    return { text, body: undefined }
  }
}

/**
 * Returns the response to each call, in the order of the calls. Each call must have exactly one response.
 * @throws RpcError `RPC_RESPONSE`, `RPC_HTTP`; `RPC_REMOTE` if the server rejects the whole request
 */
export function read({ text, body }: Parsed, request: Request, arrival: Arrival = {}): readonly Answer[] {
  const { httpStatus = 200 } = arrival
  const isAnswer = httpStatus >= 200 && httpStatus < 300
  if (!isAnswer && !(isObject(body) && isObject(body['error']))) throw badStatus(text, request, arrival)
  if (body === undefined) throw malformed('JSON', text, request, arrival)
  return place(body, text, request, arrival)
}

function place(body: unknown, text: string, request: Request, arrival: Arrival): readonly Answer[] {
  const { calls, firstId, format } = request
  const fail = (expected: string) => malformed(expected, text, request, arrival)
  const found = new Array<Answer | undefined>(calls.length).fill(undefined)
  for (const one of Array.isArray(body) ? body : [body]) {
    if (!isObject(one)) throw fail('a JSON-RPC answer')
    const index = indexOf(one['id'], firstId, format.isStrict)
    if (isObject(one['error']) && isOfWhole(index, body, calls.length))
      throw remote(one['error'], request, arrival)
    if (format.isStrict && one['jsonrpc'] !== '2.0') throw fail('jsonrpc 2.0')
    if (index === undefined || index < 0 || index >= calls.length)
      throw fail(`ids from ${firstId} to ${firstId + calls.length - 1}`)
    if (found[index] !== undefined) throw fail('exactly one response per call')
    const answer = toAnswer(one, request, arrival)
    if (answer === undefined) throw fail('a "result" or an "error"')
    found[index] = answer
  }
  const missing = found.indexOf(undefined)
  if (missing >= 0) throw fail(`a response with id ${firstId + missing}`)
  return found as readonly Answer[]
}

/** The server rejected the whole request if the error has no id, or is the only response to several calls. */
function isOfWhole(index: number | undefined, body: unknown, calls: number): boolean {
  return index === undefined || (!Array.isArray(body) && calls > 1)
}

function toAnswer({ error, result }: Members, request: Request, arrival: Arrival): Answer | undefined {
  if (isObject(error)) return { error: remote(error, request, arrival) }
  const isMissing = result === undefined || (request.format.isStrict && result === null)
  return isMissing ? undefined : { result }
}

/** Returns the index of the call with the given id. Some nodes respond with the id as a string. */
function indexOf(id: unknown, firstId: number, isStrict: boolean): number | undefined {
  if (typeof id !== 'number' && (isStrict || typeof id !== 'string')) return undefined
  return Number.isInteger(Number(id)) ? Number(id) - firstId : undefined
}

function remote(error: Members, request: Request, arrival: Arrival): RpcError {
  const rpcCode = typeof error['code'] === 'number' ? error['code'] : 0
  const rpcMessage = String(error['message'] ?? '')
  const retryAfterMs = readRetryAfter(error['data']) ?? arrival.retryAfterMs
  const details = { rpcCode, rpcMessage, data: error['data'] ?? null }
  return new RpcError(
    'RPC_REMOTE',
    `${describe(request)} responded with error ${rpcCode}: ${truncate(rpcMessage, EXCERPT)}`,
    {
      details: {
        ...facts(request, arrival),
        ...details,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      },
    },
  )
}

/** Returns the retry delay from the `data` of a JSON-RPC error. Some nodes send a number of seconds there. */
function readRetryAfter(data: unknown): number | undefined {
  const rate = isObject(data) ? (data['rate'] ?? data) : undefined
  if (!isObject(rate)) return undefined
  const seconds = rate['backoff_seconds'] ?? rate['retry_after'] ?? rate['retryAfter']
  return typeof seconds === 'number' && Number.isFinite(seconds) ? Math.max(seconds, 0) * 1000 : undefined
}

function badStatus(text: string, request: Request, arrival: Arrival): RpcError {
  // Nodes give the reason as a line of text. Other bodies, such as HTML of a proxy, are only in the details.
  const [reason] = /^[^<{\n][^\n]*$/.exec(text.trim()) ?? []
  const message = `${describe(request)} responded with HTTP status ${arrival.httpStatus}`
  return new RpcError(
    'RPC_HTTP',
    reason === undefined ? message : `${message}: ${truncate(reason, EXCERPT)}`,
    {
      details: { ...facts(request, arrival), body: truncate(text, EXCERPT) },
    },
  )
}

/** Returns the error for a response that doesn't match the request. */
export function malformed(expected: string, text: string, request: Request, arrival: Arrival = {}): RpcError {
  const message = `expected ${expected} from ${describe(request)}, got ${excerpt(text, EXCERPT)}`
  return new RpcError('RPC_RESPONSE', message, {
    details: { ...facts(request, arrival), body: truncate(text, EXCERPT) },
  })
}

/** Returns the error details that apply to every error of a request. */
export function facts({ target, calls }: Request, arrival: Arrival = {}): RpcErrorDetails {
  const [call] = calls
  return { url: target.location, ...(call === undefined ? {} : { method: call.method }), ...arrival }
}

function describe({ target, calls }: Request): string {
  return calls.length === 1 ? `${target.name} (${calls[0]?.method})` : target.name
}

/** Returns the HTTP status together with the retry delay from the headers. */
export function arrivalOf(status: number, headers: Headers): Arrival {
  const retryAfterMs = status < 300 ? undefined : parseRetryAfter(headers.get('retry-after'), Date.now())
  return { httpStatus: status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}
