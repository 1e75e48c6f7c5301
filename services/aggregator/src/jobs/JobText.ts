import type { JobOutcome, StoredJob } from '@firn/jobs'
import { type JobEvent, LAST_ID } from './Feed.ts'

/** Returns the last event of a job. */
export function lastEvent({ isDone, body }: Pick<JobOutcome, 'isDone' | 'body'>): JobEvent {
  return { id: LAST_ID, name: isDone ? 'done' : 'failed', data: body }
}

/** Returns the JSON of a job. Results are inserted as text, because they may be large. */
export function toJson({ id, createdAt, outcome }: StoredJob, progress: string | undefined): string {
  const state = outcome === undefined ? 'running' : outcome.isDone ? 'done' : 'failed'
  const members = [
    `"jobId":"${id}"`,
    `"state":"${state}"`,
    `"createdAt":"${new Date(createdAt).toISOString()}"`,
    ...(outcome === undefined ? [] : [`"finishedAt":"${new Date(outcome.finishedAt).toISOString()}"`]),
    ...(progress === undefined ? [] : [`"progress":${progress}`]),
    ...(outcome === undefined ? [] : [`"${outcome.isDone ? 'result' : 'error'}":${outcome.body}`]),
  ]
  return `{${members.join(',')}}`
}
