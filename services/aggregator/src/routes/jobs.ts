import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { RouteDependencies } from '../AppDependencies.ts'
import { Failure } from '../http/Answer.ts'
import type { JobEvent } from '../jobs/Feed.ts'
import { JobProgressJson } from '../jobs/JobProgress.ts'
import { FAILURES } from './aggregate.ts'
import { createEventStream } from './eventStream.ts'

const JOB_PATH = '/v1/jobs/:jobId'

const Params = Type.Object({ jobId: Type.String({ description: 'id of the job' }) })

const Job = Type.Object({
  jobId: Type.String(),
  state: Type.String({ description: 'running, done or failed' }),
  createdAt: Type.String(),
  finishedAt: Type.Optional(Type.String()),
  progress: Type.Optional(JobProgressJson),
  result: Type.Optional(
    Type.Object(
      {},
      { title: 'Job', additionalProperties: true, description: 'response of the synchronous route' },
    ),
  ),
  error: Type.Optional(Failure),
})

/**
 * Adds the routes that return a job's state and its events. A job is visible only to the API key that created
 * it.
 */
export function addJobRoutes(server: FastifyInstance, { jobs, clock, callers }: RouteDependencies): void {
  server.get<{ Params: { jobId: string } }>(
    JOB_PATH,
    {
      schema: {
        operationId: 'getJob',
        summary: 'State, progress and result of a job',
        tags: ['Signature aggregator'],
        params: Params,
        response: { 200: Job, ...FAILURES },
      },
    },
    async (request, reply) => {
      const text = await jobs.describe(request.params.jobId, callers.identify(request).key)
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(text)
    },
  )
  const streams = new Set<() => void>()
  server.addHook('preClose', async () => {
    for (const end of streams) end()
  })
  server.get<{ Params: { jobId: string } }>(
    `${JOB_PATH}/events`,
    {
      schema: {
        operationId: 'streamJobEvents',
        summary: 'Progress of a job, as server-sent events',
        description:
          'Sends the event `progress` with what has changed, or with everything if `isComplete` is true. Ends with the event `done`, whose data is the response of the synchronous route, or `failed`, whose data is its error. The header `last-event-id` resumes the stream; after the last event, the status is 204.',
        tags: ['Signature aggregator'],
        params: Params,
        headers: Type.Object({
          'last-event-id': Type.Optional(
            Type.String({ description: 'id of the last event that was received' }),
          ),
        }),
        response: {
          200: { content: { 'text/event-stream': { schema: Type.String() } } },
          204: Type.Null(),
          ...FAILURES,
        },
      },
    },
    async (request, reply) => {
      const lastEventId = request.headers['last-event-id'] as string | undefined
      const stream = createEventStream(reply, clock)
      const listener = { send: (event: JobEvent) => stream.send(event), end: stream.end }
      const caller = callers.identify(request)
      const leave = await jobs.listen(request.params.jobId, caller, lastEventId, listener)
      if (leave === undefined) return reply.code(204).send()
      streams.add(stream.end)
      stream.onClose(() => {
        streams.delete(stream.end)
        leave()
      })
      return stream.start()
    },
  )
}
