import type { PublicKey } from '@firn/bls'
import { type Clock, createPace, silentTracer, type Tracer, traced } from '@firn/runtime'
import type { AggregationRequest } from './AggregationRequest.ts'
import type { AggregationResult } from './AggregationResult.ts'
import * as Coalescing from './Coalescing.ts'
import * as Hedge from './Hedge.ts'
import * as Callers from './internal/Callers.ts'
import * as LateSignatures from './internal/LateSignatures.ts'
import { prepare } from './internal/Preparation.ts'
import { countMissing } from './internal/Proving.ts'
import * as Run from './internal/Run.ts'
import type { Tools } from './internal/State.ts'
import * as Lanes from './Lanes.ts'
import * as Options from './Options.ts'
import * as Prover from './Prover.ts'
import * as Refusals from './Refusals.ts'
import type { Misconduct } from './Report.ts'
import * as SignatureCache from './SignatureCache.ts'
import * as Standing from './Standing.ts'
import type { Transport } from './Transport.ts'

/** Dependencies of an aggregator. */
export interface AggregatorDependencies {
  readonly transport: Transport
  readonly clock: Clock
  /** Verifies the signatures. Default: in the calling thread. */
  readonly prover?: Prover.Prover
  /**
   * Returns a number in [0, 1), which randomizes retry delays. Default: the platform's cryptographic random
   * source.
   */
  readonly random?: () => number
  /** The signature cache; may be shared between aggregators. Default: a new cache of `cacheBytes` bytes. */
  readonly cache?: SignatureCache.SignatureCache
  readonly options?: Partial<Options.Options>
  /** Records each run with its requests to nodes. Default: none. */
  readonly tracer?: Tracer
}

/** What a request costs. */
export interface AggregationPlan {
  /** Equal for requests that share one run if they are concurrent. */
  readonly key: string
  /** Number of validators that may have to be queried: 0 if the cached signatures or remembered refusals decide. */
  readonly queries: number
}

/** Collects signatures and returns signed messages; created by {@link createAggregator}. */
export interface Aggregator {
  /**
   * Returns the signed message as soon as validators with the weight of quorum plus buffer have signed.
   * Returns it with less buffer when no more signatures can arrive or the deadline has passed. Equal
   * concurrent requests share one run; each request keeps its own deadline and signal.
   *
   * @throws AggregationError
   */
  aggregate(request: AggregationRequest): Promise<AggregationResult>
  /**
   * Returns the recent failure because of which a validator is queried last: it was silent or sent a wrong signature.
   * Returns undefined if there is none. The key object must be the one in the validator sets of the requests.
   */
  lately(publicKey: PublicKey.PublicKey): Misconduct | undefined
  /**
   * Returns what a request would cost now, without starting it.
   *
   * @throws AggregationError `AGGREGATION_INPUT`
   */
  plan(request: AggregationRequest): AggregationPlan
  /** Number of runs in progress; equal concurrent requests count as one. */
  readonly inFlight: number
  /** Numbers of requests to nodes: in flight, and queued until the limits allow them. */
  readonly requests: { readonly inFlight: number; readonly queued: number }
}

/**
 * Returns an aggregator that sends its requests over the given transport. It holds no timers or connections
 * while no run is in progress.
 *
 * @example
 * ```ts
 * import { createAggregator, type Transport } from '@firn/aggregation'
 * import { systemClock } from '@firn/runtime'
 *
 * declare const transport: Transport
 * const aggregator = createAggregator({ transport, clock: systemClock, options: { cacheBytes: 16 << 20 } })
 * aggregator.inFlight // 0
 * ```
 */
export function createAggregator(dependencies: AggregatorDependencies): Aggregator {
  const options = { ...Options.defaults, ...dependencies.options }
  const cache = dependencies.cache ?? SignatureCache.create({ maxBytes: options.cacheBytes })
  const { clock, prover = Prover.create(clock) } = dependencies
  const tools: Tools = {
    transport: dependencies.transport,
    prover,
    clock,
    random: dependencies.random ?? cryptoRandom,
    cache,
    options,
    history: Hedge.createHistory(),
    standing: Standing.create(),
    refusals: Refusals.create(options),
    lateSignatures: LateSignatures.create(clock, prover, cache),
    lanes: createLanes(options),
    pace: createPace(clock, Run.QUERIES_PER_TURN),
    tracer: dependencies.tracer ?? silentTracer,
  }
  const runs = Coalescing.create<Run.Run>()
  return {
    async aggregate(request) {
      const { job, key } = prepare(request, options)
      const { signal, onProgress, onRequestSent = () => undefined, deadlineMs, waitMs, onWaiting } = request
      if (signal?.aborted) throw Callers.aborted(signal.reason)
      let isShared = true
      const run = runs.join(key, () => {
        isShared = false
        const onClosed = () => runs.leave(key, started)
        const started: Run.Run = Run.create(tools, job, { onClosed, onRequestSent })
        return started
      })
      const join = () =>
        run.join({
          joinedAt: tools.clock.now(),
          deadlineMs,
          waitMs,
          ...(signal !== undefined && { signal }),
          ...(onProgress !== undefined && { onProgress }),
          ...(onWaiting !== undefined && { onWaiting }),
        })
      if (!isShared) return join()
      return traced(tools.tracer, 'wait for an equal request', () => ({ ...run.span.headers }), join)
    },
    lately: (publicKey) => tools.standing.latest(publicKey, tools.clock.now()),
    plan(request) {
      const { job, key } = prepare(request, options)
      return { key, queries: countMissing(tools, job) }
    },
    get inFlight() {
      return runs.size
    },
    get requests() {
      const { inFlight, queued } = tools.lanes
      return { inFlight, queued }
    },
  }
}

function createLanes(options: Options.Options): Lanes.Lanes {
  return Lanes.create({
    perLane: options.maxRequestsPerRun,
    perNode: options.maxRequestsPerNode,
    inAll: options.maxRequests,
    unsentBytes: options.maxUnsentBytes,
  })
}

function cryptoRandom(): number {
  const [word = 0] = crypto.getRandomValues(new Uint32Array(1))
  return word / 2 ** 32
}
