import { backoff, type Clock, systemClock } from '@firn/runtime'
import type { AskOptions } from './Asker.ts'
import type { Client } from './Client.ts'
import { type Endpoint, resolve } from './Endpoint.ts'
import { classify, type FailureClass, mayHaveRun } from './Failure.ts'
import type { Limits } from './HttpExchange.ts'
import { EXACT } from './internal/answers.ts'
import { createHttpConnection } from './internal/HttpConnection.ts'
import { formatCall, parseResult } from './internal/typedCalls.ts'
import type { ClientTable, Params, Result } from './MethodTable.ts'
import { isRpcError, RpcError } from './RpcError.ts'

/** Options of {@link createHttpClient}. */
export interface HttpClientOptions extends Endpoint, Limits {
  /** Path appended to the URL's path, such as `/ext/bc/P`. */
  readonly path?: string
  readonly fetch?: typeof fetch | undefined
  /** Maximum number of times that a request is sent; 3 by default. */
  readonly attempts?: number
  /**
   * Delay before the second attempt in milliseconds, with jitter; 200 by default. Each further delay is twice as long,
   * up to `maxBackoffMs` (2,000 by default).
   */
  readonly backoffMs?: number
  readonly maxBackoffMs?: number
  /** Longest delay in milliseconds for which a server may ask; 60,000 by default. After that, the call fails. */
  readonly maxRetryAfterMs?: number
  readonly clock?: Clock
  /** Returns a uniform random number in [0, 1), for the jitter. */
  readonly random?: () => number
}

/** A call of a batch. `params` may be omitted if the method has no required arguments. */
export type BatchCall<T extends ClientTable> = {
  readonly [M in keyof T & string]: { readonly method: M } & (Record<never, never> extends Params<T, M>
    ? { readonly params?: Params<T, M> }
    : { readonly params: Params<T, M> })
}[keyof T & string]

/** The outcome of one call of a batch: its result, or the error of this call. */
export type Outcome<R> =
  | { readonly result: R; readonly error?: undefined }
  | { readonly error: RpcError; readonly result?: undefined }

/** The outcomes of the calls of a batch, in their order. */
export type Outcomes<T extends ClientTable, C extends readonly BatchCall<T>[]> = {
  readonly [I in keyof C]: Outcome<Result<T, C[I]['method']>>
}

/** A client that calls the methods of one table over HTTP, and repeats requests that failed for the moment. */
export interface HttpClient<T extends ClientTable> extends Client<T> {
  /**
   * Sends several calls in one request and returns their outcomes. To a server that rejects batches, such as the APIs
   * of Avalanche nodes except for EVM chains, it sends one request per call instead, several at a time.
   * @throws RpcError `RPC_TRANSPORT`, `RPC_TIMEOUT`, `RPC_ABORTED`, `RPC_HTTP`, `RPC_RESPONSE`, `RPC_REMOTE` if the
   * whole request fails; `RPC_SCHEMA` if arguments don't fit their schema, in which case nothing is sent
   */
  batch<const C extends readonly BatchCall<T>[]>(calls: C, options?: AskOptions): Promise<Outcomes<T, C>>
}

/** The failures after which the same server may respond to the same request. */
const PASSING: readonly FailureClass[] = ['limited', 'unreachable', 'timeout', 'unavailable']

/** Codes with which servers reject a batch as a whole: JSON that is not a request, and an invalid request. */
const NO_BATCH: readonly unknown[] = [-32700, -32600]
/** Number of requests that are sent at the same time instead of a batch, as many as browsers send to one server. */
const PARALLEL = 6

/**
 * Creates a client for the methods of a table at one URL. It uses `fetch` and no module of Node, so it runs in
 * browsers. Reading `Retry-After` in a browser needs a server that exposes this header to other origins.
 * @example
 * ```ts
 * import { createHttpClient, PlatformMethods } from '@firn/rpc/client'
 *
 * const client = createHttpClient(PlatformMethods, { url: 'https://api.avax.network', path: '/ext/bc/P' })
 * const { height } = await client.call('platform.getHeight')
 * ```
 * @throws RpcError `RPC_SCHEMA` for a URL that is not `http:` or `https:`
 */
