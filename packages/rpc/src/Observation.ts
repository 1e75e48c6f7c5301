import type { FailureClass } from './Failure.ts'
import { isRpcError, type RpcError } from './RpcError.ts'

/** A request that is about to be sent to a server. */
export interface Outgoing {
  /** Host and port of the server. */
  readonly upstream: string
  /** The methods that it calls; empty if they are unknown. */
  readonly methods: readonly string[]
}

/** A request in progress, as its observer sees it. */
export interface Observation {
  /** Headers to add to the request, such as `traceparent`. Requests over WebSocket have none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Called when the response is complete, with the first failure or its class; with undefined after a success. */
  end(failure: RpcError | FailureClass | undefined): void
}

/** Observes requests, for metrics and traces: called once for each, when it starts. */
export type Observe = (outgoing: Outgoing) => Observation

/**
 * Runs one request to a server and reports its outcome, unless it throws an error other than {@link RpcError}. `work`
 * receives the headers to add. `failureOf` returns the failure that a response contains.
 * @example
 * ```ts
 * import { exchange, type Observe, observed, resolve } from '@firn/rpc'
 *
 * const target = resolve({ url: 'http://127.0.0.1:9650/ext/health' })
 * const observe: Observe = ({ upstream }) => ({ end: (failure) => console.log(upstream, failure) })
 * const answer = await observed(observe, { upstream: target.name, methods: [] }, (headers) =>
 *   exchange(target, { method: 'GET', headers }),
 * )
 * ```
 * @throws the errors of `work`
 */
export async function observed<T>(
  observe: Observe | undefined,
  outgoing: Outgoing,
  work: (headers: Readonly<Record<string, string>>) => Promise<T>,
  failureOf: (result: T) => RpcError | undefined = () => undefined,
): Promise<T> {
  const { headers = {}, end } = observe?.(outgoing) ?? { end: () => undefined }
  try {
    const result = await work(headers)
    end(failureOf(result))
    return result
  } catch (error) {
    if (isRpcError(error)) end(error)
    throw error
  }
}
