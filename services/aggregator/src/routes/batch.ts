import type { FastifyInstance } from 'fastify'
import { Failure } from '../Answer.ts'
import type { RouteDependencies } from '../AppDependencies.ts'
import * as Batch from '../jobs/Batch.ts'
import { Accepted, accept, prefersAsync } from './accept.ts'
import { AsyncHeaders, assertNetwork, limited, PATH, Params, parts, Query } from './aggregate.ts'

/** The path of a batch. The router reads two colons as one. */
const BATCH_PATH = `${PATH}::batch`

/** Adds the route that has several messages signed by one request. */
export function addBatchRoute(server: FastifyInstance, dependencies: RouteDependencies): void {
  const { configuration, callers } = dependencies
  server.post<{ Params: { network: string } }>(
    BATCH_PATH,
    {
      bodyLimit: configuration.bodyLimitBytes,
      schema: {
        summary: 'Collect signatures for several Warp messages',
        description:
          'Each message counts as one request against the rate limit. A message that fails does not affect the others.',
        tags: ['Signature aggregator'],
        params: Params,
        headers: AsyncHeaders,
        querystring: Query,
        body: Batch.BatchBody,
        response: { 200: Batch.BatchAnswer, 202: Accepted, '4xx': Failure, '5xx': Failure },
      },
    },
    async (request, reply) => {
      assertNetwork(request.params.network, dependencies)
      const included = parts(request)
      const messages = Batch.parseBatch(request.body, included)
      await callers.charge(request, reply, messages.length - 1)
      if (prefersAsync(request)) {
        const task = { kind: 'batch', body: messages, parts: included } as const
        return accept(request, reply, task, dependencies)
      }
      return limited(request, reply, undefined, dependencies, (limits) =>
        Batch.signAll(messages, included, limits, { key: request.id }, dependencies),
      )
    },
  )
}
