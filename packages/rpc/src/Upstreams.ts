import { type CallOptions, type Client, createClient } from './Client.ts'
import type { MethodTable } from './MethodTable.ts'
import { isRpcError, RpcError } from './RpcError.ts'

/** One server that can answer. */
export interface Endpoint {
  /** Base without path, as `https://api.avax.network`. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

/** What {@link createUpstreams} needs. */
export interface UpstreamsOptions {
  /** In order of preference; at least one. */
  readonly endpoints: readonly Endpoint[]
  readonly fetch?: typeof fetch
  /** For one attempt; 10,000 ms if not given. */
  readonly timeoutMs?: number
  /** How often the whole list is gone through; 3 if not given. */
  readonly rounds?: number
  /** The first pause between rounds; doubles each time up to `maxBackoffMs`. 200 and 2,000 ms if not given. */
  readonly backoffMs?: number
  readonly maxBackoffMs?: number
  /** How long an endpoint that failed is asked last; 10,000 ms if not given. */
  readonly cooldownMs?: number
  readonly maxResponseBytes?: number
  /** Whether another attempt can help; {@link isTransient} if not given. */
  readonly retryable?: (error: RpcError) => boolean
  readonly clock: UpstreamsClock
  /** Uniform in [0, 1), for the jitter. */
  readonly random: () => number
}

/** Time, given from outside so that tests need not wait. */
export interface UpstreamsClock {
  /** Milliseconds. */
  now(): number
  /** Resolves after that time, or rejects when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** How an endpoint has been doing. */
export interface EndpointHealth {
  readonly url: string
  readonly healthy: boolean
  readonly consecutiveFailures: number
  readonly calls: number
  readonly failures: number
  /** Of the last successful call; undefined before the first. */
  readonly latencyMs: number | undefined
  /** By the clock; undefined before the first success. */
  readonly lastSuccessMs: number | undefined
  /** The code of the last failure since the last success. */
  readonly lastErrorCode: string | undefined
}

/** Several servers behind one face. */
export interface Upstreams {
  /** Returns a client for a table at a path under every base, such as `/ext/bc/P`; its calls fail over and retry. */
  client<T extends MethodTable>(table: T, path: string): Client<T>
  /** Returns how each endpoint is doing, in the order given. */
  health(): readonly EndpointHealth[]
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type State = Mutable<EndpointHealth> & { failedAtMs: number; readonly endpoint: Endpoint }

/** Returns whether another attempt can help: no answer, an answer that is not one, a status of overload or absence. */
export function isTransient(error: RpcError): boolean {
  if (error.code === 'RPC_HTTP')
    return (
      [404, 408, 425, 429].includes(error.details.httpStatus ?? 0) || (error.details.httpStatus ?? 0) >= 500
    )
  return error.code === 'RPC_TRANSPORT' || error.code === 'RPC_TIMEOUT' || error.code === 'RPC_RESPONSE'
}

/** Returns a face for several servers: healthy ones first, the next at once, jittered pauses between rounds. */
export function createUpstreams(options: UpstreamsOptions): Upstreams {
  if (options.endpoints.length === 0)
    throw new RpcError('RPC_SCHEMA', 'expected at least one endpoint, got none')
  const states = options.endpoints.map(newState)
  return {
    client: (table, path) => clientOf(table, path, states, options),
    health: () => states.map(({ endpoint: _endpoint, failedAtMs: _failedAt, ...health }) => health),
  }
}

function newState(endpoint: Endpoint): State {
  return {
    endpoint,
    url: endpoint.url,
    healthy: true,
    consecutiveFailures: 0,
    calls: 0,
    failures: 0,
    latencyMs: undefined,
    lastSuccessMs: undefined,
    lastErrorCode: undefined,
    failedAtMs: Number.NEGATIVE_INFINITY,
  }
}

function clientOf<T extends MethodTable>(
  table: T,
  path: string,
  states: readonly State[],
  options: UpstreamsOptions,
): Client<T> {
  const clients = new Map(
    states.map((state) => [state, createClient(table, clientOptions(state.endpoint, path, options))]),
  )
  return {
    async call(method, ...[params, callOptions = {}]) {
      const attempt = (state: State) => {
        const target = clients.get(state) as unknown as UntypedClient
        return target.call(method, params, callOptions)
      }
      return (await callWithRetry(attempt, states, options, callOptions)) as never
    },
  }
}

interface UntypedClient {
  call(method: string, params: unknown, options: CallOptions): Promise<unknown>
}

function clientOptions(endpoint: Endpoint, path: string, options: UpstreamsOptions) {
  const { fetch, timeoutMs, maxResponseBytes } = options
  return {
    ...endpoint,
    url: endpoint.url.replace(/\/+$/, '') + path,
    ...(fetch === undefined ? {} : { fetch }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxResponseBytes === undefined ? {} : { maxResponseBytes }),
  }
}

async function callWithRetry(
  attempt: (state: State) => Promise<unknown>,
  states: readonly State[],
  options: UpstreamsOptions,
  call: CallOptions,
): Promise<unknown> {
  const retryable = options.retryable ?? isTransient
  const rounds = options.rounds ?? 3
  for (let round = 1; ; round += 1) {
    const order = preferred(states, options)
    for (const [index, state] of order.entries()) {
      try {
        return await observed(attempt, state, options)
      } catch (error) {
        if (!isRpcError(error) || !retryable(error)) throw error
        if (round >= rounds && index === order.length - 1) throw error
      }
    }
    await pause(round, options, call.signal)
  }
}

/** Endpoints that failed lately come last; otherwise the given order stays. */
function preferred(states: readonly State[], options: UpstreamsOptions): readonly State[] {
  const now = options.clock.now()
  const cooling = (state: State) => !state.healthy && now - state.failedAtMs < (options.cooldownMs ?? 10_000)
  return [...states.filter((state) => !cooling(state)), ...states.filter(cooling)]
}

async function observed(
  attempt: (state: State) => Promise<unknown>,
  state: State,
  { clock }: UpstreamsOptions,
): Promise<unknown> {
  const start = clock.now()
  state.calls += 1
  try {
    const result = await attempt(state)
    succeeded(state, start, clock.now())
    return result
  } catch (error) {
    if (isRpcError(error)) recordError(state, error, start, clock.now())
    throw error
  }
}

function succeeded(state: State, start: number, now: number): void {
  Object.assign(state, {
    healthy: true,
    consecutiveFailures: 0,
    lastErrorCode: undefined,
    latencyMs: now - start,
    lastSuccessMs: now,
  })
}

/** A method's error and a caller's abort say nothing bad of the endpoint. */
function recordError(state: State, error: RpcError, start: number, now: number): void {
  if (error.code === 'RPC_REMOTE') succeeded(state, start, now)
  if (error.code === 'RPC_REMOTE' || error.code === 'RPC_ABORTED' || error.code === 'RPC_SCHEMA') return
  state.failures += 1
  state.consecutiveFailures += 1
  Object.assign(state, { healthy: false, lastErrorCode: error.code, failedAtMs: now })
}

async function pause(
  round: number,
  options: UpstreamsOptions,
  signal: AbortSignal | undefined,
): Promise<void> {
  const full = Math.min((options.backoffMs ?? 200) * 2 ** (round - 1), options.maxBackoffMs ?? 2_000)
  try {
    await options.clock.sleep(full / 2 + (full / 2) * options.random(), signal)
  } catch (cause) {
    throw new RpcError('RPC_ABORTED', 'aborted between two attempts', { cause })
  }
}
