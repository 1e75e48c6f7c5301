import { backoff, type Clock } from '@firn/runtime'
import type { IndexerError } from '../../common/IndexerError.ts'

/** Limits concurrent requests to a node, and delays requests after failures. */
export interface Turns {
  /**
   * Waits until a request may be sent. After the request, the caller must call `succeeded`, `failed` or
   * `left`.
   */
  take(signal: AbortSignal): Promise<void>
  succeeded(): void
  failed(error: IndexerError): void
  /** Ends a request whose outcome counts neither as a success nor as a failure. */
  left(): void
  /** Returns the number of consecutive failures. */
  failures(): number
  /** Returns the time until the next request is allowed, in milliseconds. */
  waitMs(): number
}

/** Options of {@link createTurns}. */
export interface TurnsOptions {
  /** Maximum number of concurrent requests. */
  readonly most: number
  /** Maximum pause after failures, in milliseconds. A node can request a longer pause. */
  readonly longestPauseMs: number
  readonly clock: Clock
  readonly random: () => number
}

/**
 * Maximum pause that a node may request, in milliseconds. Longer requested pauses are shortened to this
 * value.
 */
const LONGEST_ASKED_MS = 300_000

/** Creates the request limiter for one node. It has no recorded failures at first. */
export function createTurns({ most, longestPauseMs, clock, random }: TurnsOptions): Turns {
  let allowed = most
  let taken = 0
  let failures = 0
  let notBefore = 0
  const waiting: (() => void)[] = []
  /** While the node fails, one request at a time is enough to detect its recovery. */
  const isFree = () => taken < (failures > 0 ? 1 : Math.floor(allowed))
  const waitMs = () => Math.max(notBefore - clock.now(), 0)
  const giveBack = () => {
    taken -= 1
    for (const wake of waiting.splice(0)) wake()
  }
  return {
    async take(signal) {
      for (;;) {
        signal.throwIfAborted()
        if (!isFree()) {
          await freed(waiting, signal)
          continue
        }
        const ms = waitMs()
        if (ms === 0) break
        // The slot is taken during the wait, so other requests queue behind this one.
        taken += 1
        try {
          await clock.sleep(ms, signal)
        } catch (error) {
          giveBack()
          throw error
        }
        taken -= 1
      }
      taken += 1
    },
    succeeded() {
      failures = 0
      allowed = Math.min(allowed + 1 / Math.max(allowed, 1), most)
      giveBack()
    },
    failed({ code, details }) {
      failures += 1
      if (code === 'INDEXER_RPC_LIMITED') allowed = Math.max(allowed / 2, 1)
      const asked = Math.min(Number(details['retryAfterMs'] ?? 0), LONGEST_ASKED_MS)
      const pause = Math.max(backoff(failures, { random, longest: longestPauseMs }), asked)
      notBefore = Math.max(notBefore, clock.now() + pause)
      giveBack()
    },
    left: giveBack,
    failures: () => failures,
    waitMs,
  }
}

function freed(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((settle, fail) => {
    const wake = () => {
      signal.removeEventListener('abort', abort)
      settle()
    }
    const abort = () => {
      waiting.splice(0, waiting.length, ...waiting.filter((it) => it !== wake))
      fail(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    waiting.push(wake)
  })
}
