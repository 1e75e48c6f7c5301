import { Json } from '@firn/codec'
import { readBody } from './internal/body.ts'
import { isObject } from './internal/composites.ts'
import type { MethodTable, Params, Result } from './MethodTable.ts'
import { isRpcError, RpcError, type RpcErrorDetails } from './RpcError.ts'

/** How to reach the server. */
export interface ClientOptions {
  /** Where to post: base and path, as `http://127.0.0.1:9650/ext/bc/P`. */
  readonly url: string
  readonly fetch?: typeof fetch
  /** Sent with each request, such as an API key. */
  readonly headers?: Readonly<Record<string, string>>
  /** Added to the URL's query. */
  readonly query?: Readonly<Record<string, string>>
  /** For one call, from sending to the last byte of the answer; 10,000 ms if not given. */
  readonly timeoutMs?: number
  /** The largest answer read, in bytes; 64 MiB if not given. */
  readonly maxResponseBytes?: number
}

/** What one call may have of its own. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}

/** Arguments may be left out where a method has none that are compulsory. */
export type CallArguments<P> =
  Record<never, never> extends P ? [params?: P, options?: CallOptions] : [params: P, options?: CallOptions]

/** Calls the methods of one table. */
export interface Client<T extends MethodTable> {
  /**
   * Returns the method's result. One request is sent, nothing is retried.
   * @throws RpcError `RPC_TRANSPORT`, `RPC_TIMEOUT`, `RPC_ABORTED`, `RPC_HTTP`, `RPC_RESPONSE`, `RPC_REMOTE`,
   * and `RPC_SCHEMA` when the arguments themselves don't fit (then nothing is sent).
   */
  call<M extends keyof T & string>(method: M, ...rest: CallArguments<Params<T, M>>): Promise<Result<T, M>>
}

/** Returns a client for the methods of a table at one URL. */
export function createClient<const T extends MethodTable>(table: T, options: ClientOptions): Client<T> {
  const target = requestUrl(options)
  let lastId = 0
  return {
    async call(method, ...[params, callOptions = {}]) {
      const schema = (table as MethodTable)[method]
      if (schema === undefined)
        throw new RpcError('RPC_SCHEMA', `expected a method of the table, got ${method}`)
      lastId += 1
      const id = lastId
      const body = {
        jsonrpc: '2.0',
        id,
        method,
        params: schema.params.format((params ?? {}) as never, 'params'),
      }
      const context = { url: options.url.split('?')[0] as string, method }
      const answer = await post(target, Json.stringify(body), options, callOptions, context)
      const result = readEnvelope(answer.text, id, { ...context, httpStatus: answer.status })
      return parseResult(() => schema.result.parse(result, 'result'), {
        ...context,
        httpStatus: answer.status,
      }) as never
    },
  }
}

type Context = Pick<RpcErrorDetails, 'url' | 'method'>
type AnswerContext = Context & { readonly httpStatus: number }

function requestUrl(options: ClientOptions): string {
  const url = new URL(options.url)
  for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, value)
  return url.href
}

async function post(
  target: string,
  body: string,
  options: ClientOptions,
  call: CallOptions,
  context: Context,
): Promise<{ readonly status: number; readonly text: string }> {
  const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? 10_000
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout])
  try {
    const response = await (options.fetch ?? fetch)(target, {
      method: 'POST',
      headers: { ...options.headers, 'content-type': 'application/json' },
      body,
      signal,
    })
    const text = await readBody(response, options.maxResponseBytes ?? 64 * 1024 * 1024)
    return { status: response.status, text }
  } catch (cause) {
    const from = describe(context)
    if (isRpcError(cause))
      throw new RpcError(cause.code, `${cause.message} from ${from}`, { details: context })
    const told = { details: context, cause }
    if (call.signal?.aborted) throw new RpcError('RPC_ABORTED', `aborted while calling ${from}`, told)
    if (timeout.aborted)
      throw new RpcError('RPC_TIMEOUT', `expected an answer within ${timeoutMs} ms from ${from}`, told)
    throw new RpcError('RPC_TRANSPORT', `expected an answer from ${from}, got ${reason(cause)}`, told)
  }
}

function describe(context: Context): string {
  return `${context.url} (${context.method})`
}

function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message
}

/** Returns the `result` member; what is not a JSON-RPC answer to this request is an error. */
function readEnvelope(text: string, id: number, context: AnswerContext): unknown {
  const envelope = parseJson(text)
  if (isObject(envelope) && isObject(envelope['error'])) throw remoteError(envelope['error'], context)
  if (context.httpStatus < 200 || context.httpStatus > 299) {
    throw new RpcError(
      'RPC_HTTP',
      `expected HTTP status 2xx from ${describe(context)}, got ${context.httpStatus}`,
      {
        details: { ...context, body: excerpt(text) },
      },
    )
  }
  if (!isObject(envelope)) throw unexpected('a JSON-RPC answer', text, context)
  if (envelope['jsonrpc'] !== '2.0') throw unexpected('jsonrpc 2.0', text, context)
  if (envelope['id'] !== id) throw unexpected(`an answer with id ${id}`, text, context)
  if (envelope['result'] === undefined || envelope['result'] === null)
    throw unexpected('a result', text, context)
  return envelope['result']
}

function remoteError(error: Readonly<Record<string, unknown>>, context: AnswerContext): RpcError {
  const rpcCode = typeof error['code'] === 'number' ? error['code'] : 0
  const rpcMessage = String(error['message'] ?? '')
  return new RpcError('RPC_REMOTE', `${describe(context)} answered error ${rpcCode}: ${rpcMessage}`, {
    details: { ...context, rpcCode, rpcMessage, data: error['data'] ?? null },
  })
}

function parseJson(text: string): unknown {
  try {
    return Json.parse(text)
  } catch {
    return undefined
  }
}

function parseResult<R>(parse: () => R, context: AnswerContext): R {
  try {
    return parse()
  } catch (cause) {
    if (!isRpcError(cause)) throw cause
    const { path } = cause.details
    throw new RpcError('RPC_RESPONSE', `${cause.message}, from ${describe(context)}`, {
      details: path === undefined ? context : { ...context, path },
      cause,
    })
  }
}

function unexpected(expected: string, text: string, context: AnswerContext): RpcError {
  return new RpcError(
    'RPC_RESPONSE',
    `expected ${expected} from ${describe(context)}, got ${JSON.stringify(excerpt(text))}`,
    {
      details: { ...context, body: excerpt(text) },
    },
  )
}

function excerpt(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
