import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import type { JobStore, StoredJob } from '@firn/jobs'
import { backoff, type Clock, type Logger } from '@firn/runtime'
import { ExportJobs, type UsageStore } from '@firn/service-store'
import type { Payer } from '../http/admission/Payer.ts'
import { DataApiError, isDataApiError } from '../http/endpoint/DataApiError.ts'
import { type ExportLimits, excess, type Owner, quotasOf } from './ExportLimits.ts'
import { dayOf, type ExportTask } from './ExportTask.ts'
import { type Encoded, FORMAT } from './Format.ts'
import { type Source, StaleExport } from './Table.ts'
import type { Turns } from './Turns.ts'

/** What an export needs to run. */
export interface RunOptions {
  readonly store: UsageStore
  /**
   * Returns the rows of an export.
   * @throws DataApiError if its chains or addresses are invalid
   */
  readonly sourceOf: (task: ExportTask) => Promise<Source<unknown>>
  readonly clock: Clock
  readonly random: () => number
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly limits: ExportLimits
  /** Charges callers for rows; undefined without rate limits. */
  readonly payer?: Payer | undefined
  /** Rows that are read and stored at once; 20,000 by default. */
  readonly stepRows?: number | undefined
}

/** A task as it is stored, with the caller who started it. */
export interface StoredTask extends ExportTask {
  readonly owner: Pick<Owner, 'limits' | 'isAnonymous'>
}

/** Other threads compress parts, so that requests are answered meanwhile. */
const compress = promisify(zstdCompress)
/** Rows that are read and stored at once. */
const STEP_ROWS = 20_000
/** Number of rows for which a caller pays one compute unit. */
export const ROWS_PER_UNIT = 100
/** Longest time in milliseconds for which an export waits for new compute units. */
const LONGEST_WAIT_MS = 600_000
/** Time between two attempts to store the end of an export, or to charge its caller, in milliseconds. */
const AGAIN_MS = 5_000
/** Time after the first failure of a step until an export fails, in milliseconds. */
const PATIENCE_MS = 120_000

/** The progress that is stored with each part. */
export interface Progress {
  readonly type: ExportTask['type']
  readonly format: ExportTask['format']
  readonly rows: number
  readonly bytes: number
  /** Size of the parts as they are stored. */
  readonly stored?: number
  readonly parts: number
  /** Whether rows are read, the end of the file is missing, or the file is complete. */
  readonly stage: 'rows' | 'end' | 'stored'
  /** Where to go on; absent at the beginning. */
  readonly next?: unknown
  /** Day of the last row, as YYYY-MM-DD. */
  readonly day?: string
  /** First day that is left out, because there are too many rows. */
  readonly nextDate?: string
}

/** The end of an export, as it is stored. */
export interface End {
  readonly type: ExportTask['type']
  readonly message?: string
  readonly code?: 'ErrInvalidRequest' | 'ErrInternal' | 'WarnTruncatedExport' | undefined
  readonly nextDate?: string | undefined
}

/** An export that this process runs. */
export interface Running extends RunOptions {
  readonly holder: string
  readonly jobs: JobStore
  readonly turns: Turns
  readonly signal: AbortSignal
}

/** Runs an export to its end. It goes on from the stored progress. */
export async function run(job: StoredJob, running: Running): Promise<void> {
  const { clock, log, signal, random } = running
  const task = taskOf(job)
  const names = task.owner.limits.map(({ key }) => key)
  let progress = progressOf(job, task)
  let failedAt: number | undefined
  let unpaid = 0
  for (let failures = 0; ; ) {
    signal.throwIfAborted()
    const reason = await untilPaid(job, unpaid, running)
    if (reason !== undefined) return fail(job.id, task, reason, progress, running)
    unpaid = 0
    try {
      const next = await running.turns.run(names, () => step(job.id, task, progress, running))
      if (next === undefined) return
      unpaid = next.rows - progress.rows
      progress = next
      failures = 0
      failedAt = undefined
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof StaleExport) {
        await ExportJobs.clear(running.store, { id: job.id, holder: running.holder })
        log.info({ operationId: job.id }, 'export starts again after a reorg')
        progress = beginning(task)
        continue
      }
      failures++
      failedAt ??= clock.now()
      const isFinal = isDataApiError(error) && ['DATA_PARAMETER', 'DATA_NOT_FOUND'].includes(error.code)
      log.warn(
        { operationId: job.id, failures, reason: (error as Error).message },
        'export failed, will retry',
      )
      if (isFinal || clock.now() - failedAt > PATIENCE_MS) {
        await fail(job.id, task, isFinal ? (error as Error).message : undefined, progress, running)
        return
      }
      await clock.sleep(backoff(failures, { random, first: 500, longest: 15_000, factor: 2 }), signal)
    }
  }
}

/**
 * Charges the caller of an export for rows, and waits until the caller may have more. Returns the reason why that would
 * take too long, or undefined.
 */
