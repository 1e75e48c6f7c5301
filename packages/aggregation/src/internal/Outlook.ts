import * as Collection from '../Collection.ts'
import * as Callers from './Callers.ts'
import type { Inquiry } from './Inquiry.ts'
import { nextRetry } from './Schedule.ts'

/** What may still bring missing signatures. */
interface Outlook {
  /** True if responses or connections are expected, or if validators can be queried. */
  readonly isOpen: boolean
  /** Times of the next retry of a silent node, and of the next round; Infinity if they would be useless. */
  readonly retry: number
  readonly round: number
}

const never = Number.POSITIVE_INFINITY
const NOTHING: Outlook = { isOpen: false, retry: never, round: never }

/** Returns a function that tells whether nothing more can happen in time for a caller. */
export function hopeless(inquiry: Inquiry): (caller: Callers.Caller) => boolean {
  const { isOpen, retry, round } = create(inquiry)
  const waitMs = defaultWaitMs(inquiry)
  return (caller) =>
    !isOpen && retry >= Callers.deadlineOf(caller) && round >= Callers.retryUntilOf(caller, waitMs)
}

/**
 * Returns the milliseconds for which a caller waits by default for validators that answered "not yet". If all of them
 * report the state of their P-chain, only the signature of another validator shows that they may just lag behind.
 */
export function defaultWaitMs({ rounds, state: { collection, job, tools } }: Inquiry): number {
  const isDecided = job.chainKind === 'p-chain' && rounds.isState
  return isDecided && Collection.collected(collection) === 0n ? 0 : tools.options.waitMs
}

function create(inquiry: Inquiry): Outlook {
  const { collection, job } = inquiry.state
  const { needed, target } = job.target
  if (collection.weights.signed >= target) return NOTHING
  if (isAnyResponseDue(collection)) return { ...NOTHING, isOpen: true }
  if (Collection.reachable(collection) < needed) return NOTHING
  const round = inquiry.rounds.next
  if (Collection.reachableNow(collection) < needed) return { ...NOTHING, round }
  // To reach the buffer, the run waits for validators that answered "not yet", but not for silent ones.
  const retry = Collection.collected(collection) < needed ? nextRetry(inquiry) : never
  return { isOpen: !Collection.isExhausted(collection), retry, round }
}

/**
 * Returns whether a node is about to respond. Such nodes are awaited even if the quorum is out of reach, because their
 * responses belong in the report and the cache. Requests in queues of this process are not awaited.
 */
function isAnyResponseDue({ counts, entries }: Collection.Collection): boolean {
  if (counts.waiting === 0) return false
  return entries.some(({ proved, nodes }) => {
    return proved === undefined && nodes.some(({ state }) => state.kind === 'asked' && !state.overdue)
  })
}
