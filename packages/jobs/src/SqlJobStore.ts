import type { JobLimits, JobStore, StoredJob } from './JobStore.ts'

/** Time for which a process holds a job without renewing its lease, in seconds. */
const LEASE_SECONDS = 15
/** Maximum size of the tasks of all unfinished jobs, in bytes. */
const MAX_SIZE = 128 << 20
/** Maximum number of finished jobs that one statement deletes. */
const MAX_DELETED = 1_000

const LEASE = `clock_timestamp() + interval '${LEASE_SECONDS} seconds'`
const COLUMNS = `id, owner, caller, task, attempt, progress, is_done, body,
  (extract(epoch from created_at) * 1000)::float8 as created_at,
  (extract(epoch from finished_at) * 1000)::float8 as finished_at`

/** A row as the database returns it. */
export type JobRow = Readonly<Record<string, unknown>>

/** The table of jobs in a PostgreSQL database. */
export interface JobTable {
  /**
   * Name of the table, with its schema if it is not in the search path. Its columns are the members of
   * {@link StoredJob} in snake case, `holder`, `leased_until`, `is_done`, `body` and `finished_at`.
   */
  readonly name: string
  /** Runs one statement with the parameters `$1`, `$2`, … and returns its rows. */
  readonly run: (text: string, values?: readonly unknown[]) => Promise<readonly JobRow[]>
}

/**
 * Creates a {@link JobStore} in a database. Any process that uses the table can read its jobs, and takes up those whose
 * process has stopped.
 *
 * @example
 * ```ts
 * import { createSqlJobStore, type JobTable } from '@firn/jobs'
 *
 * declare const table: JobTable
 * const store = createSqlJobStore(table, { maxJobs: 100, maxJobsPerCaller: 2, retentionMs: 3_600_000 })
 * const job = await store.add({ id: '01', owner: undefined, caller: 'me', task: '{}' }, 'this process')
 * ```
 */
export function createSqlJobStore({ name, run }: JobTable, limits: JobLimits): JobStore {
  return {
    isShared: true,
    add: async ({ id, owner, caller, task }, holder) => {
      const [row] = await run(
        `with unfinished as (
           select count(*) as all_jobs, count(*) filter (where caller = $3) as mine,
             coalesce(sum(octet_length(task)), 0) + octet_length($4) as size
           from ${name} where finished_at is null
         ), added as (
           insert into ${name} (id, owner, caller, task, holder, leased_until)
           select $1, $2, $3, $4, $5, ${LEASE} from unfinished where all_jobs < $6 and mine < $7 and size <= ${MAX_SIZE}
           returning ${COLUMNS}
         )
         select unfinished.all_jobs >= $6 or size > ${MAX_SIZE} as is_full, added.* from unfinished left join added on true`,
        [id, owner ?? null, caller, task, holder, limits.maxJobs, limits.maxJobsPerCaller],
      )
      if (row?.['id'] != null) return toJob(row)
      return row?.['is_full'] === true ? 'full' : 'caller full'
    },
    find: async (id) => {
      const [row] = await run(`select ${COLUMNS} from ${name} where id = $1`, [id])
      return row === undefined ? undefined : toJob(row)
    },
    renew: async (holder, progress) => {
      const rows = await run(
        `update ${name} as j set leased_until = ${LEASE}, progress = given.progress
         from unnest($2::text[], $3::text[]) as given (id, progress)
         where j.id = given.id and holder = $1 and finished_at is null returning j.id`,
        [holder, [...progress.keys()], [...progress.values()]],
      )
      return new Set(rows.map(({ id }) => String(id)))
    },
    finish: async (id, holder, { isDone, body, progress }) => {
      const rows = await run(
        `update ${name}
         set task = '', progress = $3, is_done = $4, body = $5, finished_at = clock_timestamp()
         where id = $1 and holder = $2 and finished_at is null returning id`,
        [id, holder, progress, isDone, body],
      )
      return rows.length > 0
    },
    claim: async (holder, limit) => {
      await run(
        `delete from ${name} where id in (
           select id from ${name}
           where finished_at < clock_timestamp() - make_interval(secs => $1) limit ${MAX_DELETED}
         )`,
        [limits.retentionMs / 1_000],
      )
      const rows = await run(
        `update ${name} set holder = $1, leased_until = ${LEASE}, attempt = attempt + 1
         where id in (
           select id from ${name}
           where finished_at is null and leased_until < clock_timestamp()
           order by created_at limit $2 for update skip locked
         )
         returning ${COLUMNS}`,
        [holder, limit],
      )
      return rows.map(toJob)
    },
    release: async (holder) => {
      await run(`update ${name} set leased_until = '-infinity' where holder = $1 and finished_at is null`, [
        holder,
      ])
    },
    close: async () => {},
  }
}

function toJob(row: JobRow): StoredJob {
  const text = (column: string) => (row[column] === null ? undefined : String(row[column]))
  const body = text('body')
  return {
    id: String(row['id']),
    owner: text('owner'),
    caller: String(row['caller']),
    task: String(row['task']),
    createdAt: Number(row['created_at']),
    attempt: Number(row['attempt']),
    progress: text('progress'),
    outcome:
      body === undefined
        ? undefined
        : { isDone: row['is_done'] === true, body, finishedAt: Number(row['finished_at']) },
  }
}
