import { randomBytes } from 'node:crypto'
import type { JobEnd, JobStore, StoredJob } from '@firn/jobs'
import type { Clock, Logger } from '@firn/runtime'
import { createFeed, type Feed } from './Feed.ts'
import { Abandoned, tooLate } from './JobErrors.ts'
import { createTracker, type Tracker } from './JobProgress.ts'
import { lastEvent } from './JobText.ts'
import type { Signing } from './Signing.ts'
import { perform } from './Task.ts'

/** Length of the name of a process in bytes. */
const HOLDER_LENGTH = 16
/** Interval at which this process renews its leases and looks for jobs without a lease, in milliseconds. */
const ROUND_MS = 5_000
/** Pause before the end of a job is stored again after a failure, in milliseconds. */
const RETRY_MS = 1_000
/** Maximum number of jobs that this process takes up in one round. */
const MAX_CLAIMS = 64

/** Options of {@link createRunner}. */
export interface RunnerOptions {
  readonly store: JobStore
  readonly signing: Signing
  readonly clock: Clock
  readonly log: Logger
  /** Maximum time of a job from its creation, in milliseconds. */
  readonly timeoutMs: number
}

/** Runs jobs in this process, and holds their leases in the store. */
export interface Runner extends RunnerOptions {
  /** Name of this process in the store. */
  readonly holder: string
  /** The jobs that run in this process, by id. */
  readonly running: Map<string, Running>
  readonly closing: AbortController
}

/** A job that runs in this process. */
export interface Running {
  readonly tracker: Tracker
  readonly feed: Feed
  readonly stop: AbortController
  readonly ended: Promise<void>
}

/** The parts of a job that runs in this process. */
interface Run extends Omit<Running, 'ended'> {
  readonly onFound: ((messages: number) => void) | undefined
}

/** Creates a runner without jobs. */
export function createRunner(options: RunnerOptions): Runner {
  const holder = randomBytes(HOLDER_LENGTH).toString('hex')
  return { ...options, holder, running: new Map(), closing: new AbortController() }
}

/** Starts a job whose lease this process holds. */
export function start(runner: Runner, job: StoredJob, onFound?: (messages: number) => void): void {
  const { running, clock, log } = runner
  const stop = new AbortController()
  const tracker: Tracker = createTracker(() => feed.changed())
  const feed = createFeed({ tracker, prefix: String(job.attempt), clock, signal: stop.signal })
  const ended = run(runner, job, { tracker, feed, stop, onFound }).catch((error: unknown) =>
    log.error({ err: error, jobId: job.id }, 'job stopped'),
  )
  running.set(job.id, { tracker, feed, stop, ended: ended.finally(() => running.delete(job.id)) })
}

async function run(runner: Runner, job: StoredJob, { tracker, feed, stop, onFound }: Run): Promise<void> {
  const { signing, clock, log, timeoutMs } = runner
  const deadlineMs = Math.max(1, job.createdAt + timeoutMs - clock.now())
  const onTimeout = () => stop.abort(tooLate(timeoutMs))
  clock.sleep(deadlineMs, stop.signal).then(onTimeout, () => {})
  try {
    const limits = { deadlineMs, signal: stop.signal, log, caller: job.caller }
    const share = { caller: job.caller, request: job.id }
    const end = await perform(job.task, limits, { share, tracker, onFound }, signing)
    if (stop.signal.reason instanceof Abandoned) return feed.end()
    const outcome = { ...end, progress: JSON.stringify(tracker.view({ validators: true })) }
    await finish(runner, job.id, outcome)
    feed.end(lastEvent(outcome))
  } finally {
    stop.abort()
    feed.end()
  }
}

/** Stores the end of a job. While the store fails, it is tried again. */
async function finish(
  { store, holder, clock, log, closing }: Runner,
  id: string,
  end: JobEnd,
): Promise<void> {
  for (;;) {
    try {
      await store.finish(id, holder, end)
      return
    } catch (error) {
      log.warn({ reason: (error as Error).message, jobId: id }, 'cannot store the end of a job')
      await clock.sleep(RETRY_MS, closing.signal)
    }
  }
}

/** Renews the leases of this process, and takes up jobs that no process has leased, until the runner is closed. */
export async function keepLeases(runner: Runner): Promise<void> {
  const { store, clock, log, closing } = runner
  while (store.isShared && !closing.signal.aborted) {
    await round(runner).catch((error: unknown) => log.warn({ reason: String(error) }, 'job store failed'))
    await clock.sleep(ROUND_MS, closing.signal).catch(() => {})
  }
}

async function round(runner: Runner): Promise<void> {
  const { store, holder, running, closing } = runner
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
  for (const job of claimed) if (!running.has(job.id)) start(runner, job)
}

/** Stops all jobs and releases their leases, so that another process can continue them. `leases` is {@link keepLeases}. */
export async function close(
  { store, holder, running, closing, log }: Runner,
  leases: Promise<void>,
): Promise<void> {
  closing.abort()
  for (const { stop } of running.values()) stop.abort(new Abandoned())
  await Promise.all([leases, ...[...running.values()].map(({ ended }) => ended)])
  // Without it, the leases run out after a while.
  await store
    .release(holder)
    .catch((error: unknown) => log.warn({ reason: String(error) }, 'jobs were not released'))
  await store.close()
}
