import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { createSqlJobStore, type StoredJob } from '@firn/jobs'
import { ExportJobs, type UsageStore } from '@firn/service-store'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import { type Owner, quotasOf, refusal } from './ExportLimits.ts'
import type { ExportTask } from './ExportTask.ts'
import { FORMAT } from './Format.ts'
import { type End, type Progress, type RunOptions, run, type StoredTask } from './runExport.ts'
import { createTurns } from './Turns.ts'

/** An export as callers see it. */
export interface Operation {
  readonly id: string
  readonly type: ExportTask['type']
  readonly status: 'RUNNING' | 'COMPLETED' | 'COMPLETED_WITH_WARNING' | 'FAILED'
  readonly message: string | undefined
  readonly code: End['code']
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

/** Runs exports and serves their files. */
export interface Exports {
  /** Starts an export. @throws DataApiError `DATA_RATE_LIMIT`, `DATA_UNAVAILABLE` */
  start(task: ExportTask, owner: Owner): Promise<Operation>
  /** Returns an export of the caller. @throws DataApiError `DATA_NOT_FOUND` */
  get(id: string, owner: Pick<Owner, 'key'>): Promise<Operation>
  /** Ends an export of the caller, and removes its file. @throws DataApiError `DATA_NOT_FOUND` */
  cancel(id: string, owner: Pick<Owner, 'key'>): Promise<Operation>
  /** Returns the file of a finished export to anybody who knows its id. @throws DataApiError `DATA_NOT_FOUND` */
  file(id: string): Promise<ExportFile>
  close(): Promise<void>
}

/** Other threads decompress parts, so that requests are answered meanwhile. */
const decompress = promisify(zstdDecompress)
/** Interval at which leases are renewed and jobs of stopped processes are taken up, in milliseconds. */
const ROUND_MS = 5_000
const MAX_CLAIMS = 4
/** Longest piece of a file that is sent at once, in bytes. */
const PIECE = 65_536
const ID = /^[0-9a-f]{32}$/

/** Creates {@link Exports}, and continues the exports of stopped processes. */
export function createExports(options: RunOptions): Exports {
  const { store, clock, log, limits } = options
  const holder = randomBytes(16).toString('hex')
  const jobs = createSqlJobStore(
    { name: 'job', run: (text, values) => ExportJobs.run(store, text, values) },
    // Exports are not added by this store.
    { maxJobs: 0, maxJobsPerCaller: 0, retentionMs: limits.retentionMs },
  )
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
  const find = async (id: string, owner: Pick<Owner, 'key'>): Promise<StoredJob> => {
    const job = ID.test(id) ? await jobs.find(id) : undefined
    if (job !== undefined && job.owner === owner.key) return job
    throw new DataApiError('DATA_NOT_FOUND', 'operationId: no operation of this caller has this id')
  }
  return {
    start: async (task, owner) => {
      const id = randomBytes(16).toString('hex')
      const stored: StoredTask = { ...task, owner: { limits: owner.limits, isAnonymous: owner.isAnonymous } }
      const { key: caller } = owner.limits[0]
      const job = { id, holder, owner: owner.key, caller, task: JSON.stringify(stored) }
      const quotas = quotasOf(owner, limits)
      let refused: DataApiError | undefined
      await ExportJobs.add(store, job, quotas, (uses) => {
        refused = refusal(quotas, uses, limits)
        return refused === undefined
      })
      if (refused !== undefined) throw refused
      const added = await find(id, owner)
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

async function* readParts(store: UsageStore, id: string, parts: number): AsyncIterable<Uint8Array> {
  for (let sequence = 0; sequence < parts; sequence++) {
    const part = await ExportJobs.part(store, id, sequence)
    if (part === undefined) throw new DataApiError('DATA_NOT_FOUND', 'the export has expired; start it again')
    const bytes = await decompress(part.bytes, { maxOutputLength: part.size })
    for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
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
