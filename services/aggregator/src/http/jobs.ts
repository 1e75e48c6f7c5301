import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type TObject, Type } from 'typebox'
import type { JobEvent } from '../jobs/Feed.ts'
import { JobProgressJson } from '../jobs/JobProgress.ts'
import { Failure } from '../json/Answer.ts'
import * as Schema from '../Schema.ts'
import type { RouteDependencies } from './AppDependencies.ts'
import { FAILURES } from './aggregate.ts'
import { createEventStream } from './eventStream.ts'

const MINUTE_MS = 60_000
const JOB_PATH = '/v1/jobs/:jobId'

const Params = Schema.parameters({ jobId: Schema.text('Id of the job', Schema.EXAMPLE.jobId) })

const JobResult = Type.Object(
  {},
  {
    title: 'JobResult',
    additionalProperties: true,
    description: 'Response of the synchronous route',
    examples: [{ signedMessage: Schema.EXAMPLE.message }],
  },
) as Schema.Documented<TObject>

const Job = Schema.object('Job', 'A job', {
  jobId: Schema.text('Id of the job', Schema.EXAMPLE.jobId),
  state: Schema.text('State: running, done or failed', 'done'),
  createdAt: Schema.time('Time at which the job was created'),
  finishedAt: Schema.optional(Schema.time('Time at which the job ended')),
  progress: Schema.optional(JobProgressJson),
  result: Schema.optional(JobResult),
  error: Schema.optional(Failure),
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
        description: 'Returns a job of the same API key. Finished jobs are deleted after a while.',
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
  /** Counts an open stream like a request per minute. Throws when it is closed, or its caller has no units left. */
  const payByMinute = async (request: FastifyRequest, reply: FastifyReply, closed: AbortSignal) => {
    for (;;) {
      await clock.sleep(MINUTE_MS, closed)
      callers.limit.take(request, reply, 1)
    }
  }
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
        headers: Schema.parameters({
          'last-event-id': Schema.optional(Schema.text('Id of the last event that was received', '7')),
        }),
        response: {
          200: {
            description: 'Server-sent events',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
          204: Schema.nothing('All events were received'),
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
      payByMinute(request, reply, stream.closed).catch(stream.end)
      return stream.start()
    },
  )
}
