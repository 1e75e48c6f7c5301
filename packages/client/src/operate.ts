/**
 * Typed client for the endpoints for operators, which every service has, apart from the client for the Data API so that
 * bundles have only what they use.
 *
 * @packageDocumentation
 */
import { createCalls, type RequestOptions } from './Calls.ts'
import { OPERATIONS, type Operations } from './gen/operateOperations.ts'

export type { RequestOptions } from './Calls.ts'
export { ClientError, type ClientErrorCode, type ErrorResponse, isClientError } from './ClientError.ts'
export type * from './gen/operateOperations.ts'
export type * from './gen/operateSchemas.ts'
export type { CallOptions } from './Request.ts'

/** Options of {@link createOperateClient}. */
export interface OperateClientOptions extends RequestOptions {
  /** URL of the service without the prefix of its paths, such as `http://127.0.0.1:8700`. */
  readonly url: string
  /** Token of an operator on the machine of the service: the contents of `operator-token` in its data folder. */
  readonly token?: string | undefined
}

/** A client for the endpoints for operators. */
export type OperateClient = Operations

/**
 * Creates a client for the endpoints for operators of a service. They answer callers on the machine of the service that
 * send its `token`, and callers whose `apiKey` has the scope `admin`.
 * @throws ClientError `CLIENT_URL` if the URL is invalid; operations throw `ClientError` with the status of the response
 *
 * @example
 * ```ts
 * import { createOperateClient } from '@firn/client/operate'
 *
 * // The answer of a service. Omit `fetch` to call a real one.
 * const fetch = async () => new Response('{"chains":[{"chain":"P","lag":"0"}]}')
 *
 * const { operate } = createOperateClient({ url: 'http://127.0.0.1:8700', fetch })
 * const { chains } = await operate.getIndexing()
 * ```
 */
export function createOperateClient(options: OperateClientOptions): OperateClient {
  const { url, token, ...rest } = options
  const own = token === undefined ? rest : { ...rest, fetch: withToken(token, rest.fetch) }
  return createCalls(OPERATIONS, { data: url }, own) as OperateClient
}

function withToken(token: string, send: RequestOptions['fetch'] = fetch): RequestOptions['fetch'] {
  return (url, init) => {
    const headers = new Headers(init.headers)
    headers.set('x-operator-token', token)
    return send(url, { ...init, headers })
  }
}
