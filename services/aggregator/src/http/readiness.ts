import type { FastifyInstance } from 'fastify'
import { Readiness } from '../forecast/Readiness.ts'
import { Failure } from '../json/Answer.ts'
import * as Schema from '../Schema.ts'
import type { AppDependencies } from './AppDependencies.ts'
import { FAILURES } from './aggregate.ts'
import { ofSubnet, SUBNET } from './quorum.ts'

/** Adds `GET /v1/readiness/{subnetId}`. */
export function addReadinessRoute(server: FastifyInstance, { checkReadiness }: AppDependencies): void {
  server.get<{ Params: { subnetId: string } }>(
    '/v1/readiness/:subnetId',
    {
      schema: {
        operationId: 'getReadiness',
        summary: 'Whether messages of a subnet can be signed now; starts to connect to its validators',
        tags: ['Operations'],
        params: Schema.parameters({ subnetId: SUBNET }),
        response: {
          200: Readiness,
          ...FAILURES,
          503: Schema.union([Readiness, Failure], 'Not ready, or an error'),
        },
      },
    },
    async ({ params }, reply) => {
      const readiness = await ofSubnet(params.subnetId, (subnetId) => checkReadiness(subnetId))
      return reply
        .code(readiness.status === 'ready' ? 200 : 503)
        .header('cache-control', 'no-store')
        .send(readiness)
    },
  )
}
