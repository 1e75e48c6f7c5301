import type { Clock } from '@firn/runtime'
import { AggregatorError } from '../errors/AggregatorError.ts'
import { createMemo, withPatience } from '../internal/flights.ts'
import type { PChain } from './PChain.ts'

const TTL_MS = 1_000
/**
 * Cache lifetime of the tip. It is short, because a height that an upstream has just reported must not be
 * rejected as a future height.
 */
const TIP_TTL_MS = 100

/** A height, and the time at which an upstream last confirmed it, in milliseconds as returned by `clock.now()`. */
export interface Confirmed {
  readonly height: bigint
  readonly confirmedAt: number
}

/** The P-chain's heights. They never decrease, because lagging upstreams are ignored. */
export interface Heights {
  /**
   * Returns the proposed height. If an upstream fails or is slow, returns the last known height while it is
   * fresh.
   * @throws AggregatorError `AGGREGATOR_UPSTREAM`, `AGGREGATOR_UPSTREAM_STALE`
   */
  proposed(signal?: AbortSignal): Promise<Confirmed>
  /**
   * Resolves if the height exists and is within the lookback.
   * @throws AggregatorError `AGGREGATOR_HEIGHT`, `AGGREGATOR_UPSTREAM`
   */
  assertServed(height: bigint, signal?: AbortSignal): Promise<void>
  /**
   * Returns the height of the last accepted block. If an upstream fails, returns the last known one.
   * @throws AggregatorError `AGGREGATOR_UPSTREAM` if no height is known
   */
  tip(signal?: AbortSignal): Promise<bigint>
  /** Returns the last known height without a request to an upstream; undefined if no height is known. */
  last(): Confirmed | undefined
}

/** Options of {@link createHeights}. */
export interface HeightsDependencies {
  readonly pChain: PChain
  readonly clock: Clock
  /** Maximum age of a known height that may be used while upstreams fail, in milliseconds. */
  readonly staleAfterMs: number
  /** Maximum time that a caller waits for an upstream before the known height is used, in milliseconds. */
  readonly patienceMs: number
  /** Maximum number of blocks between a height and the tip; negative for no limit. */
  readonly maxLookback: number
}

/** Creates a source of the P-chain's heights. Heights are fetched on demand. */
export function createHeights(dependencies: HeightsDependencies): Heights {
  const { pChain, clock, staleAfterMs, patienceMs, maxLookback } = dependencies
  const proposals = createMemo<Confirmed>({ max: 1, clock, ttlMs: () => TTL_MS })
  const tips = createMemo<bigint>({ max: 1, clock, ttlMs: () => TIP_TTL_MS })
  const newTips = createMemo<bigint>({ max: 1, clock, ttlMs: () => 0 })
  let best: Confirmed | undefined
  let tip = 0n

  const loadProposed = async (): Promise<Confirmed> => {
    const height = await pChain.proposedHeight()
    if (best === undefined || height >= best.height) best = { height, confirmedAt: clock.now() }
    if (height > tip) tip = height
    return best
  }
  const loadTip = async (): Promise<bigint> => {
    const height = await pChain.height()
    if (height > tip) tip = height
    return tip
  }
  const isFresh = (known: Confirmed) => clock.now() - known.confirmedAt <= staleAfterMs

  const assertLookback = (height: bigint) => {
    if (maxLookback >= 0 && height < tip - BigInt(maxLookback)) {
      throw refused(
        height,
        `is more than ${maxLookback} below the tip ${tip}; expected at least ${tip - BigInt(maxLookback)}`,
        { tip, maxLookback },
      )
    }
  }
  return {
    proposed: async (signal) => {
      const known = best
      const flight = proposals.get('', loadProposed, signal)
      if (known !== undefined && isFresh(known)) {
        return withPatience(insteadOfUpstream(flight, known), known, patienceMs, clock)
      }
      const loaded = await flight.catch((cause: unknown) => {
        throw known !== undefined && isUpstreamError(cause)
          ? stale(clock.now() - known.confirmedAt, cause)
          : cause
      })
      if (!isFresh(loaded)) throw stale(clock.now() - loaded.confirmedAt)
      return loaded
    },
    assertServed: async (height, signal) => {
      if (height > tip || tip === 0n) await tips.get('', loadTip, signal)
      if (height > tip) throw refused(height, `is in the future; the P-chain is at ${tip}`, { tip })
      assertLookback(height)
    },
    tip: (signal) => {
      const flight = newTips.get('', loadTip, signal)
      return tip === 0n ? flight : insteadOfUpstream(flight, tip)
    },
    last: () => best,
  }
}

/**
 * Returns the result of the promise, or the fallback if the promise fails because of the upstream. Rethrows
 * other errors.
 */
export function insteadOfUpstream<T>(promise: Promise<T>, fallback: T): Promise<T> {
  return promise.catch((error: unknown) => {
    if (isUpstreamError(error)) return fallback
    throw error
  })
}

/**
 * Returns whether an error is a failure of the upstream, or a contradiction between upstreams. After such an error,
 * fresh cached data may be used.
 */
export function isUpstreamError(error: unknown): boolean {
  if (!(error instanceof AggregatorError)) return false
  return error.code === 'AGGREGATOR_UPSTREAM' || error.code === 'AGGREGATOR_UPSTREAM_DISAGREE'
}

/** Creates the error for cached data that is too old. */
export function stale(ageMs: number, cause?: unknown): AggregatorError {
  const seconds = Math.round(ageMs / 1000)
  const reason =
    cause instanceof Error ? `: ${cause.message}` : ': the reported height is lower than an earlier one'
  return new AggregatorError(
    'AGGREGATOR_UPSTREAM_STALE',
    `validators were last confirmed ${seconds} s ago and the P-chain API returned no usable response${reason}`,
    {
      details: { ageMs },
      cause,
    },
  )
}

function refused(height: bigint, why: string, details: object): AggregatorError {
  return new AggregatorError('AGGREGATOR_HEIGHT', `pChainHeight: ${height} ${why}`, {
    details: { height, ...details },
  })
}
