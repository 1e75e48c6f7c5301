import { Console, type LandingPage } from '@firn/operate'
import type { Logger } from '@firn/runtime'
import type { Store } from '@firn/store'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { EvmChainSource } from '../evm/chain/EvmContext.ts'
import type { Access } from '../http/admission/Access.ts'
import { addAdmission } from '../http/admission/Admission.ts'
import type { Counters } from '../http/admission/RateLimit.ts'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import { addErrorReply } from '../http/errorReply.ts'

/** The parts of the service that the health check and the metrics cover. */
export interface Watched {
  readonly store: Store | undefined
  readonly chains: readonly EvmChainSource[]
  /**
   * Returns descriptions of the indexer's current problems. They do not stop the service from serving stored
   * data.
   */
  readonly problems: () => readonly string[]
  /** Shared rate-limit counters outside this process, if configured. */
  readonly limiter?: Pick<Counters, 'check'> | undefined
  /** Additional metrics registries whose metrics `/metrics` includes. */
  readonly registries?: readonly Registry[] | undefined
}

/** Content of a listener's landing page. */
export interface About extends LandingPage.Service {
  /** Path prefix of the documentation pages. */
  readonly prefix: string
  /** Links to other services of this process. */
  readonly links: readonly LandingPage.Link[]
  /** APIs of this service and of other services of this process. */
  readonly apis: readonly LandingPage.Api[]
}

/**
 * Adds `/health` and `/metrics`, which require no key and are not rate-limited, and the console, whose files count
 * against the limit of their caller.
 */
export function addOperations(
  server: FastifyInstance,
  watched: Watched,
  { access, log }: { readonly access: Access; readonly log: Logger },
  about: About,
): void {
  addMetrics(server, watched.registries ?? [])
  server.get('/health', async (_request, reply) => {
    const health = await healthOf(watched)
    return reply.code(health.status === 'down' ? 503 : 200).send(health)
  })
  const { prefix, links: others, ...service } = about
  const links = [
    { href: `${prefix}/docs`, title: 'API documentation' },
    { href: `${prefix}/openapi.json`, title: 'OpenAPI document' },
    { href: '/health', title: 'Health' },
    { href: '/metrics', title: 'Prometheus metrics' },
    ...others,
  ]
  server.register(async (scope) => {
    addErrorReply(scope, log)
    addAdmission(scope, access)
    Console.addRoutes(scope, async () => {
      const { status, problems = [], reason } = await healthOf(watched)
      const all = reason === undefined ? problems : [reason]
      return { ...service, status, problems: all, links }
    })
  })
}

/** Health of the service. */
interface Health {
  readonly status: 'up' | 'degraded' | 'down'
  readonly problems?: readonly string[]
  /** Reason why the service is down. */
  readonly reason?: string
}

async function healthOf(watched: Watched): Promise<Health> {
  try {
    await watched.limiter?.check()
    const heights = { ...(await platformOf(watched)), ...(await evmOf(watched)) }
    const problems = watched.problems()
    if (problems.length === 0) return { status: 'up', ...heights }
    // If no chain has a stored block, the service is down rather than degraded.
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
    help: 'Response time in seconds, by route and status',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    seconds.observe({ route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
  server.get('/metrics', async (_request, reply) =>
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
