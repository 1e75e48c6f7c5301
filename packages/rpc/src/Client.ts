import { type AskOptions, type ConnectionOptions, connect } from './Connection.ts'
import { resolve } from './Endpoint.ts'
import type { MethodTable, Params, Result } from './MethodTable.ts'
import { isRpcError, RpcError, type RpcErrorDetails } from './RpcError.ts'

/** Options of a client, over HTTP or WebSocket. */
export type ClientOptions = Omit<ConnectionOptions, 'json' | 'isStrict'>

/** Options of a single call. */
export type CallOptions = AskOptions

/** The arguments may be omitted when the method has no required ones. */
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
  const connection = connect({ ...options, isStrict: true })
  const url = resolve(options, options.path).location
  return {
    async call(method, ...[params, callOptions]) {
      const schema = (table as MethodTable)[method]
      if (schema === undefined)
        throw new RpcError('RPC_SCHEMA', `expected a method of the table, got ${method}`)
      const argument = schema.params.format((params ?? {}) as never, 'params')
      const result = await connection.call(method, argument, callOptions)
      try {
        return schema.result.parse(result as never, 'result') as never
      } catch (cause) {
        throw isRpcError(cause) ? unfit(cause, { url, method }) : cause
      }
    },
  }
}

function unfit(cause: RpcError, context: RpcErrorDetails): RpcError {
  const { path } = cause.details
  return new RpcError('RPC_RESPONSE', `${cause.message}, from ${context.url} (${context.method})`, {
    details: path === undefined ? context : { ...context, path },
    cause,
  })
}
