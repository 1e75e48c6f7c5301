import type { AskOptions } from './Asker.ts'
import { type ConnectionOptions, connect } from './Connection.ts'
import { resolve } from './Endpoint.ts'
import { formatCall, parseResult } from './internal/typedCalls.ts'
import type { ClientTable, Params, Result } from './MethodTable.ts'

/** Options of a client, over HTTP or WebSocket. */
export type ClientOptions = Omit<ConnectionOptions, 'json' | 'isStrict'>

/** Options of a single call. */
export type CallOptions = AskOptions

/** Arguments of a call. They may be omitted if the method has no required arguments. */
export type CallArguments<P> =
  Record<never, never> extends P ? [params?: P, options?: CallOptions] : [params: P, options?: CallOptions]

/** A client that calls the methods of one table. */
export interface Client<T extends ClientTable> {
  /**
   * Calls a method and returns its result. Sends one request and never retries.
   * @throws RpcError `RPC_TRANSPORT`, `RPC_TIMEOUT`, `RPC_ABORTED`, `RPC_HTTP`, `RPC_RESPONSE`, `RPC_REMOTE`;
   * `RPC_SCHEMA` if the arguments don't fit the schema, in which case nothing is sent
   */
  call<M extends keyof T & string>(method: M, ...rest: CallArguments<Params<T, M>>): Promise<Result<T, M>>
}

/**
 * Returns a client for the methods of a table at one URL.
 * @example
 * ```ts
 * import { createClient, InfoMethods } from '@firn/rpc'
 *
 * const client = createClient(InfoMethods, { url: 'http://127.0.0.1:9650', path: '/ext/info' })
 * const { networkName } = await client.call('info.getNetworkName')
 * ```
 * @throws RpcError `RPC_SCHEMA` for a URL that is not `http:`, `https:`, `ws:` or `wss:`
 */
export function createClient<const T extends ClientTable>(table: T, options: ClientOptions): Client<T> {
  const connection = connect({ ...options, isStrict: true })
  const target = resolve(options, options.path)
  return {
    async call(method, ...[params, callOptions]) {
      const call = formatCall(table, method, params)
      const result = await connection.call(method, call.params, callOptions)
      return parseResult(table, method, result, target) as never
    },
  }
}