async function untilPaid(
  { caller }: StoredJob,
  rows: number,
  { payer, clock, signal }: Running,
): Promise<string | undefined> {
  for (let units = Math.ceil(rows / ROWS_PER_UNIT); payer !== undefined; ) {
    try {
      const waitMs = await payer.pay(caller, units)
      units = 0
      if (waitMs === 0) return undefined
      if (waitMs > LONGEST_WAIT_MS) {
        return 'the compute units of your day are used up; start it again tomorrow, or ask for fewer days'
      }
      await clock.sleep(waitMs, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (isDataApiError(error) && error.code === 'DATA_KEY') return error.message
      await clock.sleep(AGAIN_MS, signal)
    }
  }
  return undefined
}

/** Reads and stores the next part. Returns the new progress, or undefined at the end of the export. */
async function step(
  id: string,
  task: StoredTask,
  progress: Progress,
  running: Running,
): Promise<Progress | undefined> {
  const { sourceOf, store, jobs, holder, limits, signal, stepRows = STEP_ROWS } = running
  signal.throwIfAborted()
  const { maxRows } = task.owner.isAnonymous ? limits.anonymous : limits.keyed
  const source = await sourceOf(task)
  if (progress.stage === 'rows') {
    await assertSpace(task, running)
    const read = await source.read(progress.next, stepRows, signal)
    const rows = untilDayAfter(read, progress, maxRows)
    const skipped = read.rows[rows.length]
    const last = rows.at(-1)
    const after: Progress = {
      ...progress,
      rows: progress.rows + rows.length,
      stage: skipped !== undefined || read.next === undefined ? 'end' : 'rows',
      next: read.next,
      ...(last === undefined ? {} : { day: dayOf(read.timeOf(last)) }),
      ...(skipped === undefined ? {} : { nextDate: dayOf(read.timeOf(skipped)) }),
    }
    if (rows.length === 0) return after
    return append(running, id, after, FORMAT[task.format].encode(source.columns, rows, progress.bytes))
  }
  if (progress.stage === 'end') {
    const bytes = FORMAT[task.format].end(
      source.columns,
      progress.bytes,
      await ExportJobs.summaries(store, id),
    )
    if (bytes.length > 0) return append(running, id, { ...progress, stage: 'stored' }, { bytes })
  }
  const { nextDate } = progress
  const warning = {
    code: 'WarnTruncatedExport',
    message: `more than ${maxRows} rows`,
    nextDate,
  } as const
  const end: End = { type: task.type, ...(nextDate === undefined ? {} : warning) }
  await jobs.finish(id, holder, {
    isDone: true,
    body: JSON.stringify(end),
    progress: JSON.stringify(progress),
  })
  return undefined
}

/** Returns the rows up to the end of the day in which the maximum number of rows is exceeded. */
function untilDayAfter<Row>(
  { rows, timeOf }: { readonly rows: readonly Row[]; readonly timeOf: (row: Row) => bigint },
  progress: Progress,
  maxRows: number,
): readonly Row[] {
  const full = Math.max(0, maxRows - progress.rows)
  if (rows.length <= full) return rows
  const before = rows[full - 1]
  const day = before === undefined ? progress.day : dayOf(timeOf(before))
  const end = rows.findIndex((row, i) => i >= full && dayOf(timeOf(row)) !== day)
  return end < 0 ? rows : rows.slice(0, end)
}

/** Stores a part and the progress, to which the size of the part is added. */
async function append(
  { store, holder }: Running,
  id: string,
  progress: Progress,
  { bytes, summary }: Encoded,
): Promise<Progress> {
  const compressed = await compress(bytes)
  const after = {
    ...progress,
    bytes: progress.bytes + bytes.length,
    stored: (progress.stored ?? 0) + compressed.length,
    parts: progress.parts + 1,
  }
  const part = { sequence: progress.parts, bytes: compressed, size: bytes.length, summary }
  if (await ExportJobs.append(store, { id, holder }, JSON.stringify(after), part)) return after
  throw new DataApiError('DATA_UNAVAILABLE', 'another process runs this export, or it was cancelled')
}

/**
 * Checks that the files of a caller, and of all callers, may become larger by a part.
 * @throws DataApiError `DATA_PARAMETER`
 */
async function assertSpace({ owner }: StoredTask, { store, limits }: Running): Promise<void> {
  const quotas = quotasOf(owner, limits)
  const reason = excess(quotas, await ExportJobs.uses(store, quotas))
  if (reason !== undefined) throw new DataApiError('DATA_PARAMETER', reason)
}

async function fail(
  id: string,
  { type }: ExportTask,
  reason: string | undefined,
  progress: Progress,
  { jobs, holder, clock, signal }: Running,
): Promise<void> {
  const end: End =
    reason === undefined
      ? { type, code: 'ErrInternal', message: 'the export could not be stored or read; start it again later' }
      : { type, code: 'ErrInvalidRequest', message: reason }
  for (;;) {
    try {
      const body = JSON.stringify(end)
      await jobs.finish(id, holder, {
        isDone: false,
        body,
        progress: JSON.stringify({ ...progress, next: undefined }),
      })
      return
    } catch {
      await clock.sleep(AGAIN_MS, signal)
    }
  }
}

/** Returns the task of an export. Earlier versions stored it without its caller. */
function taskOf({ task, caller, owner }: StoredJob): StoredTask {
  const limits = [{ key: caller, factor: 1 }] as const
  return { owner: { limits, isAnonymous: owner === undefined }, ...(JSON.parse(task) as ExportTask) }
}

function progressOf({ progress }: StoredJob, task: ExportTask): Progress {
  return progress === undefined ? beginning(task) : (JSON.parse(progress) as Progress)
}

function beginning({ type, format }: ExportTask): Progress {
  return { type, format, rows: 0, bytes: 0, parts: 0, stage: 'rows' }
}
