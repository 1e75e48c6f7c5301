/** A job as it is stored. Another process can take it up. */
export interface StoredJob {
  /** 128 random bits in hex. */
  readonly id: string
  /** Name of the API key that created the job; undefined if the service had no keys. */
  readonly owner: string | undefined
  /** Name of the caller: the API key or the address. */
  readonly caller: string
  /** The task as JSON. */
  readonly task: string
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number
  /** Number of processes that have taken up the job so far. */
  readonly attempt: number
  /** The last stored progress as JSON; undefined until the first is stored. */
  readonly progress: string | undefined
  /** Present as soon as the job is finished. */
  readonly outcome: JobOutcome | undefined
}

/** The end of a job. */
export interface JobOutcome {
  readonly isDone: boolean
  /** The response of the synchronous route as JSON: its body or its error. */
  readonly body: string
  /** Milliseconds since the Unix epoch. */
  readonly finishedAt: number
}

/** The end of a job before it is stored. */
export interface JobEnd extends Omit<JobOutcome, 'finishedAt'> {
  /** The last progress as JSON. */
  readonly progress: string
}

/** A new job. It is leased to `holder` at once. */
export interface NewJob {
  readonly id: string
  readonly owner: string | undefined
  /** Name of the caller whose unfinished jobs are limited. */
  readonly caller: string
  readonly task: string
}

/** The reason why a job cannot be added: too many jobs in all, or too many of its caller. */
export type Rejection = 'full' | 'caller full'

/**
 * Keeps jobs. A process that runs a job holds a lease and renews it. If the lease ends, another process may
 * claim the job. Finished jobs are deleted after the retention time.
 */
export interface JobStore {
  /** Whether other processes use the same jobs, so that leases must be renewed and claimed. */
  readonly isShared: boolean
  /** Adds a job, and returns it or the reason why it cannot be added. */
  add(job: NewJob, holder: string): Promise<StoredJob | Rejection>
  /** Returns a job, or undefined if the id is unknown or the job has been deleted. */
  find(id: string): Promise<StoredJob | undefined>
  /**
   * Renews the leases of `holder` and stores the progress of its jobs, as JSON by job id. Returns the ids of the jobs
   * whose lease it still holds.
   */
  renew(holder: string, progress: ReadonlyMap<string, string>): Promise<ReadonlySet<string>>
  /** Stores the end of a job. Returns false if another process holds the lease. */
  finish(id: string, holder: string, outcome: JobEnd): Promise<boolean>
  /** Leases at most `limit` unfinished jobs without a valid lease to `holder`, oldest first. */
  claim(holder: string, limit: number): Promise<readonly StoredJob[]>
  /** Ends all leases of a process, so that others can claim its jobs at once. */
  release(holder: string): Promise<void>
  close(): Promise<void>
}

/** The limits of a {@link JobStore}. */
export interface JobLimits {
  /** Maximum number of unfinished jobs. */
  readonly maxJobs: number
  /** Maximum number of unfinished jobs of one caller. */
  readonly maxJobsPerCaller: number
  /** Time for which finished jobs are kept, in milliseconds. */
  readonly retentionMs: number
}
