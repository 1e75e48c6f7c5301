import { Hex } from '@firn/codec'
import { backoff } from '@firn/runtime'
import { reachableVoters } from '../Frontier.ts'
import type { Tip } from '../Tip.ts'
import type { Voter } from '../Voters.ts'
import * as Voters from '../Voters.ts'
import type { Context } from './Context.ts'
import { childOf } from './children.ts'
import { askVoters } from './Votes.ts'
import { createWaiter } from './Waiter.ts'

/** A voter's claim that there is a block above the tip. */
export interface Hint {
  readonly voter: Voter
  readonly height: bigint
}

/** Asks voters whether there is a new block; created by {@link createScouts}. */
export interface Scouts {
  /** Resolves with the first claim that there is a block above the tip. */
  next(tip: Tip): Promise<Hint>
  /** Counts whether a claim was right. Voters with false claims are asked less often. */
  judge(hint: Hint, isRight: boolean): void
}

/** Number of rounds whose answers are waited for at the same time. */
const MAX_OPEN_ROUNDS = 12
const POLL_GROWTH = 1.25
const FIRST_BENCH_MS = 1_000
const LONGEST_BENCH_MS = 60_000

export function createScouts(context: Context): Scouts {
  const { clock, options, random } = context
  const falseClaims = new Map<string, { readonly count: number; readonly until: number }>()
  let pauseMs = options.minPollMs

  const choose = () => {
    const now = clock.now()
    const reachable = reachableVoters(context)
    const trusted = reachable.filter(
      ({ nodeId }) => (falseClaims.get(Hex.encodeBare(nodeId))?.until ?? 0) <= now,
    )
    return Voters.sample(trusted.length > 0 ? trusted : reachable, options.scouts, random)
  }
  return {
    async next(tip) {
      const search = childOf(context.signal)
      const waiter = createWaiter(clock)
      const question = { containerId: tip.id, requestedHeight: tip.height + 1n }
      let hint: Hint | undefined
      let open = 0
      /** Starts a round. The next one does not wait for it, so that silent voters delay nothing. */
      const round = async () => {
        open += 1
        await askVoters(
          { ...context, signal: search.signal },
          {
            kind: 'pullQuery',
            voters: choose(),
            question,
            attempts: 1,
            graceMs: options.smallTimeoutMs,
            onAnswer(voter, { acceptedHeight }) {
              if (acceptedHeight <= tip.height) return undefined
              hint ??= { voter, height: acceptedHeight }
              return 'done'
            },
          },
        ).catch(() => undefined)
        open -= 1
        if (hint !== undefined) waiter.wake()
      }
      try {
        for (;;) {
          if (open < MAX_OPEN_ROUNDS) void round()
          await waiter.wait(pauseMs, context.signal)
          if (hint !== undefined) return hint
          pauseMs = Math.min(pauseMs * POLL_GROWTH, options.maxPollMs)
        }
      } finally {
        search.release()
        search.abort()
      }
    },
    judge({ voter }, isRight) {
      const key = Hex.encodeBare(voter.nodeId)
      if (isRight) {
        falseClaims.delete(key)
        pauseMs = options.minPollMs
        return
      }
      const count = (falseClaims.get(key)?.count ?? 0) + 1
      const bench = { random, first: FIRST_BENCH_MS, longest: LONGEST_BENCH_MS }
      falseClaims.set(key, { count, until: clock.now() + backoff(count, bench) })
    },
  }
}
