import { isFirnError } from '@firn/codec'
import { classify, mayHaveRun, POLICIES } from './Failure.ts'
import { isRpcError, RpcError } from './RpcError.ts'

/** The health of one server. */
export interface Health {
  /** False from a failure until the next success, otherwise true. */
  readonly isUp: boolean
  readonly consecutiveFailures: number
  readonly calls: number
  readonly failures: number
  /** Number of calls that have no response yet. */
  readonly inFlight: number
  /** Latency of the last successful call in milliseconds; undefined before the first success. */
  readonly latencyMs: number | undefined
  /** Time of the last success, as returned by {@link PoolOptions.now}; undefined before the first success. */
  readonly lastSuccessMs: number | undefined
  /** Error of the last failure; undefined after a success. */
  readonly lastError: Error | undefined
}

/** A server of a pool with its health and its cool-down. */
export interface Member<T> extends Health {
  readonly value: T
  /** End of the cool-down, as returned by {@link PoolOptions.now}. Until then, the server is tried last. */
  readonly coolingUntil: number
  /**
   * End of the retry delay that the server requested, as returned by {@link PoolOptions.now}. Until then, the server
   * should not be called.
   */
  readonly throttledUntil: number
}

/** Options of {@link createPool}. */
export interface PoolOptions<T> {
  /** The servers in order of preference, at least one. */
  readonly values: readonly T[]
  /** Returns a time in milliseconds, with an arbitrary origin. */
  readonly now: () => number
  /**
   * Returns the cool-down in milliseconds after the given number of consecutive failures; 10,000 by default.
   */
  readonly cooldownMs?: (failures: number) => number
  /**
   * Returns the milliseconds until the rate limiter of a server allows the next call; 0 by default. {@link
   * Pool.order} treats this time like a cool-down.
   */
  readonly waitMs?: (value: T) => number
}

/** Options of {@link Pool.attempt}. */
export interface AttemptOptions<T> {
  /** Signal that aborts the attempts. */
  readonly signal?: AbortSignal | undefined
  /** The servers to try; by default the result of {@link Pool.order}. */
  readonly order?: readonly Member<T>[]
  /**
   * Returns whether an error is final, so that no other server is tried. By default, the failure class
   * decides.
   */
  readonly isFinal?: (error: Error) => boolean
  /**
   * Whether a second call can fail because of the first one; false by default. Then an error is also final if the
   * server may have run the method: no other server is tried.
   */
  readonly isOnce?: boolean
  /**
   * Returns whether an error is the server's fault although its failure class is not, so that the server is tried last
   * for a while; false by default.
   */
  readonly isFault?: (error: Error) => boolean
  /**
   * Whether a success ends the server's cool-down; true by default. False for calls that also succeed on a
   * server whose other answers are wrong.
   */
  readonly endsCooldown?: boolean
}

/** A set of interchangeable servers. */
export interface Pool<T> {
  readonly members: readonly Member<T>[]
  /**
   * Returns the candidates, by default all servers, in the order in which to try them. Servers that are not
   * cooling down come first, in the given order. The others are sorted by the end of their cool-down.
   */
  order(candidates?: readonly Member<T>[]): readonly Member<T>[]
  /**
   * Calls `work` with one server after the other, records failures, and returns the first result that is not
   * undefined. Returns undefined if no server has a result and none failed.
   * @throws the last error, or the first final error
   */
  attempt<R>(
    work: (value: T, member: Member<T>) => Promise<R>,
    options?: AttemptOptions<T>,
  ): Promise<R | undefined>
  /** Records the start of a call and returns a function that records its end. */
  begin(member: Member<T>): () => void
  succeeded(member: Member<T>, latencyMs?: number): void
  /**
   * Records a failure and starts the cool-down of the server. If `retryAfterMs` is given, the cool-down lasts at
   * least that long, but a longer delay than {@link MAX_RETRY_AFTER_MS} is reduced to it.
   */
  failed(member: Member<T>, error: Error, retryAfterMs?: number): void
}

type State<T> = { -readonly [K in keyof Member<T>]: Member<T>[K] }

const COOLDOWN_MS = 10_000
/** Maximum retry delay in milliseconds. Longer delays are reduced to this value. */
export const MAX_RETRY_AFTER_MS = 60_000

