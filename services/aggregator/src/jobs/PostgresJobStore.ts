import type { Database } from '../fleet/Database.ts'
import type { Row } from '../fleet/Server.ts'
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

/**
 * Creates a {@link JobStore} in the database of the fleet. Any aggregator of the fleet can read its jobs, and takes
 * up those whose process has stopped.
 */
export function createPostgresJobStore(database: Database, limits: JobLimits): JobStore {
  return {
    isShared: true,
    add: async ({ id, owner, caller, task }, holder) => {
      const [row] = await database.run(
        `with unfinished as (
           select count(*) as all_jobs, count(*) filter (where caller = $3) as mine,
             coalesce(sum(octet_length(task)), 0) + octet_length($4) as size
           from firn_aggregator.job where finished_at is null
         ), added as (
           insert into firn_aggregator.job (id, owner, caller, task, holder, leased_until)
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
      const [row] = await database.run(`select ${COLUMNS} from firn_aggregator.job where id = $1`, [id])
      return row === undefined ? undefined : toJob(row)
    },
    renew: async (holder, progress) => {
      const rows = await database.run(
        `update firn_aggregator.job set leased_until = ${LEASE}, progress = given.progress
         from unnest($2::text[], $3::text[]) as given (id, progress)
         where job.id = given.id and holder = $1 and finished_at is null returning job.id`,
        [holder, [...progress.keys()], [...progress.values()]],
      )
      return new Set(rows.map(({ id }) => String(id)))
    },
    finish: async (id, holder, { isDone, body, progress }) => {
      const rows = await database.run(
        `update firn_aggregator.job
         set task = '', progress = $3, is_done = $4, body = $5, finished_at = clock_timestamp()
         where id = $1 and holder = $2 and finished_at is null returning id`,
        [id, holder, progress, isDone, body],
      )
      return rows.length > 0
    },
    claim: async (holder, limit) => {
      await database.run(
        `delete from firn_aggregator.job where id in (
           select id from firn_aggregator.job
           where finished_at < clock_timestamp() - make_interval(secs => $1) limit ${MAX_DELETED}
         )`,
        [limits.retentionMs / 1_000],
      )
      const rows = await database.run(
        `update firn_aggregator.job set holder = $1, leased_until = ${LEASE}, attempt = attempt + 1
         where id in (
           select id from firn_aggregator.job
           where finished_at is null and leased_until < clock_timestamp()
           order by created_at limit $2 for update skip locked
         )
         returning ${COLUMNS}`,
        [holder, limit],
      )
      return rows.map(toJob)
    },
    release: async (holder) => {
      await database.run(
        `update firn_aggregator.job set leased_until = '-infinity' where holder = $1 and finished_at is null`,
        [holder],
      )
    },
    close: async () => {},
  }
}

function toJob(row: Row): StoredJob {
  const text = (name: string) => (row[name] === null ? undefined : String(row[name]))
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
