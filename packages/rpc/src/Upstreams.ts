import { backoff, type Clock } from '@firn/runtime'
import type { AskOptions } from './Asker.ts'
import { type Client, createClient } from './Client.ts'
import type { Endpoint } from './Endpoint.ts'
import { classify, mayHaveRun, POLICIES } from './Failure.ts'
import type { Limits } from './HttpExchange.ts'
import type { ClientTable } from './MethodTable.ts'
import type { Observe } from './Observation.ts'
import { createPool, type Health } from './Pool.ts'
import { isRpcError, RpcError } from './RpcError.ts'

/** Options of {@link createUpstreams}. */
export interface UpstreamsOptions extends Limits {
  /**
   * Base URLs without a path, such as `https://api.avax.network`, in order of preference. At least one is
   * required.
   */
  readonly endpoints: readonly Endpoint[]
  readonly fetch?: typeof fetch
  /** Number of rounds; 3 by default. Each round tries every endpoint. */
  readonly rounds?: number
  /**
   * First pause between rounds in milliseconds; 200 by default. Each further pause is twice as long, up to
   * `maxBackoffMs` (2,000 by default).
   */
  readonly backoffMs?: number
  readonly maxBackoffMs?: number
  /** Time in milliseconds for which a failed endpoint is tried last; 10,000 by default. */
  readonly cooldownMs?: number
  /**
   * Returns whether a JSON-RPC error is a valid answer of the method, such as "not found". All other JSON-RPC errors
   * are retried and failed over, and their endpoint is tried last for a while. By default, every JSON-RPC error is an
   * answer.
   */
  readonly isAnswer?: (error: RpcError) => boolean
  /** Observes each request. */
  readonly observe?: Observe | undefined
  readonly clock: Clock
  /** Returns a uniform random number in [0, 1), for the jitter. */
  readonly random: () => number
}

/** Several servers that are used as one. */
export interface Upstreams {
  /**
   * Returns a client for a method table at a path under every base URL, such as `/ext/bc/P`. Its calls fail
   * over and are retried. A method with `isOnce`, such as `platform.issueTx`, is sent again only if no server can have
   * run it: after a refused connection, a rate limit or a missing path.
   */
  client<T extends ClientTable>(table: T, path: string): Client<T>
  /** Returns the health of each endpoint, in the given order. */
  health(): readonly Health[]
}

/**
 * Returns whether a later attempt may succeed, because the failure is not final.
 * @example
 * ```ts
 * import { isTransient, RpcError } from '@firn/rpc'
 *
 * isTransient(new RpcError('RPC_TIMEOUT', 'no response within 10 seconds')) // true
 * ```
 */
export function isTransient(error: RpcError): boolean {
  return POLICIES[classify(error)].next === 'failOver'
}

/**
 * Combines several servers into one. A call tries healthy servers first and fails over immediately. After a round in
 * which all servers failed, it pauses with jitter and starts the next round.
 * @example
 * ```ts
 * import { createUpstreams, PlatformMethods } from '@firn/rpc'
 * import { systemClock } from '@firn/runtime'
 *
 * const upstreams = createUpstreams({
 *   endpoints: [{ url: 'https://api.avax.network' }, { url: 'http://127.0.0.1:9650' }],
 *   clock: systemClock,
 *   random: Math.random,
 * })
 * const { height } = await upstreams.client(PlatformMethods, '/ext/bc/P').call('platform.getHeight')
 * ```
 * @throws RpcError `RPC_SCHEMA` if no endpoint is given
 */
export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const { endpoints, clock, cooldownMs = 10_000, rounds = 3, isAnswer = () => true } = options
  const isFault = (error: Error) => isRpcError(error) && classify(error) === 'answered' && !isAnswer(error)
  const isFinal = (error: Error) => isRpcError(error) && !isTransient(error) && !isFault(error)
  const pool = createPool({ values: endpoints, now: clock.now, cooldownMs: () => cooldownMs })
  return {
    client(table, path) {
      const clients = new Map(
        endpoints.map((endpoint) => [endpoint, createClient(table, { ...options, ...endpoint, path })]),
      )
      return {
        async call(method, ...[params, own = {}]) {
          const isOnce = table[method]?.isOnce === true
          for (let round = 1; ; round += 1) {
            try {
              return (await pool.attempt(
                (endpoint) => {
                  const client = clients.get(endpoint) as UntypedClient
                  return client.call(method, params, own)
                },
                { ...own, isFinal, isFault, isOnce },
              )) as never
            } catch (error) {
              if (!isRpcError(error) || isFinal(error) || round >= rounds) throw error
              if (isOnce && mayHaveRun(error)) throw error
            }
            await pause(round, options, own.signal)
          }
        },
      }
    },
    health: () => pool.members,
  }
}

interface UntypedClient {
  call(method: string, params: unknown, options: AskOptions): Promise<unknown>
}

async function pause(
  round: number,
  options: UpstreamsOptions,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { clock, random, backoffMs: first = 200, maxBackoffMs: longest = 2_000 } = options
  try {
    await clock.sleep(backoff(round, { random, first, longest }), signal)
  } catch (cause) {
    throw new RpcError('RPC_ABORTED', 'aborted while waiting for the next attempt', { cause })
  }
}