/**
 * Creates a pool of servers without any history.
 * @example
 * ```ts
 * import { createPool } from '@firn/rpc'
 *
 * const pool = createPool({ values: ['a.example:9650', 'b.example:9650'], now: Date.now })
 * const name = await pool.attempt(async (host) => host)
 * name // 'a.example:9650'
 * ```
 * @throws RpcError `RPC_SCHEMA` if no server is given
 */
export function createPool<T>({
  values,
  now,
  cooldownMs = () => COOLDOWN_MS,
  waitMs = () => 0,
}: PoolOptions<T>): Pool<T> {
  if (values.length === 0)
    throw new RpcError(
      'RPC_SCHEMA',
      'cannot create a pool of servers: expected at least one endpoint, got none',
    )
  const states = values.map(createState)
  const stateOf = (member: Member<T>) => member as State<T>
  const pool: Pool<T> = {
    members: states,
    order(candidates = states) {
      const time = now()
      const remaining = ({ value, coolingUntil }: Member<T>) =>
        Math.max(coolingUntil - time, waitMs(value), 0)
      return candidates.toSorted((one, other) => remaining(one) - remaining(other))
    },
    begin(member) {
      const state = stateOf(member)
      state.calls += 1
      state.inFlight += 1
      return () => {
        state.inFlight -= 1
      }
    },
    succeeded(member, latencyMs = member.latencyMs) {
      const success = { isUp: true, consecutiveFailures: 0, lastError: undefined, coolingUntil: 0 }
      Object.assign(stateOf(member), success, { latencyMs, lastSuccessMs: now() })
    },
    failed(member, error, retryAfterMs = 0) {
      const state = stateOf(member)
      state.failures += 1
      state.consecutiveFailures += 1
      const delayMs = Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)
      if (delayMs > 0) state.throttledUntil = now() + delayMs
      const coolingUntil = now() + Math.max(cooldownMs(state.consecutiveFailures), delayMs)
      Object.assign(state, { isUp: false, lastError: error, coolingUntil })
    },
    async attempt(work, options = {}) {
      const { signal, order = pool.order(), endsCooldown = true } = options
      const { isFinal = isFinalByClass, isFault = () => false, isOnce = false } = options
      let failure: Error | undefined
      for (const member of order) {
        const start = now()
        const end = pool.begin(member)
        try {
          const result = await work(member.value, member)
          // A missing result says nothing about the server's health.
          if (result === undefined) continue
          if (endsCooldown) pool.succeeded(member, now() - start)
          return result
        } catch (error) {
          if (signal?.aborted || !isFirnError(error)) throw error
          record(pool, member, error, now() - start, isFault(error))
          if (isFinal(error) || (isOnce && isPossiblyRun(error))) throw error
          failure = error
        } finally {
          end()
        }
      }
      if (failure !== undefined) throw failure
      return undefined
    },
  }
  return pool
}

function createState<T>(value: T): State<T> {
  return {
    value,
    isUp: true,
    consecutiveFailures: 0,
    calls: 0,
    failures: 0,
    inFlight: 0,
    latencyMs: undefined,
    lastSuccessMs: undefined,
    lastError: undefined,
    coolingUntil: 0,
    throttledUntil: 0,
  }
}

/**
 * Records the outcome of a failed call. A server whose method responded with an error counts as healthy, unless
 * `isFault`. Other failures, such as an aborted call, do not change the server's health.
 */
function record<T>(
  pool: Pool<T>,
  member: Member<T>,
  error: Error,
  milliseconds: number,
  isFault: boolean,
): void {
  const failure = isRpcError(error) ? classify(error) : undefined
  if (isFault || failure === undefined || POLICIES[failure].isFault)
    pool.failed(member, error, isRpcError(error) ? error.details.retryAfterMs : undefined)
  else if (failure === 'answered' || failure === 'tooLarge') pool.succeeded(member, milliseconds)
}

function isFinalByClass(error: Error): boolean {
  return isRpcError(error) && POLICIES[classify(error)].next === 'final'
}

/** Returns whether the server may have run the method. Of an error of another package, nothing is known. */
function isPossiblyRun(error: Error): boolean {
  return !isRpcError(error) || mayHaveRun(error)
}
