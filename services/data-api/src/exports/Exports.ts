import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { createSqlJobStore, type JobStore, type StoredJob } from '@firn/jobs'
import { backoff, type Clock, type Logger } from '@firn/runtime'
import { ExportJobs, type UsageStore } from '@firn/store'
import { DataApiError, isDataApiError } from '../DataApiError.ts'
import { dayOf, type ExportTask } from './ExportTask.ts'
import { type Encoded, FORMAT } from './Format.ts'
import { type Source, StaleExport } from './Table.ts'

/** Limits of exports. */
export interface ExportLimits {
  /** Rows after which an export ends with the current day. */
  readonly maxRows: number
  /** Maximum number of unfinished exports of one caller. */
  readonly maxPerCaller: number
  /** Time for which results are kept, in milliseconds. */
  readonly retentionMs: number
}

/** Who starts or reads an export. */
export interface Owner {
  /** Id of the API key; undefined without a key. */
  readonly key: string | undefined
  /** Name of the caller whose exports are limited: the key or the address. */
  readonly name: string
}

/** An export as callers see it. */
export interface Operation {
  readonly id: string
  readonly type: ExportTask['type']
  readonly status: 'RUNNING' | 'COMPLETED' | 'COMPLETED_WITH_WARNING' | 'FAILED'
  readonly message: string | undefined
  readonly code: 'ErrInvalidRequest' | 'ErrInternal' | 'WarnTruncatedExport' | undefined
  readonly nextDate: string | undefined
  readonly rows: number
  readonly bytes: number
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** A finished file. */
export interface ExportFile {
  readonly contentType: string
  readonly name: string
  readonly size: number
  readonly parts: AsyncIterable<Uint8Array>
}

/** Options of {@link createExports}. */
export interface ExportsOptions {
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
  /** Rows that are read and stored at once; 20,000 by default. */
  readonly stepRows?: number | undefined
}

/** Runs exports and serves their files. */
export interface Exports {
  /** Starts an export. @throws DataApiError `DATA_RATE_LIMIT`, `DATA_UNAVAILABLE` */
  start(task: ExportTask, owner: Owner): Promise<Operation>
  /** Returns an export of the caller. @throws DataApiError `DATA_NOT_FOUND` */
  get(id: string, owner: Owner): Promise<Operation>
  /** Ends an export of the caller. @throws DataApiError `DATA_NOT_FOUND` */
  cancel(id: string, owner: Owner): Promise<Operation>
  /** Returns the file of a finished export to anybody who knows its id. @throws DataApiError `DATA_NOT_FOUND` */
  file(id: string): Promise<ExportFile>
  close(): Promise<void>
}

/** Other threads compress parts, so that requests are answered meanwhile. */
const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
/** Rows that are read and stored at once. */
const STEP_ROWS = 20_000
/** Interval at which leases are renewed and jobs of stopped processes are taken up, in milliseconds. */
const ROUND_MS = 5_000
const MAX_JOBS = 1_000
const MAX_CLAIMS = 4
/** Time after the first failure of a step until an export fails, in milliseconds. */
const PATIENCE_MS = 120_000
const ID = /^[0-9a-f]{32}$/

/** What is stored with each part. */
interface Progress {
  readonly type: ExportTask['type']
  readonly format: ExportTask['format']
  readonly rows: number
  readonly bytes: number
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
interface End {
  readonly type: ExportTask['type']
  readonly message?: string
  readonly code?: Operation['code']
  readonly nextDate?: string | undefined
}

/** Creates {@link Exports}, and takes up those of stopped processes. */
export function createExports(options: ExportsOptions): Exports {
  const { store, clock, log, limits } = options
  const holder = randomBytes(16).toString('hex')
  const jobs = jobStore(options)
  const running = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>()
  const closing = new AbortController()
  const turns = createTurns()

  const launch = (job: StoredJob) => {
    const stop = new AbortController()
    const ended = run(job, { ...options, holder, jobs, turns, signal: stop.signal })
      .catch((error: unknown) => {
        if (!stop.signal.aborted) log.warn({ operationId: job.id, reason: String(error) }, 'export stopped')
      })
      .finally(() => running.delete(job.id))
    running.set(job.id, { stop, ended })
  }
  const round = async () => {
    const held =
      running.size === 0
        ? new Set<string>()
        : new Set(await ExportJobs.renew(store, holder, [...running.keys()]))
    for (const [id, { stop }] of running) if (!held.has(id)) stop.abort()
    await ExportJobs.sweep(store, limits.retentionMs)
    const claimed = await jobs.claim(holder, MAX_CLAIMS)
    for (const job of claimed) {
      if (closing.signal.aborted || running.has(job.id)) continue
      log.info({ operationId: job.id, attempt: job.attempt }, 'export taken up')
      launch(job)
    }
  }
  const rounds = (async () => {
    while (!closing.signal.aborted) {
      await round().catch((error: unknown) => log.warn({ reason: String(error) }, 'exports cannot be read'))
      await clock.sleep(ROUND_MS, closing.signal).catch(() => undefined)
    }
  })()
  const find = async (id: string, owner: Owner): Promise<StoredJob> => {
    const job = ID.test(id) ? await jobs.find(id) : undefined
    if (job !== undefined && job.owner === owner.key) return job
    throw new DataApiError('DATA_NOT_FOUND', 'operationId: no operation of this caller has this id')
  }
  return {
    start: async (task, { key, name }) => {
      const id = randomBytes(16).toString('hex')
      const added = await jobs.add({ id, owner: key, caller: name, task: JSON.stringify(task) }, holder)
      if (added === 'full') throw new DataApiError('DATA_UNAVAILABLE', 'too many exports; try again later')
      if (added === 'caller full') {
        const message = `at most ${limits.maxPerCaller} exports of a caller run at once; wait until one has ended, or cancel it`
        throw new DataApiError('DATA_RATE_LIMIT', message, { details: { headers: { 'retry-after': '10' } } })
      }
      if (!closing.signal.aborted) launch(added)
      return toOperation(added)
    },
    get: async (id, owner) => toOperation(await find(id, owner)),
    cancel: async (id, owner) => {
      const { task } = await find(id, owner)
      const type = task === '' ? undefined : (JSON.parse(task) as ExportTask).type
      const end = { type, message: 'cancelled by the caller' }
      if (await ExportJobs.cancel(store, id, JSON.stringify(end))) running.get(id)?.stop.abort()
      return toOperation(await find(id, owner))
    },
    file: async (id) => {
      const job = ID.test(id) ? await jobs.find(id) : undefined
      if (job?.outcome?.isDone !== true) {
        throw new DataApiError('DATA_NOT_FOUND', 'operationId: no finished export has this id')
      }
      const { format, bytes, parts } = JSON.parse(job.progress ?? '{}') as Progress
      const name = `firn-export-${id.slice(0, 8)}.${format}`
      return {
        contentType: FORMAT[format].contentType,
        name,
        size: bytes,
        parts: readParts(store, id, parts),
      }
    },
    close: async () => {
      closing.abort()
      for (const { stop } of running.values()) stop.abort()
      await Promise.all([rounds, ...[...running.values()].map(({ ended }) => ended)])
      await jobs
        .release(holder)
        .catch((error: unknown) => log.warn({ reason: String(error) }, 'exports not released'))
    },
  }
}

function jobStore({ store, limits }: ExportsOptions): JobStore {
  return createSqlJobStore(
    { name: 'job', run: (text, values) => ExportJobs.run(store, text, values) },
    { maxJobs: MAX_JOBS, maxJobsPerCaller: limits.maxPerCaller, retentionMs: limits.retentionMs },
  )
}

interface Running extends ExportsOptions {
  readonly holder: string
  readonly jobs: JobStore
  readonly turns: Turns
  readonly signal: AbortSignal
}

/** Runs an export to its end. It goes on from the stored progress. */
async function run(job: StoredJob, running: Running): Promise<void> {
  const { clock, log, signal, random } = running
  const task = JSON.parse(job.task) as ExportTask
  let progress = progressOf(job, task)
  let failedAt: number | undefined
  for (let failures = 0; ; ) {
    signal.throwIfAborted()
    try {
      const next = await running.turns.run(() => step(job.id, task, progress, running))
      if (next === undefined) return
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

/** Reads and stores the next part. Returns the new progress, or undefined at the end of the export. */
async function step(
  id: string,
  task: ExportTask,
  progress: Progress,
  running: Running,
): Promise<Progress | undefined> {
  const { sourceOf, store, jobs, holder, limits, signal, stepRows = STEP_ROWS } = running
  const source = await sourceOf(task)
  if (progress.stage === 'rows') {
    const read = await source.read(progress.next, stepRows, signal)
    const rows = untilDayAfter(read, progress, limits.maxRows)
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
    message: `more than ${limits.maxRows} rows`,
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
  const after = { ...progress, bytes: progress.bytes + bytes.length, parts: progress.parts + 1 }
  const part = { sequence: progress.parts, bytes: await compress(bytes), size: bytes.length, summary }
  if (await ExportJobs.append(store, { id, holder }, JSON.stringify(after), part)) return after
  throw new DataApiError('DATA_UNAVAILABLE', 'another process runs this export, or it was cancelled')
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
      await clock.sleep(ROUND_MS, signal)
    }
  }
}

function progressOf({ progress }: StoredJob, task: ExportTask): Progress {
  return progress === undefined ? beginning(task) : (JSON.parse(progress) as Progress)
}

function beginning({ type, format }: ExportTask): Progress {
  return { type, format, rows: 0, bytes: 0, parts: 0, stage: 'rows' }
}

async function* readParts(store: UsageStore, id: string, parts: number): AsyncIterable<Uint8Array> {
  for (let sequence = 0; sequence < parts; sequence++) {
    const part = await ExportJobs.part(store, id, sequence)
    if (part === undefined) throw new DataApiError('DATA_NOT_FOUND', 'the file is not kept any more')
    yield await decompress(part.bytes, { maxOutputLength: part.size })
  }
}

function toOperation(job: StoredJob): Operation {
  const progress = job.progress === undefined ? undefined : (JSON.parse(job.progress) as Progress)
  const { outcome } = job
  const end = outcome === undefined ? undefined : (JSON.parse(outcome.body) as End)
  const type = end?.type ?? (JSON.parse(job.task || '{}') as ExportTask).type
  const finished = end?.code === 'WarnTruncatedExport' ? 'COMPLETED_WITH_WARNING' : 'COMPLETED'
  return {
    id: job.id,
    type,
    status: outcome === undefined ? 'RUNNING' : outcome.isDone ? finished : 'FAILED',
    message: end?.message,
    code: end?.code,
    nextDate: end?.nextDate,
    rows: progress?.rows ?? 0,
    bytes: progress?.bytes ?? 0,
    createdAt: job.createdAt,
    updatedAt: outcome?.finishedAt ?? job.createdAt,
  }
}

/** Runs steps of all exports one after the other, so that they need the memory of one. */
interface Turns {
  run<T>(work: () => Promise<T>): Promise<T>
}

function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run: (work) => {
      const next = last.then(work, work)
      last = next.catch(() => undefined)
      return next
    },
  }
}
