import type { FailureClass } from './Failure.ts'
import { isRpcError, type RpcError } from './RpcError.ts'

/** The outcome of one request to a server, for metrics. */
export interface Observation {
  /** Host and port of the server. */
  readonly upstream: string
  readonly milliseconds: number
  /** The first failure of the request, or its class; undefined if the request succeeded. */
  readonly failure: RpcError | FailureClass | undefined
}

/** Receives the outcome of each request. */
export type Observe = (observation: Observation) => void

/**
 * Runs one request to a server and reports its outcome, unless it throws an error other than {@link RpcError}.
 * `failureOf` returns the failure that a response contains.
 * @example
 * ```ts
 * import { exchange, observed, resolve } from '@firn/rpc'
 *
 * const target = resolve({ url: 'http://127.0.0.1:9650/ext/health' })
 * const answer = await observed(console.log, target.name, () => exchange(target, { method: 'GET' }))
 * ```
 * @throws the errors of `work`
 */
export async function observed<T>(
  observe: Observe | undefined,
  upstream: string,
  work: () => Promise<T>,
  failureOf: (result: T) => RpcError | undefined = () => undefined,
): Promise<T> {
  const start = performance.now()
  const report = (failure: RpcError | undefined) =>
    observe?.({ upstream, milliseconds: performance.now() - start, failure })
  try {
    const result = await work()
    report(failureOf(result))
    return result
  } catch (error) {
    if (isRpcError(error)) report(error)
    throw error
  }
}
