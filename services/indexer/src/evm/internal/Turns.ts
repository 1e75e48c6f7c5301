import type { Clock } from '../../Clock.ts'
import type { IndexerError } from '../../IndexerError.ts'
import { backoffMs } from '../../internal/backoff.ts'

/** When a node may be asked: how many requests at a time, and after what pause once it failed. */
export interface Turns {
  /** Waits for a turn. The turn is to be given back by `succeeded`, `failed` or `left`. */
  take(signal: AbortSignal): Promise<void>
  succeeded(): void
  failed(error: IndexerError): void
  /** Gives a turn back that says nothing of the node. */
  left(): void
  /** Failures in a row. */
  failures(): number
  /** Milliseconds until the next turn. */
  waitMs(): number
}

/** What {@link createTurns} needs. */
export interface TurnsOptions {
  /** Most requests at a time. */
  readonly most: number
  /** The longest pause after failures, unless the node asks for a longer one. */
  readonly longestPauseMs: number
  readonly clock: Clock
  readonly random: () => number
}

/** What a node may ask to be left alone for; what is longer is tried anyway. */
const LONGEST_ASKED_MS = 300_000

/** Returns turns of a node that nothing is known of. */
export function createTurns({ most, longestPauseMs, clock, random }: TurnsOptions): Turns {
  let allowed = most
  let taken = 0
  let failures = 0
  let notBefore = 0
  const waiting: (() => void)[] = []
  /** While it fails one request at a time is enough to see whether it still does. */
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
        // Held while it waits, so that the others queue behind it.
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
      const pause = Math.max(backoffMs(failures, random, longestPauseMs), asked)
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
