import { Json } from '@firn/codec'
import { type Endpoint, resolve } from './Endpoint.ts'
import type { Limits } from './HttpExchange.ts'
import type { Format } from './internal/answers.ts'
import { createHttpConnection } from './internal/HttpConnection.ts'
import { createSocketConnection } from './internal/SocketConnection.ts'
import { type Observe, observed } from './Observation.ts'
import type { RpcError } from './RpcError.ts'

/** Options of a connection to one server. */
export interface ConnectionOptions extends Endpoint, Limits {
  /** Path appended to the URL's path, such as `/ext/bc/P`. */
  readonly path?: string
  readonly fetch?: typeof fetch | undefined
  /**
   * Functions that parse and format JSON. By default, 64-bit numbers stay exact. The runtime's own `JSON` is
   * faster but loses precision.
   */
  readonly json?: Format['json']
  /**
   * Whether to reject responses without `jsonrpc: "2.0"`, with an id that is not a number, or with the result null;
   * false by default.
   */
  readonly isStrict?: boolean
  /** Receives the outcome of each request. */
  readonly observe?: Observe | undefined
}

/** A method and its arguments. */
export interface Call {
  readonly method: string
  readonly params: unknown
}

/** The response to one call: a result, or the JSON-RPC error `RPC_REMOTE`. */
export type Answer<E extends Error = RpcError> =
  | { readonly result: unknown; readonly error?: undefined }
  | { readonly error: E; readonly result?: undefined }

/** The responses to calls that were sent together, in the order of the calls. */
export interface Answers<E extends Error = RpcError> {
  readonly answers: readonly Answer<E>[]
  /** Length of the whole response in bytes. */
  readonly bytes: number
}

/** Receives the events of a subscription. `end` is called once, after the last event. */
export interface Subscriber {
  readonly event: (payload: unknown) => void
  readonly end: () => void
}

/** Options of a single request. */
export interface AskOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}

/** Calls methods of one server and never retries. */
export interface Connection extends Asker {
  /**
   * Returns the result of one call. Throws the same errors as {@link Asker.ask}, and `RPC_REMOTE` if the
   * method responds with an error.
   */
  call(method: string, params: unknown, options?: AskOptions): Promise<unknown>
}

/** The part of a {@link Connection} that differs between HTTP and WebSocket. */
export interface Asker {
  /** Host and port of the server, for logs and metrics. */
  readonly name: string
  /**
   * Sends calls in one request: a single call as an object, several calls as a batch.
   * @throws RpcError `RPC_TRANSPORT`, `RPC_TIMEOUT`, `RPC_ABORTED`, `RPC_HTTP`, `RPC_RESPONSE`; `RPC_REMOTE`
   * if the server rejects the whole request
   */
  ask(calls: readonly Call[], options?: AskOptions): Promise<Answers>
  /**
   * Starts a subscription with `eth_subscribe`. The member is undefined over HTTP. Throws the same errors as
   * `ask`.
   */
  readonly subscribe?: (
    params: readonly unknown[],
    subscriber: Subscriber,
    signal?: AbortSignal,
  ) => Promise<void>
  close(): void
}

const EXACT = { parse: Json.parse, stringify: (value: unknown) => Json.stringify(value as Json.Json) }

/**
 * Creates a connection over HTTP or WebSocket, depending on the URL. Sends nothing before the first call.
 * @example
 * ```ts
 * import { connect } from '@firn/rpc'
 *
 * const connection = connect({ url: 'ws://127.0.0.1:9650/ext/bc/C/ws' })
 * const chainId = await connection.call('eth_chainId', [])
 * connection.close()
 * ```
 * @throws RpcError `RPC_SCHEMA` for a URL with another scheme
 */
export function connect({
  json = EXACT,
  isStrict = false,
  fetch: send,
  path,
  observe,
  ...options
}: ConnectionOptions): Connection {
  const target = resolve(options, path)
  const format: Format = { json, isStrict }
  const { ask, ...base } = /^ws/.test(target.url)
    ? createSocketConnection(target, format, options)
    : createHttpConnection(target, format, options, send)
  const askObserved: Asker['ask'] = (calls, own) =>
    observed(observe, base.name, () => ask(calls, own), firstFailure)
  return {
    ...base,
    ask: askObserved,
    async call(method, params, own) {
      const { answers } = await askObserved([{ method, params }], own)
      const [answer] = answers
      if (answer?.error !== undefined) throw answer.error
      return answer?.result
    },
  }
}

function firstFailure({ answers }: Answers): RpcError | undefined {
  return answers.find(({ error }) => error !== undefined)?.error
}
