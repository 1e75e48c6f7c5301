/**
 * Storage of jobs that several processes share.
 *
 * @packageDocumentation
 */
export type { JobEnd, JobLimits, JobOutcome, JobStore, NewJob, Rejection, StoredJob } from './JobStore.ts'
export { createMemoryJobStore, type MemoryJobStoreOptions } from './MemoryJobStore.ts'
export { createSqlJobStore, type JobRow, type JobTable } from './SqlJobStore.ts'
