import { isFirnError } from '@firn/codec'
import { classify, POLICIES } from './Failure.ts'
import { isRpcError, RpcError } from './RpcError.ts'

/** The health of one server. */
export interface Health {
  /** False after a failure, until the next success. */
  readonly isUp: boolean
  readonly consecutiveFailures: number
  readonly calls: number
  readonly failures: number
  /** Calls without an answer yet. */
  readonly inFlight: number
  /** Of the last successful call; undefined before the first. */
  readonly latencyMs: number | undefined
  /** Measured by `now`; undefined before the first success. */
  readonly lastSuccessMs: number | undefined
  /** Of the last failure, if no call has succeeded since. */
  readonly lastError: Error | undefined
}

/** One server of a pool. */
export interface Member<T> extends Health {
  readonly value: T
  /** The server is tried last until this time of `now`. */
  readonly restsUntil: number
  /** The server asked not to be called until this time. */
  readonly refusesUntil: number
}

/** Receives the outcome of each call, for metrics. */
export type Observe<T> = (event: {
  readonly value: T
  readonly milliseconds: number
  /** Undefined when the call succeeded. */
  readonly error: Error | undefined
}) => void

/** Options of {@link createPool}. */
export interface PoolOptions<T> {
  /** In order of preference; at least one. */
  readonly values: readonly T[]
  /** Returns milliseconds since an arbitrary start. */
  readonly now: () => number
  /** Returns how long a server is tried last after this many consecutive failures; 10,000 ms by default. */
  readonly restMs?: (failures: number) => number
  readonly observe?: Observe<T> | undefined
}

/** Options of {@link Pool.attempt}. */
export interface AttemptOptions<T> {
  /** Aborts the attempts. */
  readonly signal?: AbortSignal | undefined
  /** The servers to try; {@link Pool.order} by default. */
  readonly order?: readonly Member<T>[]
  /** Whether trying another server is pointless; decided by the failure class by default. */
  readonly isFinal?: (error: Error) => boolean
}

/** Interchangeable servers. */
export interface Pool<T> {
  readonly members: readonly Member<T>[]
  /**
   * Returns all servers, best first: those not cooling down in the given order, then the others by the end of
   * their cool-down.
   */
  order(): readonly Member<T>[]
  /**
   * Returns the first result of `work` that is not undefined, trying one server after the other. Failures are
   * recorded. Returns undefined if no server has a result and none failed.
   * @throws the last error, or one that is final
   */
  attempt<R>(
    work: (value: T, member: Member<T>) => Promise<R>,
    options?: AttemptOptions<T>,
  ): Promise<R | undefined>
  /** Records the start of a call; the returned function records its end. */
  begin(member: Member<T>): () => void
  succeeded(member: Member<T>, latencyMs?: number): void
  /** Starts a server's cool-down, of at least `retryAfterMs` if given. */
  failed(member: Member<T>, error: Error, retryAfterMs?: number): void
}

type State<T> = { -readonly [K in keyof Member<T>]: Member<T>[K] }

const REST_MS = 10_000
/** Longer retry delays are capped at this. */
const MAX_RETRY_AFTER_MS = 60_000

/** Creates a pool of servers without any history. @throws RpcError `RPC_SCHEMA` if there are none */
export function createPool<T>({ values, now, restMs = () => REST_MS, observe }: PoolOptions<T>): Pool<T> {
  if (values.length === 0) throw new RpcError('RPC_SCHEMA', 'expected at least one endpoint, got none')
  const states = values.map(createState)
  const stateOf = (member: Member<T>) => member as State<T>
  const pool: Pool<T> = {
    members: states,
    order() {
      const time = now()
      const rest = ({ restsUntil }: Member<T>) => Math.max(restsUntil - time, 0)
      return states.toSorted((one, other) => rest(one) - rest(other))
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
      const success = { isUp: true, consecutiveFailures: 0, lastError: undefined, restsUntil: 0 }
      Object.assign(stateOf(member), success, { latencyMs, lastSuccessMs: now() })
    },
    failed(member, error, retryAfterMs = 0) {
      const state = stateOf(member)
      state.failures += 1
      state.consecutiveFailures += 1
      const refusalMs = Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)
      if (refusalMs > 0) state.refusesUntil = now() + refusalMs
      const restsUntil = now() + Math.max(restMs(state.consecutiveFailures), refusalMs)
      Object.assign(state, { isUp: false, lastError: error, restsUntil })
    },
    async attempt(work, { signal, order = pool.order(), isFinal = isFinalByClass } = {}) {
      let failure: Error | undefined
      for (const member of order) {
        const start = now()
        const end = pool.begin(member)
        try {
          const result = await work(member.value, member)
          observe?.({ value: member.value, milliseconds: now() - start, error: undefined })
          // An empty result says nothing about the server's health.
          if (result === undefined) continue
          pool.succeeded(member, now() - start)
          return result
        } catch (error) {
          if (signal?.aborted || !isFirnError(error)) throw error
          observe?.({ value: member.value, milliseconds: now() - start, error })
          record(pool, member, error, now() - start)
          if (isFinal(error)) throw error
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
    restsUntil: 0,
    refusesUntil: 0,
  }
}

/** A method error means that the server is healthy. An abort says nothing about it. */
function record<T>(pool: Pool<T>, member: Member<T>, error: Error, milliseconds: number): void {
  const failure = isRpcError(error) ? classify(error) : undefined
  if (failure === undefined || POLICIES[failure].isFault)
    pool.failed(member, error, isRpcError(error) ? error.details.retryAfterMs : undefined)
  else if (failure === 'answered' || failure === 'tooLarge') pool.succeeded(member, milliseconds)
}

function isFinalByClass(error: Error): boolean {
  return isRpcError(error) && POLICIES[classify(error)].next === 'final'
}
