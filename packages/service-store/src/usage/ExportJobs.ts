import type { Row } from '@firn/sql'
import type { UsageStore } from './UsageStore.ts'

/** A part of the file that an export writes. */
export interface Part {
  readonly sequence: number
  /** The bytes as they are stored. */
  readonly bytes: Uint8Array
  /** Size of the part in the file, in bytes. */
  readonly size: number
  /** What the end of the file must say about the part, as JSON; undefined for most formats. */
  readonly summary: string | undefined
}

/** Process that runs an export, and the export's id. */
export interface Held {
  readonly id: string
  readonly holder: string
}

/**
 * Runs one statement on the table of exports. It serves the package `jobs`.
 *
 * @example
 * ```ts
 * import { ExportJobs, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * const rows = await ExportJobs.run(store, 'select id from job where finished_at is null')
 * ```
 */
export function run(
  store: UsageStore,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  return store.driver.transaction((session) => session.query(text, values))
}

/** How much the exports of some callers may use. */
export interface Quota {
  /** Pattern of the callers' names, as of SQL's `like`. */
  readonly callers: string
  /** Maximum number of unfinished exports. */
  readonly unfinished: number
  /** Size of all stored parts, also of finished exports, from which on no further part is stored. */
  readonly bytes: number
}

/** What the exports of the callers of a {@link Quota} use. */
export interface Use {
  readonly unfinished: number
  readonly bytes: number
}

/** A new export. It is leased to a process at once. */
export interface NewExport extends Held {
  /** Id of the API key; undefined without a key. */
  readonly owner: string | undefined
  /** Name of the caller. */
  readonly caller: string
  /** The task as JSON. */
  readonly task: string
}

/**
 * Adds an export and returns true, unless `isAllowed` returns false for what exports use now, in the order of the quotas.
 * Processes add one export after another, so that many at once do not exceed a quota together.
 *
 * @example
 * ```ts
 * import { ExportJobs, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * const job = { id: '01', holder: 'me', owner: undefined, caller: 'you', task: '{}' }
 * const quota = { callers: 'you', unfinished: 2, bytes: 1_000_000 }
 * const isAdded = await ExportJobs.add(store, job, [quota], ([use]) => (use?.unfinished ?? 0) < quota.unfinished)
 * ```
 */
export function add(
  store: UsageStore,
  { id, owner, caller, task, holder }: NewExport,
  quotas: readonly Quota[],
  isAllowed: (uses: readonly Use[]) => boolean,
): Promise<boolean> {
  return store.driver.transaction(async ({ query }) => {
    await query('select pg_advisory_xact_lock($1)', [ADD_LOCK])
    if (!isAllowed(await usesOf(query, quotas))) return false
    await query(
      `insert into job (id, owner, caller, task, holder, leased_until)
       values ($1, $2, $3, $4, $5, clock_timestamp() + interval '15 seconds')`,
      [id, owner ?? null, caller, task, holder],
    )
    return true
  })
}

/** Number of the lock under which exports are added: "export" in ASCII. */
const ADD_LOCK = '111490579952244'

/**
 * Returns what exports use, in the order of the quotas. The stored size of an export is the number `stored` in its progress.
 *
 * @example
 * ```ts
 * import { ExportJobs, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * const [all] = await ExportJobs.uses(store, [{ callers: '%', unfinished: 1_000, bytes: 1_000_000 }])
 * ```
 */
export function uses(store: UsageStore, quotas: readonly Quota[]): Promise<readonly Use[]> {
  return store.driver.transaction(({ query }) => usesOf(query, quotas))
}

async function usesOf(query: Query, quotas: readonly Quota[]): Promise<readonly Use[]> {
  const rows = await query(
    `select count(*) filter (where job.id is not null and finished_at is null) as unfinished,
       coalesce(sum((progress::json->>'stored')::bigint) filter (where is_done is not false), 0) as bytes
     from unnest($1::text[]) with ordinality as quota (callers, position)
     left join job on job.caller like quota.callers
     group by position order by position`,
    [quotas.map(({ callers }) => callers)],
  )
  return rows.map(({ unfinished, bytes }) => ({ unfinished: Number(unfinished), bytes: Number(bytes) }))
}

/**
 * Stores a part of the file of an export and the progress after it, in one transaction. Returns false and stores nothing
 * if the process no longer holds the export.
 *
 * @example
 * ```ts
 * import { ExportJobs, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * const part = { sequence: 0, bytes: new Uint8Array(1), size: 1, summary: undefined }
 * const isHeld = await ExportJobs.append(store, { id: '01', holder: 'me' }, '{}', part)
 * ```
 */
