import { randomBytes } from 'node:crypto'
import type { JobEnd, JobOutcome, JobStore, StoredJob } from '@firn/jobs'
import { type Clock, type Logger, withAnySignal } from '@firn/runtime'
import { AggregatorError } from '../AggregatorError.ts'
import type { Caller } from '../callers/Caller.ts'
import { createFeed, type Feed, type JobEvent, LAST_ID, type Listener } from './Feed.ts'
import { createTracker, type Tracker } from './JobProgress.ts'
import type { Signing } from './Signing.ts'
import { perform, type Task, toText } from './Task.ts'

/** Length of a job's id in bytes. */
const ID_LENGTH = 16
/** Interval at which this process renews its leases and looks for jobs without a lease, in milliseconds. */
const ROUND_MS = 5_000
/** Pause before the end of a job is stored again after a failure, in milliseconds. */
const RETRY_MS = 1_000
/** Maximum number of jobs that this process takes up in one round. */
const MAX_CLAIMS = 64
/** Interval at which the progress of a job in another process is read, in milliseconds. */
const REMOTE_POLL_MS = 1_000
/** Time after which a caller should try again if there are too many jobs, in seconds. */
const RETRY_AFTER_SECONDS = 5
/** Maximum number of callers that listen to events at the same time. Each keeps a connection open. */
const MAX_LISTENERS = 1_000
/** Maximum number of event streams of one caller. */
const MAX_LISTENERS_PER_CALLER = 100

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

/** Options of {@link createJobs}. */
export interface JobsOptions {
  readonly store: JobStore
  readonly signing: Signing
  readonly clock: Clock
  readonly log: Logger
  /** Maximum time of a job from its creation, in milliseconds. */
  readonly timeoutMs: number
}

/** The parts of a job that runs in this process. */
interface Run {
  readonly tracker: Tracker
  readonly feed: Feed
  readonly stop: AbortController
  readonly onFound: ((messages: number) => void) | undefined
}

/** A job that runs in this process. */
interface Running extends Pick<Run, 'tracker' | 'feed' | 'stop'> {
  readonly ended: Promise<void>
}

