import { randomBytes } from 'node:crypto'
import type { JobStore, StoredJob } from '@firn/jobs'
import { withAnySignal } from '@firn/runtime'
import type { Caller } from '../callers/Caller.ts'
import { LAST_ID, type Listener } from './Feed.ts'
import { full, limited, stopping, unknown } from './JobErrors.ts'
import { toJson } from './JobText.ts'
import * as Runner from './Runner.ts'
import { createStreams, follow } from './Streams.ts'
import { type Task, toText } from './Task.ts'

/** Length of a job's id in bytes. */
const ID_LENGTH = 16

/** Runs jobs and tells their progress. */
export interface Jobs {
  /**
   * Starts a job and returns its id. `onFound` is called with the number of messages of a source chain before they are
   * signed, unless another process continues the job. The job fails with what it throws.
   * @throws AggregatorError `AGGREGATOR_JOBS_FULL`, `AGGREGATOR_RATE_LIMIT`
   */
  submit(task: Task, caller: Caller, onFound?: (messages: number) => void): Promise<string>
  /**
   * Returns a job as JSON.
   * @throws AggregatorError `AGGREGATOR_JOB_UNKNOWN`, also for the job of another key
   */
  describe(id: string, owner: string | undefined): Promise<string>
  /**
   * Sends the events of a job to a listener, from the event after `lastEventId` if possible. Returns a function
   * that stops, or undefined if the caller has received the last event before.
   * @throws AggregatorError `AGGREGATOR_JOB_UNKNOWN`, `AGGREGATOR_JOBS_FULL`, `AGGREGATOR_RATE_LIMIT`
   */
  listen(
    id: string,
    caller: Caller,
    lastEventId: string | undefined,
    listener: Listener,
  ): Promise<(() => void) | undefined>
  /** Stops all jobs. Another process can continue those in a shared store. */
  close(): Promise<void>
}

/** Creates {@link Jobs}, and takes up unfinished jobs of a shared store. */
export function createJobs(options: Runner.RunnerOptions): Jobs {
  const { store, log } = options
  const runner = Runner.createRunner(options)
  const { holder, running, closing } = runner
  const leases = Runner.keepLeases(runner)
  const streams = createStreams()
  return {
    submit: async (task, { key, name }, onFound) => {
      if (closing.signal.aborted) throw stopping()
      const id = randomBytes(ID_LENGTH).toString('hex')
      const job = await store.add({ id, owner: key, caller: name, task: toText(task) }, holder)
      if (job === 'full') throw full('too many jobs')
      if (job === 'caller full') {
        throw limited('too many unfinished jobs of this caller; wait until some of them end')
      }
      if (closing.signal.aborted && !store.isShared) throw stopping()
      // Another process takes up a job that was added to a shared store while this process closes.
      if (!closing.signal.aborted) Runner.start(runner, job, onFound)
      return id
    },
    describe: async (id, owner) => {
      const job = await find(store, id, owner)
      const view = () => running.get(id)?.tracker.view({ validators: true })
      const local = job.outcome === undefined ? view() : undefined
      return toJson(job, local === undefined ? job.progress : JSON.stringify(local))
    },
    listen: async (id, { key, name }, lastEventId, listener) => {
      const { outcome } = await find(store, id, key)
      if (outcome !== undefined && lastEventId === LAST_ID) return undefined
      const end = streams.open(name)
      const stop = new AbortController()
      const leave = running.get(id)?.feed.listen(lastEventId, listener)
      if (leave === undefined) {
        void withAnySignal([stop.signal, closing.signal], (signal) => follow(options, id, listener, signal))
          .catch((error: unknown) => log.debug({ reason: String(error) }, 'event stream ended early'))
          .finally(() => listener.end())
      }
      stop.signal.addEventListener('abort', () => {
        end()
        leave?.()
      })
      return () => stop.abort()
    },
    close: () => Runner.close(runner, leases),
  }
}

async function find(store: JobStore, id: string, owner: string | undefined): Promise<StoredJob> {
  const job = /^[0-9a-f]{32}$/.test(id) ? await store.find(id) : undefined
  if (job !== undefined && job.owner === owner) return job
  throw unknown()
}
