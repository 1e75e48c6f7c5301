import type { ValidatorSet } from '@firn/warp'
import type * as Clock from './Clock.ts'
import * as Coalescing from './Coalescing.ts'
import * as Hedge from './Hedge.ts'
import * as Callers from './internal/Callers.ts'
import { prepare } from './internal/Preparation.ts'
import * as Run from './internal/Run.ts'
import type { Tools } from './internal/State.ts'
import * as Options from './Options.ts'
import type { Progress } from './Progress.ts'
import type { Report } from './Report.ts'
import type * as Retry from './Retry.ts'
import * as SignatureCache from './SignatureCache.ts'
import * as Standing from './Standing.ts'
import type { Transport } from './Transport.ts'

/** What an aggregator stands on. */
export interface AggregatorDependencies {
  readonly transport: Transport
  readonly clock: Clock.Clock
  /** Returns a number in [0, 1), for the jitter of retries. Default: the platform's cryptographic source. */
  readonly random?: () => number
  /** Shared between aggregators if wished. Default: a new one of `cacheBytes`. */
  readonly cache?: SignatureCache.SignatureCache
  readonly options?: Partial<Options.Options>
}

/** One wish for a signed message. */
export interface AggregationRequest {
  /** The unsigned Warp message, exactly the bytes that the validators sign. */
  readonly message: Uint8Array
  /** Passed on to the validators; only the P-chain reads it. */
  readonly justification?: Uint8Array
  /** The set at the height at which the receiver will verify. */
  readonly validatorSet: ValidatorSet.ValidatorSet
  /** Canonical indices that cannot sign (L1 validators without balance): never asked, their weight counts. */
  readonly inactive?: ReadonlySet<number>
  /** Integer 1 to 100: weight without which there is no result. */
  readonly quorumPercentage: number
  /** Integer, with the quorum at most 100: weight wished beyond the quorum. Default 0. */
  readonly bufferPercentage?: number
  /** Milliseconds from now in which the result must be there. */
  readonly deadlineMs: number
  /** Which refusals mean "not yet". Default: by the message's source chain (32 zero bytes: P-chain). */
  readonly chainKind?: Retry.ChainKind
  readonly signal?: AbortSignal
  /** Called on each change; an exception of it fails this call only. */
  readonly onProgress?: (progress: Progress) => void
}

/** A signed message that was verified as its receiver will, and what became of every validator. */
export interface AggregationResult {
  /** The encoded signed Warp message. */
  readonly signedMessage: Uint8Array
  /** Canonical indices of the signers in the message, ascending. */
  readonly signers: readonly number[]
  /** Weight of the signers in the message. */
  readonly signedWeight: bigint
  readonly totalWeight: bigint
  /** Weight that the quorum needs: ⌈total · quorum / 100⌉. */
  readonly neededWeight: bigint
  readonly report: Report
}

/** Collects signatures; made by {@link createAggregator}. */
export interface Aggregator {
  /**
   * Returns the signed message once quorum + buffer is collected, or with less buffer when nothing more can come
   * or the deadline is there. Equal requests in flight share one run; each keeps its own deadline and signal.
   *
   * @throws AggregationError
   */
  aggregate(request: AggregationRequest): Promise<AggregationResult>
  /** How many different runs are in flight. */
  readonly inFlight: number
}

/** Returns an aggregator over the transport. It holds no timers or connections while nothing is in flight. */
export function createAggregator(dependencies: AggregatorDependencies): Aggregator {
  const options = { ...Options.defaults, ...dependencies.options }
  const tools: Tools = {
    transport: dependencies.transport,
    clock: dependencies.clock,
    random: dependencies.random ?? cryptoRandom,
    cache: dependencies.cache ?? SignatureCache.create({ maxBytes: options.cacheBytes }),
    options,
    history: Hedge.createHistory(),
    standing: Standing.create(),
  }
  const runs = Coalescing.create<Run.Run>()
  return {
    async aggregate(request) {
      const { job, key } = prepare(request, options)
      const { signal, onProgress, deadlineMs } = request
      if (signal?.aborted) throw Callers.aborted(signal.reason)
      const run = runs.join(key, () => {
        const started: Run.Run = Run.create(tools, job, () => runs.leave(key, started))
        return started
      })
      return run.join({
        deadline: tools.clock.now() + deadlineMs,
        ...(signal !== undefined && { signal }),
        ...(onProgress !== undefined && { onProgress }),
      })
    },
    get inFlight() {
      return runs.size
    },
  }
}

function cryptoRandom(): number {
  const [word = 0] = crypto.getRandomValues(new Uint32Array(1))
  return word / 2 ** 32
}
