import { BoundPort, GracefulClose, type LandingPage, RouteList, TrustedProxies } from '@firn/http'
import type { ServiceStore } from '@firn/store'
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { type Access, createAccess } from './front/Access.ts'
import type { Endpoint, EventStream } from './front/Endpoint.ts'
import { front, serverOptions } from './front/Front.ts'
import { type Allowance, type Counters, createMemoryCounters } from './front/RateLimit.ts'
import { connectRedisCounters, type RedisCounters } from './front/RedisCounters.ts'
import { createKeyRing } from './KeyRing.ts'
import { addOperations, type Watched } from './Operations.ts'
import * as Served from './Served.ts'

/** Options of the service. */
export interface ServiceOptions extends Served.Content, TrustedProxies.Options {
  readonly host: string
  /** 0 picks a free one; or an already bound port. */
  readonly port: BoundPort.Port
  /** Prefix of every path; by default none. */
  readonly prefix?: string | undefined
  /** A separate listener for metrics; undefined to serve them with everything else. */
  readonly metrics?: { readonly port: BoundPort.Port; readonly prefix?: string | undefined } | undefined
  /** Undefined for no limits. */
  readonly limits: { readonly anonymous: Allowance; readonly keyed: Allowance } | undefined
  /** Where several processes count limits together; undefined to count in each. */
  readonly redisUrl?: string | undefined
  readonly timeoutMs: number
  /** Size of the response cache in bytes; 64 MiB, 0 keeps none. */
  readonly answerCacheBytes?: number | undefined
  readonly version: string
  /**
   * Returns current problems of the indexing in this process, in words, which make `/health` `degraded`; by
   * default none.
   */
  readonly problems?: (() => readonly string[]) | undefined
  /** Additional metrics registries of this process for `/metrics`. */
  readonly registries?: readonly Registry[] | undefined
  /** Other services of this process, for the page at `/`. */
  readonly links?: readonly LandingPage.Link[] | undefined
  readonly log?: FastifyBaseLogger | undefined
}

/** A running service. */
export interface DataApiService {
  readonly url: string
  /** URL of the metrics; the same unless they have a listener of their own. */
  readonly metricsUrl: string
  /** Every route of {@link url} and {@link metricsUrl}, with their prefix. */
  readonly routes: readonly RouteList.Route[]
  readonly metricsRoutes: readonly RouteList.Route[]
  close(): Promise<void>
}

/**
 * Starts the REST service for a network, EVM chains, or both. Its ports are bound first.
 * @throws DataApiError `DATA_CONFIGURATION`; HttpError; StoreError
 */
export async function createDataApi(options: ServiceOptions): Promise<DataApiService> {
  const { host, metrics } = options
  return BoundPort.use(options.port, { host, flag: '--port' }, (port) => {
    if (metrics === undefined) return limited(options, { port })
    return BoundPort.use(metrics.port, { host, flag: '--metrics-port' }, (metricsPort) =>
      limited(options, { port, metricsPort }),
    )
  })
}

interface Ports {
  readonly port: BoundPort.BoundPort
  readonly metricsPort?: BoundPort.BoundPort
}

async function limited(options: ServiceOptions, ports: Ports): Promise<DataApiService> {
  const limiter = await openLimiter(options)
  try {
    return await start(options, ports, limiter)
  } catch (error) {
    limiter?.close()
    throw error
  }
}

async function start(
  options: ServiceOptions,
  { port, metricsPort }: Ports,
  limiter: RedisCounters | undefined,
): Promise<DataApiService> {
  const { prefix, metrics, registries } = options
  const { home, endpoints, streams, chains } = await Served.open(options, limiter)
  const access = accessOf(options, home, limiter ?? createMemoryCounters(Date.now))
  const problems = () => [...(options.problems?.() ?? []), ...[...chains.pending].map(notStored)]
  const watched = { store: options.store, chains: chains.sources, problems, limiter, registries }
  const isMetric = ({ scope }: Endpoint) => scope === 'metrics'
  const first = endpoints.filter((endpoint) => metrics === undefined || !isMetric(endpoint))
  const listeners = [await listen(options, { port, prefix, endpoints: first, streams }, access, watched)]
  if (metricsPort !== undefined) {
    const second = {
      port: metricsPort,
      prefix: metrics?.prefix,
      endpoints: endpoints.filter(isMetric),
      streams: [],
    }
    listeners.push(await listen(options, second, access, watched))
  }
  return {
    url: listeners[0]?.url ?? '',
    metricsUrl: listeners.at(-1)?.url ?? '',
    routes: listeners[0]?.routes ?? [],
    metricsRoutes: listeners.at(-1)?.routes ?? [],
    close: async () => {
      await Promise.all(listeners.map(({ server }) => GracefulClose.run(server.server, () => server.close())))
      limiter?.close()
      chains.close()
    },
  }
}

function notStored(chainId: bigint): string {
  return `chain ${chainId} is not stored yet`
}

/**
 * Returns counters that several processes share; undefined where limits are counted in this process, or not
 * at all.
 */
async function openLimiter({ redisUrl, limits, log }: ServiceOptions): Promise<RedisCounters | undefined> {
  if (redisUrl === undefined || limits === undefined) return undefined
  return connectRedisCounters({ url: redisUrl, now: Date.now, log })
}

function accessOf(options: ServiceOptions, home: ServiceStore, counters: Counters): Access {
  const { limits } = options
  const none = { unitsPerMinute: 0, unitsPerDay: 0 }
  const { anonymous, keyed } = limits ?? { anonymous: none, keyed: none }
  return createAccess({
    keys: createKeyRing(home, Date.now),
    counters: limits === undefined ? undefined : counters,
    anonymous,
    keyed,
    trusted: TrustedProxies.create(options),
  })
}

/** The content of one listener. */
interface Part {
  readonly port: BoundPort.BoundPort
  readonly prefix?: string | undefined
  readonly endpoints: readonly Endpoint[]
  readonly streams: readonly EventStream[]
}

const ABOUT = { name: 'Data API', description: 'Indexed data of the Avalanche network, over REST.' } as const

async function listen(
  { version, timeoutMs, answerCacheBytes, links = [], log }: ServiceOptions,
  { port, prefix, endpoints, streams }: Part,
  access: Access,
  watched: Watched,
) {
  const server = fastify({
    ...serverOptions,
    ...(log === undefined ? {} : { loggerInstance: log }),
  })
  const routes = RouteList.collect(server)
  addOperations(server as unknown as FastifyInstance, watched, {
    ...ABOUT,
    version,
    prefix: prefix ?? '',
    links,
  })
  await server.register(
    front({
      title: 'Firn Data API',
      version,
      endpoints,
      streams,
      access,
      timeoutMs,
      ...(answerCacheBytes === undefined ? {} : { answerCacheBytes }),
      ...(prefix === undefined ? {} : { prefix }),
    }),
  )
  await server.ready()
  await port.serve(server.server)
  return { server, url: port.url + (prefix ?? ''), routes }
}
