import {
  type AttemptOptions,
  classifyStatus,
  connect,
  createPool,
  type Endpoint,
  exchange,
  isRpcError,
  mayHaveRun,
  type Observe,
  observed,
  RpcError,
  resolve,
  type Target,
} from '@firn/rpc'
import { NodeError } from './NodeError.ts'

/** The unmodified response of an upstream node. */
export interface UpstreamAnswer {
  readonly status: number
  /** Headers by lowercase name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Optional parts of a request to an upstream. */
export interface UpstreamCall {
  /** HTTP method; defaults to `POST`. */
  readonly method?: string
  /** Request headers; default to `{ 'content-type': 'application/json' }`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether to send the request to another upstream only if the first one cannot have run it. */
  readonly isOnce?: boolean
  readonly signal?: AbortSignal
}

/** Options of {@link Upstream.method}. */
export type MethodOptions = Pick<AttemptOptions<never>, 'signal' | 'isOnce'>

/** The state of one upstream. */
export interface UpstreamHealth {
  /** Base URL without query and credentials. */
  readonly url: string
  readonly healthy: boolean
  /** Reason why the last call failed; undefined after a successful call. */
  readonly lastError: string | undefined
}

/** The upstream nodes. Requests that a replica cannot serve itself are forwarded to them byte for byte. */
export interface Upstream {
  /**
   * Sends a body to a path, such as `/ext/bc/P`, of the first upstream that responds and is not overloaded. If only
   * overloaded upstreams respond, returns the response of the last one.
   * @throws NodeError `NODE_UPSTREAM` if no upstream responded in time
   */
  call(path: string, body: Uint8Array, call?: UpstreamCall): Promise<UpstreamAnswer>
  /**
   * Calls a JSON-RPC method of the upstream and returns its result. Parameters and result are JSON. With `isOnce`, the
   * call is sent to another upstream only if the first one cannot have run it.
   * @throws RpcError `RPC_REMOTE` with the upstream's own message; NodeError `NODE_UPSTREAM`
   */
  method(path: string, method: string, params: unknown, options?: MethodOptions): Promise<unknown>
  /** Returns the target of a path at each upstream, in the order in which the upstreams should be tried. */
  targets(path: string): readonly Target[]
  /** Returns the state of each upstream, in order of preference. */
  health(): readonly UpstreamHealth[]
}

/** Options of {@link createUpstream}. */
export interface UpstreamOptions {
  /** Base URLs of node APIs in order of preference, such as `http://127.0.0.1:9650`; at least one. */
  readonly urls: readonly string[]
  readonly timeoutMs: number
  readonly fetch: typeof fetch
  /** Returns a time in milliseconds, with an arbitrary origin. */
  readonly now: () => number
  /** Time in milliseconds during which a failed upstream is tried last; defaults to 10,000. */
  readonly cooldownMs?: number
  /** Observes each request. */
  readonly observe?: Observe | undefined
}

/**
 * Maximum size of an upstream's response in bytes. Responses to debug and trace calls of whole blocks are
 * long.
 */
const MAX_RESPONSE_BYTES = 256 * 1024 * 1024
const JSON_HEADERS = { 'content-type': 'application/json' }

/**
 * Creates an upstream from several nodes. Requests go to the first node that responds; a node that failed
 * recently is tried last.
 * @example
 * ```ts
 * import { createUpstream } from '@firn/node-api'
 *
 * const upstream = createUpstream({
 *   urls: ['http://127.0.0.1:9650'],
 *   timeoutMs: 10_000,
 *   fetch,
 *   now: () => performance.now(),
 * })
 * ```
 * @throws RpcError `RPC_SCHEMA` if no URL is given
 */
export function createUpstream({
  urls,
  timeoutMs,
  fetch,
  now,
  cooldownMs = 10_000,
  observe,
}: UpstreamOptions): Upstream {
  const pool = createPool<Endpoint>({
    values: urls.map((url) => ({ url })),
    now,
    cooldownMs: () => cooldownMs,
  })
  const limits = { timeoutMs, maxResponseBytes: MAX_RESPONSE_BYTES }
  const attempt = async <T extends object>(
    work: (endpoint: Endpoint) => Promise<T>,
    options: AttemptOptions<Endpoint>,
  ) => {
    try {
      return (await pool.attempt(work, options)) as T
    } catch (error) {
      if (!isRpcError(error)) throw error
      const { rpcMessage } = error.details
      if (rpcMessage !== undefined) throw new RpcError('RPC_REMOTE', rpcMessage, { details: error.details })
      const reasons = pool.members.flatMap(({ lastError }) => lastError?.message ?? [])
      const words = options.signal?.aborted ? 'the client disconnected' : reasons.join('; ')
      const note = options.isOnce && mayHaveRun(error) ? '; the request may have taken effect' : ''
      throw new NodeError('NODE_UPSTREAM', `no upstream node answered (${words})${note}`)
    }
  }
  return {
    async call(path, body, { method = 'POST', headers = JSON_HEADERS, isOnce = false, signal } = {}) {
      const request = {
        method,
        headers: { 'accept-encoding': 'identity', ...headers },
        ...(method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) }),
        redirect: 'manual',
        signal,
      } as const
      let busy: UpstreamAnswer | undefined
      const send = async (target: Target, own: Readonly<Record<string, string>>): Promise<UpstreamAnswer> => {
        const sent = { ...request, headers: { ...request.headers, ...own } }
        const { status, headers, body } = await exchange(target, sent, limits, fetch)
        const answer = { status, headers: Object.fromEntries(headers), body }
        if (!isOverloaded(status)) return answer
        busy = answer
        throw new RpcError('RPC_HTTP', `${target.name} answered HTTP status ${status}`, {
          details: { httpStatus: status },
        })
      }
      const sendObserved = (endpoint: Endpoint) => {
        const target = resolve(endpoint, path)
        return observed(observe, { upstream: target.name, methods: [] }, (own) => send(target, own))
      }
      return attempt(sendObserved, { signal, isOnce, isFinal: () => false }).catch((error: unknown) => {
        if (busy === undefined || signal?.aborted) throw error
        return busy
      })
    },
    async method(path, method, params, { signal, isOnce = false } = {}) {
      const call = async (endpoint: Endpoint) => {
        const connection = connect({ ...endpoint, ...limits, path, fetch, observe })
        return { result: await connection.call(method, params, { signal }) }
      }
      return (await attempt(call, { signal, isOnce })).result
    },
    targets: (path) => pool.order().map(({ value }) => resolve(value, path)),
    health: () =>
      pool.members.map(({ value, isUp, lastError }) => ({
        url: resolve(value).location,
        healthy: isUp,
        lastError: lastError?.message,
      })),
  }
}

/**
 * Returns whether an HTTP status means that the upstream is overloaded, so that another upstream should be
 * tried.
 */
function isOverloaded(status: number): boolean {
  return ['limited', 'unavailable'].includes(classifyStatus(status))
}
