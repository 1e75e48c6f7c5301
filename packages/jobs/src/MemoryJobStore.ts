import type { Clock } from '@firn/runtime'
import type { JobLimits, JobStore, StoredJob } from './JobStore.ts'

/** Maximum size of all tasks and results in memory, in characters. */
const MAX_SIZE = 128 << 20
/** Size of a job without its texts, in characters. */
const JOB_SIZE = 512

interface Kept {
  job: StoredJob
  size: number
}

/** Options of {@link createMemoryJobStore}. */
export interface MemoryJobStoreOptions extends JobLimits {
  readonly clock: Clock
  /** Maximum size of all tasks and results, in characters; 128 Mi by default. */
  readonly maxSize?: number
}

/**
 * Creates a {@link JobStore} in memory. Its jobs end with the process. If memory is short, finished jobs are
 * deleted before their time.
 *
 * @example
 * ```ts
 * import { createMemoryJobStore } from '@firn/jobs'
 * import { systemClock } from '@firn/runtime'
 *
 * const limits = { maxJobs: 100, maxJobsPerCaller: 2, retentionMs: 3_600_000 }
 * const store = createMemoryJobStore({ ...limits, clock: systemClock })
 * ```
 */
export function createMemoryJobStore({
  clock,
  maxSize = MAX_SIZE,
  ...limits
}: MemoryJobStoreOptions): JobStore {
  const unfinished = new Map<string, Kept>()
  /** Finished jobs, the oldest first. */
  const finished = new Map<string, Kept>()
  let size = 0
  const drop = (id: string) => {
    size -= finished.get(id)?.size ?? 0
    finished.delete(id)
  }
  const prune = (needed: number) => {
    const expired = clock.now() - limits.retentionMs
    for (const [id, { job }] of finished) {
      if ((job.outcome?.finishedAt ?? 0) > expired && size + needed <= maxSize) return
      drop(id)
    }
  }
  const update = (kept: Kept, job: StoredJob) => {
    const now = sizeOf(job)
    size += now - kept.size
    kept.job = job
    kept.size = now
  }
  return {
    isShared: false,
    add: async (given) => {
      const job = { ...given, createdAt: clock.now(), attempt: 1, progress: undefined, outcome: undefined }
      const added = sizeOf(job)
      prune(added)
      if (unfinished.size >= limits.maxJobs || size + added > maxSize) return 'full'
      let mine = 0
      for (const one of unfinished.values()) if (one.job.caller === job.caller) mine++
      if (mine >= limits.maxJobsPerCaller) return 'caller full'
      unfinished.set(job.id, { job, size: added })
      size += added
      return job
    },
    find: async (id) => {
      prune(0)
      return (unfinished.get(id) ?? finished.get(id))?.job
    },
    renew: async (_holder, progress) => new Set(progress.keys()),
    finish: async (id, _holder, { progress, ...outcome }) => {
      const kept = unfinished.get(id)
      if (kept === undefined) return false
      unfinished.delete(id)
      finished.set(id, kept)
      // The task of a finished job is no longer needed.
      update(kept, { ...kept.job, task: '', progress, outcome: { ...outcome, finishedAt: clock.now() } })
      prune(0)
      return true
    },
    claim: async () => [],
    release: async () => {},
    close: async () => {},
  }
}

function sizeOf({ task, progress, outcome }: StoredJob): number {
  return JOB_SIZE + task.length + (progress?.length ?? 0) + (outcome?.body.length ?? 0)
}
