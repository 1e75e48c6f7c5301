import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { AppDependencies } from '../AppDependencies.ts'
import { Health } from '../Health.ts'

/** Adds what operators look at: `GET /health` and `GET /metrics`. */
export function addOperationRoutes(
  server: FastifyInstance,
  { health, register }: Pick<AppDependencies, 'health' | 'register'>,
): void {
  server.get(
    '/health',
    {
      logLevel: 'warn',
      schema: {
        summary: 'Whether signatures can be collected now, and if not, what is wrong',
        tags: ['Operations'],
        response: { 200: Health, 503: Health },
      },
    },
    async (_request, reply) => {
      const report = await health()
      return reply
        .code(report.status === 'up' ? 200 : 503)
        .header('cache-control', 'no-store')
        .send(report)
    },
  )
  server.get(
    '/metrics',
    {
      logLevel: 'warn',
      schema: { summary: 'Prometheus metrics', tags: ['Operations'], response: { 200: Type.String() } },
    },
    async (_request, reply) =>
      reply.header('content-type', register.contentType).send(await register.metrics()),
  )
}
