import { LandingPage } from '@firn/http'
import type { Store } from '@firn/store'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { DataApiError } from './DataApiError.ts'
import type { EvmChainSource } from './evm/EvmContext.ts'
import type { Counters } from './front/RateLimit.ts'

/** The monitored parts of the service. */
export interface Watched {
  readonly store: Store | undefined
  readonly chains: readonly EvmChainSource[]
  /** Returns current problems of the indexing, in words; stored data is served meanwhile. */
  readonly problems: () => readonly string[]
  /** The limit counters outside this process, if any. */
  readonly limiter?: Pick<Counters, 'check'> | undefined
  /** Additional metrics registries to expose. */
  readonly registries?: readonly Registry[] | undefined
}

/** The content of a listener's landing page. */
export interface About extends LandingPage.Service {
  /** Prefix of the documentation's paths. */
  readonly prefix: string
  /** Other services of this process. */
  readonly links: readonly LandingPage.Link[]
}

/** Adds the endpoints for operators, `/`, `/metrics` and `/health`: these need no key and have no limit. */
export function addOperations(server: FastifyInstance, watched: Watched, about: About): void {
  addMetrics(server, watched.registries ?? [])
  server.get('/health', { schema: { hide: true } }, async (_request, reply) => {
    const health = await healthOf(watched)
    return reply.code(health.status === 'down' ? 503 : 200).send(health)
  })
  const { prefix, links: others, ...service } = about
  const links = [
    { href: `${prefix}/docs`, title: 'Documentation of the endpoints' },
    { href: `${prefix}/openapi.json`, title: 'OpenAPI document' },
    { href: '/health', title: 'Health' },
    { href: '/metrics', title: 'Prometheus metrics' },
    ...others,
  ]
  server.get('/', { schema: { hide: true } }, async (request, reply) => {
    const { status, problems = [], reason } = await healthOf(watched)
    const all = reason === undefined ? problems : [reason]
    const page = LandingPage.render({ ...service, status, problems: all, links }, request.headers.accept)
    return reply.headers(page.headers).send(page.body)
  })
}

/** The state of the service, with the heights that it serves. */
interface Health {
  readonly status: 'up' | 'degraded' | 'down'
  readonly problems?: readonly string[]
  /** The reason why it is down. */
  readonly reason?: string
}

async function healthOf(watched: Watched): Promise<Health> {
  try {
    await watched.limiter?.check()
    const heights = { ...(await platformOf(watched)), ...(await evmOf(watched)) }
    const problems = watched.problems()
    if (problems.length === 0) return { status: 'up', ...heights }
    // A chain that is not stored yet has no height.
    if (Object.keys(heights).length === 0) throw new DataApiError('DATA_UNAVAILABLE', problems.join('; '))
    return { status: 'degraded', problems, ...heights }
  } catch (error) {
    return { status: 'down', reason: (error as Error).message }
  }
}

function addMetrics(server: FastifyInstance, others: readonly Registry[]): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'firn_data_api_request_seconds',
    help: 'Latency of responses, by endpoint and status',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    seconds.observe({ route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  server.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('content-type', registry.contentType)
      .send(await Registry.merge([registry, ...others]).metrics()),
  )
}

async function platformOf({ store }: Watched) {
  if (store === undefined) return {}
  const { P, X, C } = await store.snapshot()
  const heights = { P: String(P.height), X: String(X.height), C: String(C.height) }
  return { heights, blockTime: Number(P.time) }
}

async function evmOf({ chains }: Watched) {
  if (chains.length === 0) return {}
  const entries = chains.map(async ({ chain, store }) => {
    const { height, time } = await store.snapshot()
    return [String(chain.chainId), { height: String(height), blockTime: Number(time) }]
  })
  return { chains: Object.fromEntries(await Promise.all(entries)) }
}
