import { Console, type LandingPage, Operators } from '@firn/operate'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { Health } from '../operate/Health.ts'
import type { AppDependencies } from './AppDependencies.ts'

const DOCUMENTATION: readonly LandingPage.Link[] = [
  { href: '/docs', title: 'Documentation of the endpoints' },
  { href: '/openapi.json', title: 'OpenAPI document' },
]
const OPERATIONS: readonly LandingPage.Link[] = [
  { href: '/health', title: 'Health' },
  { href: '/metrics', title: 'Prometheus metrics' },
]

/** Adds the console and the endpoints for operators: `GET /`, `GET /health` and `GET /metrics`. */
export function addOperationRoutes(
  server: FastifyInstance,
  {
    health,
    register,
    version,
    networkNames,
    operators,
  }: Pick<AppDependencies, 'health' | 'register' | 'version' | 'networkNames' | 'operators'>,
): void {
  Console.addRoutes(server, async () => {
    const { status, problems } = await health()
    const about = {
      name: 'signature aggregator',
      description: 'Collects BLS signatures of validators and returns signed Warp messages.',
      version,
    }
    // A listener that serves only metrics has no documentation.
    const isDocumented = server.hasRoute({ method: 'GET', url: '/openapi.json' })
    const links = [...(isDocumented ? DOCUMENTATION : []), ...OPERATIONS]
    const api = { kind: 'aggregator', url: './', network: networkNames[0] } as const
    const apis = isDocumented ? [api, ...(operators === undefined ? [] : [Operators.apiOf(operators)])] : []
    return { ...about, status, problems, links, apis }
  })
  server.get(
    '/health',
    {
      logLevel: 'warn',
      schema: {
        operationId: 'getHealth',
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
      schema: {
        operationId: 'getMetrics',
        summary: 'Prometheus metrics',
        tags: ['Operations'],
        response: { 200: { content: { 'text/plain': { schema: Type.String() } } } },
      },
    },
    async (_request, reply) =>
      reply.header('content-type', register.contentType).send(await register.metrics()),
  )
}
