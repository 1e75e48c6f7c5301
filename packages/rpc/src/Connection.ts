import type { Answers, Asker, AskOptions } from './Asker.ts'
import { type Endpoint, resolve } from './Endpoint.ts'
import type { Limits } from './HttpExchange.ts'
import { EXACT, type Format } from './internal/answers.ts'
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
  /** Observes each request. */
  readonly observe?: Observe | undefined
}

/** Calls methods of one server and never retries. */
export interface Connection extends Asker {
  /**
   * Returns the result of one call. Throws the same errors as {@link Asker.ask}, and `RPC_REMOTE` if the
   * method responds with an error.
   */
  call(method: string, params: unknown, options?: AskOptions): Promise<unknown>
}

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
  const askObserved: Asker['ask'] = (calls, own) => {
    if (observe === undefined) return ask(calls, own)
    const outgoing = { upstream: base.name, methods: calls.map(({ method }) => method) }
    return observed(observe, outgoing, (headers) => ask(calls, { ...own, headers }), firstFailure)
  }
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
