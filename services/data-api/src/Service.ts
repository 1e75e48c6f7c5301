import { randomBytes } from 'node:crypto'
import { Secrets, type Store, type UsageStore } from '@firn/store'
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { Redis } from 'ioredis'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { createAggregatorClient } from './AggregatorClient.ts'
import type { DataContext } from './Context.ts'
import { DataApiError } from './DataApiError.ts'
import { createAccess } from './front/Access.ts'
import { front, serverOptions } from './front/Front.ts'
import { createPageTokens } from './front/PageToken.ts'
import { type Allowance, createMemoryCounters } from './front/RateLimit.ts'
import { createRedisCounters } from './front/RedisCounters.ts'
import { createKeyRing } from './KeyRing.ts'
import { primaryNetworkEndpoints } from './primary-network/Endpoints.ts'
import {
  type AggregateStatus,
  getAggregatedSignatures,
} from './signature-aggregator/getAggregatedSignatures.ts'
import { subnetRpcUsage } from './usage/subnetRpcUsage.ts'

/** How the service is run. */
export interface ServiceOptions {
  readonly store: Store
  /** Where gateways count requests; without it there is no usage. */
  readonly usage?: UsageStore | undefined
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** Before every path; none by default. */
  readonly prefix?: string | undefined
  /** What `{network}` may be beside the network's own name, such as `fuji` for a network of one's own. */
  readonly alias?: string | undefined
  /** Undefined: no limits. */
  readonly limits: { readonly anonymous: Allowance; readonly keyed: Allowance } | undefined
  /** Where several processes count limits together; undefined: each counts for itself. */
  readonly redisUrl?: string | undefined
  /** The signature aggregator's root; undefined: its endpoint says that there is none. */
  readonly aggregatorUrl?: string | undefined
  readonly aggregateStatus: AggregateStatus
  readonly timeoutMs: number
  /** Bytes of answers that are kept for those who ask the same while no block comes; 64 MiB, 0 keeps none. */
  readonly answerCacheBytes?: number | undefined
  /** Whether `x-forwarded-for` tells the caller's address. */
  readonly isBehindProxy: boolean
  readonly version: string
  readonly log?: FastifyBaseLogger | undefined
}

/** A running service. */
export interface DataApiService {
  readonly url: string
  close(): Promise<void>
}

const SECRET = 'page tokens'
const KNOWN_NAMES: ReadonlyMap<number, readonly [string, ...string[]]> = new Map([
  [1, ['mainnet']],
  [5, ['fuji', 'testnet']],
  [12345, ['local']],
])

/**
 * Starts the REST service over a store that has a network.
 * @throws DataApiError `DATA_CONFIGURATION`; StoreError
 */
export async function createDataApi(options: ServiceOptions): Promise<DataApiService> {
  const { store, host, port, prefix, limits, version, timeoutMs, answerCacheBytes, isBehindProxy, log } =
    options
  const context = await contextOf(options)
  const redis = options.redisUrl === undefined ? undefined : new Redis(options.redisUrl, REDIS)
  const counters = redis === undefined ? createMemoryCounters(Date.now) : createRedisCounters(redis, Date.now)
  const none = { unitsPerMinute: 0, unitsPerDay: 0 }
  const { anonymous, keyed } = limits ?? { anonymous: none, keyed: none }
  const access = createAccess({
    keys: createKeyRing(store, Date.now),
    counters: limits === undefined ? undefined : counters,
    anonymous,
    keyed,
  })
  const endpoints = [
    ...primaryNetworkEndpoints(context),
    getAggregatedSignatures(context, options.aggregateStatus),
    ...subnetRpcUsage({ usage: options.usage, now: Date.now }),
  ]
  const server = fastify({
    ...serverOptions,
    trustProxy: isBehindProxy,
    ...(log === undefined ? {} : { loggerInstance: log }),
  })
  addOperations(server as unknown as FastifyInstance, store)
  await server.register(
    front({
      title: 'Firn Data API',
      version,
      endpoints,
      access,
      timeoutMs,
      ...(answerCacheBytes === undefined ? {} : { answerCacheBytes }),
      ...(prefix === undefined ? {} : { prefix }),
    }),
  )
  const url = await server.listen({ host, port })
  return {
    url: url + (prefix ?? ''),
    close: async () => {
      await server.close()
      redis?.disconnect()
    },
  }
}

/** A limit that can't be counted is told at once, not when a connection comes back. */
const REDIS = { enableOfflineQueue: false, maxRetriesPerRequest: 1 } as const

async function contextOf({ store, alias, aggregatorUrl }: ServiceOptions): Promise<DataContext> {
  const network = await store.network()
  if (network === undefined) {
    throw new DataApiError('DATA_CONFIGURATION', 'expected a database with a network, got an empty one')
  }
  const { networkID, name } = network.constants
  const known = KNOWN_NAMES.get(networkID) ?? [name, 'local']
  const networkNames = (alias === undefined ? known : [alias, ...known]) as DataContext['networkNames']
  const secret = await Secrets.shared(store, SECRET, () => randomBytes(32))
  return {
    store,
    ...network,
    networkNames,
    tokens: createPageTokens(secret),
    now: Date.now,
    aggregate: aggregatorUrl === undefined ? undefined : createAggregatorClient(aggregatorUrl, known[0]),
  }
}

/** What operators look at: they are asked for without a key and without a limit. */
function addOperations(server: FastifyInstance, store: Store): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'firn_data_api_request_seconds',
    help: 'How long answers took, by endpoint and status',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    seconds.observe({ route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  server.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await registry.metrics()),
  )
  server.get('/health', { schema: { hide: true } }, async (_request, reply) => {
    try {
      const { P, X, C } = await store.snapshot()
      const heights = { P: String(P.height), X: String(X.height), C: String(C.height) }
      return { status: 'up', heights, blockTime: Number(P.time) }
    } catch (error) {
      return reply.code(503).send({ status: 'down', reason: (error as Error).message })
    }
  })
}
