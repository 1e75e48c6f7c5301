import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Task } from '../jobs/Task.ts'
import * as Schema from '../Schema.ts'
import type { RouteDependencies } from './AppDependencies.ts'

const RESPOND_ASYNC = /(?:^|,)\s*respond-async\s*(?:[;,]|$)/i

/** JSON schema of the request header that asks for a job. */
export const PreferHeader = Schema.parameters({
  prefer: Schema.optional(
    Schema.text('`respond-async` returns a job at once, instead of the signed message', 'respond-async'),
  ),
})

const AcceptedJob = Schema.object('AcceptedJob', 'A new job', {
  jobId: Schema.text('Id of the job', Schema.EXAMPLE.jobId),
  location: Schema.text('Path of the job', `/v1/jobs/${Schema.EXAMPLE.jobId}`),
})

/** JSON schema of the response with a new job, and its headers. */
export const Accepted = {
  ...AcceptedJob,
  headers: {
    location: Schema.text('Path of the job', `/v1/jobs/${Schema.EXAMPLE.jobId}`),
    'preference-applied': Schema.text('Always `respond-async`', 'respond-async'),
  },
}

/** Returns whether the caller prefers a job, as in RFC 7240. */
export function prefersAsync({ headers }: FastifyRequest): boolean {
  return [headers['prefer'] ?? []].flat().some((header) => RESPOND_ASYNC.test(header))
}

/**
 * Starts a job and responds with its id.
 * @throws AggregatorError `AGGREGATOR_JOBS_FULL`, `AGGREGATOR_RATE_LIMIT`
 */
export async function accept(
  request: FastifyRequest,
  reply: FastifyReply,
  task: Task,
  { jobs, callers }: RouteDependencies,
): Promise<Static<typeof AcceptedJob>> {
  // The messages of a source chain are counted when they are found; all others are counted already.
  const onFound = (messages: number) => callers.limit.takeMessages(request, reply, messages)
  const jobId = await jobs.submit(task, callers.identify(request), onFound)
  const location = `/v1/jobs/${jobId}`
  reply.code(202).headers({ location, 'preference-applied': 'respond-async' })
  return { jobId, location }
}
