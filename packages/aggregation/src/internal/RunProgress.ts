import * as Collection from '../Collection.ts'
import { type Entry, phaseOf } from '../Entry.ts'
import type { Progress, ValidatorProgress } from '../Progress.ts'
import { reasonOf } from './ReportBuilder.ts'
import type { State } from './State.ts'

/** Returns the progress of a run, for its callers. */
export function progressOf({ collection, job, startedAt, tools }: State): Progress {
  const { counts, weights, entries } = collection
  return {
    collectedWeight: Collection.collected(collection),
    provedWeight: weights.signed,
    neededWeight: job.target.needed,
    targetWeight: job.target.target,
    totalWeight: job.target.total,
    asked: entries.reduce((sum, { requests }) => sum + (requests > 0 ? 1 : 0), 0),
    collected: counts.signed + counts.candidate,
    lost: counts.lost + counts.inactive,
    elapsedMs: tools.clock.now() - startedAt,
    validators: () => entries.map((entry) => progressOfValidator(entry, tools.clock.now())),
  }
}

function progressOfValidator(entry: Entry, now: number): ValidatorProgress {
  const { index, weight, nodes } = entry
  const phase = phaseOf(entry)
  const hasSigned = phase === 'signed' || phase === 'candidate'
  const why = reasonOf(entry, { now, atDeadline: false })
  const isOpen = why.outcome === 'not-asked' || why.outcome === 'unanswered' || why.outcome === 'not-sent'
  return {
    index,
    nodeIds: nodes.map(({ nodeId }) => nodeId),
    weight,
    hasSigned,
    ...(hasSigned || isOpen ? {} : { failure: why }),
  }
}
