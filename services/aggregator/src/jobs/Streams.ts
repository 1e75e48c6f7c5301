import type { JobStore } from '@firn/jobs'
import type { Clock } from '@firn/runtime'
import type { Listener } from './Feed.ts'
import { full, limited } from './JobErrors.ts'
import { lastEvent } from './JobText.ts'

/** Interval at which the progress of a job in another process is read, in milliseconds. */
const REMOTE_POLL_MS = 1_000
/** Maximum number of callers that listen to events at the same time. Each keeps a connection open. */
const MAX_LISTENERS = 1_000
/** Maximum number of event streams of one caller. */
const MAX_LISTENERS_PER_CALLER = 100

/** Counts the event streams of callers. */
export interface Streams {
  /**
   * Counts a further stream of a caller. Returns a function that ends it.
   * @throws AggregatorError `AGGREGATOR_JOBS_FULL`, `AGGREGATOR_RATE_LIMIT`
   */
  open(caller: string): () => void
}

/** Creates the count of event streams. */
export function createStreams(): Streams {
  /** Names of the callers, once for each stream. */
  const callers: string[] = []
  return {
    open: (caller) => {
      if (callers.length >= MAX_LISTENERS) throw full('too many event streams')
      if (callers.filter((one) => one === caller).length >= MAX_LISTENERS_PER_CALLER)
        throw limited('too many event streams of this caller; close some of them')
      callers.push(caller)
      return () => void callers.splice(callers.indexOf(caller), 1)
    },
  }
}

/** Sends the progress of a job that another process runs, until it ends. */
export async function follow(
  { store, clock }: { readonly store: JobStore; readonly clock: Clock },
  id: string,
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  let last: string | undefined
  for (let sequence = 1; ; ) {
    const job = await store.find(id)
    if (job?.outcome !== undefined) listener.send(lastEvent(job.outcome))
    if (job === undefined || job.outcome !== undefined) return
    if (job.progress !== undefined && job.progress !== last) {
      const data = `{"isComplete":true,${job.progress.slice(1)}`
      listener.send({ id: `stored-${sequence++}`, name: 'progress', data })
      last = job.progress
    }
    await clock.sleep(REMOTE_POLL_MS, signal)
  }
}