export function append(store: UsageStore, held: Held, progress: string, part: Part): Promise<boolean> {
  return whileHeld(store, held, progress, async (query) => {
    const { sequence, bytes, size, summary } = part
    await query('insert into job_part (job_id, sequence, bytes, size, summary) values ($1, $2, $3, $4, $5)', [
      held.id,
      sequence,
      bytes,
      size,
      summary ?? null,
    ])
  })
}

/**
 * Removes all parts of an export, so that it starts again. Returns false if the process no longer holds it.
 *
 * @example
 * ```ts
 * import { ExportJobs, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * await ExportJobs.clear(store, { id: '01', holder: 'me' })
 * ```
 */
export function clear(store: UsageStore, held: Held): Promise<boolean> {
  return whileHeld(store, held, null, async (query) => {
    await query('delete from job_part where job_id = $1', [held.id])
  })
}

/**
 * Returns a part of a file, or undefined if there is none.
 *
 * @example
 * ```ts
 * import { ExportJobs, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * const first = await ExportJobs.part(store, '01', 0)
 * ```
 */
export async function part(store: UsageStore, id: string, sequence: number): Promise<Part | undefined> {
  const [row] = await run(store, 'select * from job_part where job_id = $1 and sequence = $2', [id, sequence])
  if (row === undefined) return undefined
  const { bytes, size, summary } = row
  return {
    sequence,
    bytes: bytes as Uint8Array,
    size: Number(size),
    summary: (summary as string | null) ?? undefined,
  }
}

/**
 * Returns what the end of a file must say about its parts, in their order.
 *
 * @example
 * ```ts
 * import { ExportJobs, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * const summaries = await ExportJobs.summaries(store, '01')
 * ```
 */
export async function summaries(store: UsageStore, id: string): Promise<readonly string[]> {
  const rows = await run(
    store,
    'select summary from job_part where job_id = $1 and summary is not null order by sequence',
    [id],
  )
  return rows.map(({ summary }) => String(summary))
}

/**
 * Ends an export that its caller cancels, and removes its parts, also of a finished file. Returns false if it has
 * ended without a file before.
 *
 * @example
 * ```ts
 * import { ExportJobs, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * const isCancelled = await ExportJobs.cancel(store, '01', '{"message":"cancelled"}')
 * ```
 */
export function cancel(store: UsageStore, id: string, body: string): Promise<boolean> {
  return store.driver.transaction(async ({ query }) => {
    const rows = await query(
      `update job set task = '', is_done = false, body = $2, finished_at = coalesce(finished_at, clock_timestamp())
       where id = $1 and is_done is distinct from false returning id`,
      [id, body],
    )
    if (rows.length > 0) await query('delete from job_part where job_id = $1', [id])
    return rows.length > 0
  })
}

/**
 * Removes the parts of exports that ended more than `retentionMs` milliseconds ago or without a file. Run it before such
 * jobs are deleted, because parts are found by their job.
 *
 * @example
 * ```ts
 * import { ExportJobs, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * await ExportJobs.sweep(store, 86_400_000)
 * ```
 */
export async function sweep(store: UsageStore, retentionMs: number): Promise<void> {
  await run(
    store,
    `delete from job_part where job_id in (
       select id from job where finished_at < clock_timestamp() - make_interval(secs => $1) or is_done = false
     )`,
    [String(retentionMs / 1_000)],
  )
}

/**
 * Renews the leases of a process for 15 seconds without changing the progress. Returns the ids of the exports that it
 * still holds.
 *
 * @example
 * ```ts
 * import { ExportJobs, type UsageStore } from '@firn/service-store'
 *
 * declare const store: UsageStore
 * const held = await ExportJobs.renew(store, 'me', ['01'])
 * ```
 */
export async function renew(store: UsageStore, holder: string, ids: readonly string[]): Promise<string[]> {
  const rows = await run(
    store,
    `update job set leased_until = clock_timestamp() + interval '15 seconds'
     where holder = $1 and id = any($2::text[]) and finished_at is null returning id`,
    [holder, [...ids]],
  )
  return rows.map(({ id }) => String(id))
}

type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/** Runs `work` and stores the progress in one transaction, unless another process has taken up the export. */
function whileHeld(
  store: UsageStore,
  { id, holder }: Held,
  progress: string | null,
  work: (query: Query) => Promise<void>,
): Promise<boolean> {
  return store.driver.transaction(async ({ query }) => {
    const rows = await query(
      'update job set progress = $3 where id = $1 and holder = $2 and finished_at is null returning id',
      [id, holder, progress],
    )
    if (rows.length > 0) await work(query)
    return rows.length > 0
  })
}
