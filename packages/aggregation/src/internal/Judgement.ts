import type { Entry } from '../Entry.ts'
import { reasonOf } from './ReportBuilder.ts'
import type { State } from './State.ts'

/** Error code of a node that knows the chain, but has no signature handler for it. */
const NO_HANDLER = -2

/**
 * Clears the recorded failures of validators that signed, and records failures of validators that were silent or sent
 * a wrong signature, so that they are queried last for a while.
 */
export function judge({ collection, job, tools }: State, atDeadline: boolean): void {
  const now = tools.clock.now()
  const until = now + tools.options.lowStandingMs
  for (const entry of collection.entries) {
    if (entry.requests === 0) continue
    if (entry.proved !== undefined) tools.standing.restore(entry.publicKey, job.chain)
    else if (lowersStanding(entry))
      tools.standing.lower(entry.publicKey, job.chain, reasonOf(entry, { now, atDeadline }), until)
  }
}

/**
 * Returns whether a validator's failure lowers its standing. A refusal concerns only this message and does
 * not count, unless the node has no signature handler. Neither does what others report about the node.
 */
function lowersStanding(entry: Entry): boolean {
  return entry.nodes.every(({ state, failure }) => {
    if (state.kind === 'asked' && state.overdue) return true
    if (failure === undefined || failure.outcome === 'empty' || failure.outcome === 'not-sent') return false
    if (failure.reportedBy !== undefined) return false
    return failure.outcome !== 'refused' || failure.code === NO_HANDLER
  })
}