/** Creates {@link Jobs}, and takes up unfinished jobs of a shared store. */
export function createJobs({ store, signing, clock, log, timeoutMs }: JobsOptions): Jobs {
  const holder = randomBytes(ID_LENGTH).toString('hex')
  const running = new Map<string, Running>()
  const closing = new AbortController()
  /** Names of the callers that listen to events, once for each stream. */
  const listeners: string[] = []

  const start = (job: StoredJob, onFound?: (messages: number) => void) => {
    const stop = new AbortController()
    const tracker: Tracker = createTracker(() => feed.changed())
    const feed = createFeed({ tracker, prefix: String(job.attempt), clock, signal: stop.signal })
    const ended = run(job, { tracker, feed, stop, onFound }).catch((error: unknown) =>
      log.error({ err: error, jobId: job.id }, 'job stopped'),
    )
    running.set(job.id, { tracker, feed, stop, ended: ended.finally(() => running.delete(job.id)) })
  }

  const run = async (job: StoredJob, { tracker, feed, stop, onFound }: Run) => {
    const deadlineMs = Math.max(1, job.createdAt + timeoutMs - clock.now())
    const onTimeout = () => stop.abort(tooLate(timeoutMs))
    clock.sleep(deadlineMs, stop.signal).then(onTimeout, () => {})
    try {
      const limits = { deadlineMs, signal: stop.signal, log, caller: job.caller }
      const end = await perform(
        job.task,
        limits,
        { share: { caller: job.caller, request: job.id }, tracker, onFound },
        signing,
      )
      if (stop.signal.reason instanceof Abandoned) return feed.end()
      const outcome = { ...end, progress: JSON.stringify(tracker.view({ validators: true })) }
      await finish(job.id, outcome)
      feed.end(lastEvent(outcome))
    } finally {
      stop.abort()
      feed.end()
    }
  }

  /** Stores the end of a job. While the store fails, it is tried again. */
  const finish = async (id: string, end: JobEnd) => {
    for (;;) {
      try {
        return await store.finish(id, holder, end)
      } catch (error) {
        log.warn({ reason: (error as Error).message, jobId: id }, 'cannot store the end of a job')
        await clock.sleep(RETRY_MS, closing.signal)
      }
    }
  }

  /** Renews the leases of this process, and takes up jobs that no process has leased. */
  const round = async () => {
    const leased = [...running]
    const progress = leased.map(
      ([id, { tracker }]) => [id, JSON.stringify(tracker.view({ validators: false }))] as const,
    )
    const held = leased.length === 0 ? new Set() : await store.renew(holder, new Map(progress))
    for (const [id, { stop }] of leased) if (!held.has(id)) stop.abort(new Abandoned())
    if (closing.signal.aborted) return
    const claimed = await store.claim(holder, MAX_CLAIMS)
    // A job that was claimed while this process closes is released with all others.
    if (closing.signal.aborted) return
    for (const job of claimed) if (!running.has(job.id)) start(job)
  }
  const rounds = (async () => {
    while (store.isShared && !closing.signal.aborted) {
      await round().catch((error: unknown) => log.warn({ reason: String(error) }, 'job store failed'))
      await clock.sleep(ROUND_MS, closing.signal).catch(() => {})
    }
  })()

  const find = async (id: string, owner: string | undefined): Promise<StoredJob> => {
    const job = /^[0-9a-f]{32}$/.test(id) ? await store.find(id) : undefined
    if (job !== undefined && job.owner === owner) return job
    throw new AggregatorError(
      'AGGREGATOR_JOB_UNKNOWN',
      'jobId: no job with this id; finished jobs are deleted after a while',
      { details: { field: 'jobId' } },
    )
  }

  /** Sends the progress of a job that another process runs, until it ends. */
  const follow = async (id: string, listener: Listener, signal: AbortSignal) => {
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
      if (!closing.signal.aborted) start(job, onFound)
      return id
    },
    describe: async (id, owner) => {
      const job = await find(id, owner)
      const view = () => running.get(id)?.tracker.view({ validators: true })
      const local = job.outcome === undefined ? view() : undefined
      return toJson(job, local === undefined ? job.progress : JSON.stringify(local))
    },
    listen: async (id, { key, name }, lastEventId, listener) => {
      const { outcome } = await find(id, key)
      if (outcome !== undefined && lastEventId === LAST_ID) return undefined
      if (listeners.length >= MAX_LISTENERS) throw full('too many event streams')
      if (listeners.filter((one) => one === name).length >= MAX_LISTENERS_PER_CALLER)
        throw limited('too many event streams of this caller; close some of them')
      listeners.push(name)
      const stop = new AbortController()
      const leave = running.get(id)?.feed.listen(lastEventId, listener)
      if (leave === undefined) {
        void withAnySignal([stop.signal, closing.signal], (signal) => follow(id, listener, signal))
          .catch((error: unknown) => log.debug({ reason: String(error) }, 'event stream ended early'))
          .finally(() => listener.end())
      }
      stop.signal.addEventListener('abort', () => {
        listeners.splice(listeners.indexOf(name), 1)
        leave?.()
      })
      return () => stop.abort()
    },
    close: async () => {
      closing.abort()
      for (const { stop } of running.values()) stop.abort(new Abandoned())
      await Promise.all([rounds, ...[...running.values()].map(({ ended }) => ended)])
      // Without it, the leases run out after a while.
      await store
        .release(holder)
        .catch((error: unknown) => log.warn({ reason: String(error) }, 'jobs were not released'))
      await store.close()
    },
  }
}

/** The reason to stop a job without an end, because another process continues it, or this one closes. */
class Abandoned extends AggregatorError {
  constructor() {
    super('AGGREGATOR_CLOSING', 'the service is stopping')
  }
}

function stopping(): AggregatorError {
  return new AggregatorError('AGGREGATOR_CLOSING', 'the service is stopping')
}

function tooLate(timeoutMs: number): AggregatorError {
  return new AggregatorError(
    'AGGREGATOR_TIMEOUT',
    `no result within the job time-out of ${timeoutMs / 1_000} s`,
  )
}

function full(what: string): AggregatorError {
  return new AggregatorError('AGGREGATOR_JOBS_FULL', `${what}; try again later`, {
    details: { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
  })
}

function limited(message: string): AggregatorError {
  return new AggregatorError('AGGREGATOR_RATE_LIMIT', message, {
    details: { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
  })
}

function lastEvent({ isDone, body }: Pick<JobOutcome, 'isDone' | 'body'>): JobEvent {
  return { id: LAST_ID, name: isDone ? 'done' : 'failed', data: body }
}

/** Returns the JSON of a job. Results are inserted as text, because they may be large. */
function toJson({ id, createdAt, outcome }: StoredJob, progress: string | undefined): string {
  const state = outcome === undefined ? 'running' : outcome.isDone ? 'done' : 'failed'
  const members = [
    `"jobId":"${id}"`,
    `"state":"${state}"`,
    `"createdAt":"${new Date(createdAt).toISOString()}"`,
    ...(outcome === undefined ? [] : [`"finishedAt":"${new Date(outcome.finishedAt).toISOString()}"`]),
    ...(progress === undefined ? [] : [`"progress":${progress}`]),
    ...(outcome === undefined ? [] : [`"${outcome.isDone ? 'result' : 'error'}":${outcome.body}`]),
  ]
  return `{${members.join(',')}}`
}