export function createHttpClient<const T extends ClientTable>(
  table: T,
  options: HttpClientOptions,
): HttpClient<T> {
  const target = resolve(options, options.path)
  if (/^ws/.test(target.url)) throw new RpcError('RPC_SCHEMA', 'expected a URL that begins with http')
  const format = { json: EXACT, isStrict: true }
  const { ask } = createHttpConnection(target, format, options, options.fetch)
  const repeat = createRepeater(options)
  const isOnce = (method: string) => (table as ClientTable)[method]?.isOnce === true
  let hasBatches = true

  const callOne: Client<T>['call'] = async (method, ...[params, own = {}]) => {
    const call = formatCall(table, method, params)
    const result = await repeat(isOnce(method), own.signal, async () => {
      const [answer] = (await ask([call], own)).answers
      if (answer?.error !== undefined) throw answer.error
      return answer?.result
    })
    return parseResult(table, method, result, target) as never
  }

  const batchOf = async (
    calls: readonly BatchCall<T>[],
    own: AskOptions,
  ): Promise<readonly Outcome<unknown>[]> => {
    const formatted = calls.map(({ method, params }) => formatCall(table, method, params))
    if (hasBatches && calls.length > 1) {
      try {
        const once = calls.some(({ method }) => isOnce(method))
        const { answers } = await repeat(once, own.signal, () => ask(formatted, own))
        return await Promise.all(
          answers.map(({ error, result }, index) =>
            error
              ? { error }
              : outcome(async () => parseResult(table, calls[index]?.method as string, result, target)),
          ),
        )
      } catch (error) {
        if (!isRpcError(error) || !rejectsBatches(error)) throw error
        hasBatches = false
      }
    }
    return inParallel(calls, ({ method, params }) => outcome(() => callOne(method, params as never, own)))
  }

  return { call: callOne, batch: (calls, own = {}) => batchOf(calls, own) as never }
}

function rejectsBatches(error: RpcError): boolean {
  return NO_BATCH.includes(error.details.rpcCode) || classify(error) === 'tooLarge'
}

async function outcome<R>(run: () => Promise<R>): Promise<Outcome<R>> {
  try {
    return { result: await run() }
  } catch (error) {
    if (!isRpcError(error) || error.code === 'RPC_ABORTED') throw error
    return { error }
  }
}

async function inParallel<A, R>(items: readonly A[], run: (item: A) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  const rest = items.entries()
  const work = async () => {
    for (const [index, item] of rest) results[index] = await run(item)
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return results
}

/** Returns a function that runs a request until it succeeds, fails for good, or was sent often enough. */
function createRepeater({
  attempts = 3,
  backoffMs: first = 200,
  maxBackoffMs: longest = 2_000,
  maxRetryAfterMs = 60_000,
  clock = systemClock,
  random = Math.random,
}: HttpClientOptions) {
  const delayAfter = (error: unknown, failures: number, isOnce: boolean): number | undefined => {
    if (!isRpcError(error) || failures >= attempts) return undefined
    if (!PASSING.includes(classify(error)) || (isOnce && mayHaveRun(error))) return undefined
    const { retryAfterMs = 0 } = error.details
    return retryAfterMs > maxRetryAfterMs
      ? undefined
      : Math.max(retryAfterMs, backoff(failures, { random, first, longest }))
  }
  return async <R>(isOnce: boolean, signal: AbortSignal | undefined, run: () => Promise<R>): Promise<R> => {
    for (let failures = 1; ; failures += 1) {
      try {
        return await run()
      } catch (error) {
        const delayMs = delayAfter(error, failures, isOnce)
        if (delayMs === undefined) throw error
        await clock.sleep(delayMs, signal).catch((cause: unknown) => {
          throw new RpcError('RPC_ABORTED', 'aborted while waiting for the next attempt', { cause })
        })
      }
    }
  }
}
