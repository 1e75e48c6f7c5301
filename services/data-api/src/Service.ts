import { randomBytes } from 'node:crypto'
import { Secrets, type ServiceStore, type Store, type UsageStore } from '@firn/store'
import type { EvmStore } from '@firn/store/evm'
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { Redis } from 'ioredis'
import type { Registry } from 'prom-client'
import { createAggregatorClient } from './AggregatorClient.ts'
import type { DataContext } from './Context.ts'
import { getCompleteness } from './changes/getCompleteness.ts'
import { listChanges } from './changes/listChanges.ts'
import { DataApiError } from './DataApiError.ts'
import { evmEndpoints } from './evm/Endpoints.ts'
import type { EvmChainSource, EvmContext, EvmLinks } from './evm/EvmContext.ts'
import { createNativeBalances } from './evm/NativeBalances.ts'
import { createAccess } from './front/Access.ts'
import type { Endpoint } from './front/Endpoint.ts'
import { front, serverOptions } from './front/Front.ts'
import { createPageTokens, type PageTokens } from './front/PageToken.ts'
import { type Allowance, createMemoryCounters } from './front/RateLimit.ts'
import { createRedisCounters } from './front/RedisCounters.ts'
import { healthEndpoints } from './health.ts'
import { createKeyRing } from './KeyRing.ts'
import { metricsEndpoints } from './metrics/Endpoints.ts'
import { getStakingMetric } from './metrics/getStakingMetric.ts'
import { createObserver } from './Observer.ts'
import { addOperations } from './Operations.ts'
import { primaryNetworkEndpoints } from './primary-network/Endpoints.ts'
import {
  type AggregateStatus,
  getAggregatedSignatures,
} from './signature-aggregator/getAggregatedSignatures.ts'
import { subnetRpcUsage } from './usage/subnetRpcUsage.ts'

/** An EVM chain to serve. */
export interface ServedChain {
  readonly store: EvmStore
  /** Its nodes, which native balances are asked of; none: they are not known. */
  readonly nodes: readonly string[]
  readonly links?: EvmLinks | undefined
}

/** How the service is run. */
export interface ServiceOptions {
  /** The Primary Network; undefined: it isn't served. */
  readonly store?: Store | undefined
  /** The EVM chains that are served; none by default. */
  readonly chains?: readonly ServedChain[] | undefined
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
  /** Nodes, without a path, that tell what they have seen of validators; none: it is told to be unknown. */
  readonly upstreams?: readonly string[] | undefined
  readonly timeoutMs: number
  /** Bytes of answers that are kept for those who ask the same while no block comes; 64 MiB, 0 keeps none. */
  readonly answerCacheBytes?: number | undefined
  /** Whether `x-forwarded-for` tells the caller's address. */
  readonly isBehindProxy: boolean
  readonly version: string
  /** Metrics of others in this process, which `/metrics` shows too. */
  readonly registries?: readonly Registry[] | undefined
  readonly log?: FastifyBaseLogger | undefined
}

/** A running service. */
export interface DataApiService {
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts the REST service over what is to be served: a network, EVM chains, or both.
 * @throws DataApiError `DATA_CONFIGURATION`; StoreError
 */
export async function createDataApi(options: ServiceOptions): Promise<DataApiService> {
  const { host, port, prefix, limits, version, timeoutMs, answerCacheBytes, isBehindProxy, log } = options
  const { home, endpoints, streams, chains } = await open(options)
  const redis = options.redisUrl === undefined ? undefined : new Redis(options.redisUrl, REDIS)
  const counters = redis === undefined ? createMemoryCounters(Date.now) : createRedisCounters(redis, Date.now)
  const none = { unitsPerMinute: 0, unitsPerDay: 0 }
  const { anonymous, keyed } = limits ?? { anonymous: none, keyed: none }
  const access = createAccess({
    keys: createKeyRing(home, Date.now),
    counters: limits === undefined ? undefined : counters,
    anonymous,
    keyed,
  })
  const server = fastify({
    ...serverOptions,
    trustProxy: isBehindProxy,
    ...(log === undefined ? {} : { loggerInstance: log }),
  })
  const { store, registries } = options
  addOperations(server as unknown as FastifyInstance, { store, chains, registries })
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

/** What there is to serve, and where keys and secrets are: with the network, or else with the first of the chains. */
async function open(options: ServiceOptions) {
  const { store, chains: served = [], usage } = options
  const home: ServiceStore | undefined = store ?? served[0]?.store
  if (home === undefined) {
    throw new DataApiError('DATA_CONFIGURATION', 'expected a network or an EVM chain to serve, got neither')
  }
  const tokens = createPageTokens(await Secrets.shared(home, 'page tokens', () => randomBytes(32)))
  const chains = await Promise.all(served.map(sourceOf))
  const nodes = new Map(served.map((one) => [one.store.chainId, one.nodes]))
  const nativeBalance = createNativeBalances(nodes, fetch)
  const context: EvmContext = { chains, tokens, now: Date.now, nativeBalance }
  // Where no chain is served, their routes could only say so.
  const hasChains = chains.length > 0
  const endpoints = [
    ...(store === undefined ? [] : await networkEndpoints(options, store, tokens)),
    ...(hasChains ? [...evmEndpoints(context), ...metricsEndpoints(context), getCompleteness(context)] : []),
    ...subnetRpcUsage({ usage, now: Date.now }),
    ...healthEndpoints({ store, chains }),
  ]
  return { home, endpoints, streams: hasChains ? [listChanges(context)] : [], chains }
}

async function networkEndpoints(
  options: ServiceOptions,
  store: Store,
  tokens: PageTokens,
): Promise<readonly Endpoint[]> {
  const context = await contextOf(options, store, tokens)
  return [
    ...primaryNetworkEndpoints(context),
    getAggregatedSignatures(context, options.aggregateStatus),
    getStakingMetric(context),
  ]
}

const KNOWN_NAMES: ReadonlyMap<number, readonly [string, ...string[]]> = new Map([
  [1, ['mainnet']],
  [5, ['fuji', 'testnet']],
  [12345, ['local']],
])

async function contextOf(
  { alias, aggregatorUrl, upstreams = [] }: ServiceOptions,
  store: Store,
  tokens: PageTokens,
): Promise<DataContext> {
  const network = await store.network()
  if (network === undefined) {
    throw new DataApiError('DATA_CONFIGURATION', 'expected a database with a network, got an empty one')
  }
  const { networkID, name } = network.constants
  const known = KNOWN_NAMES.get(networkID) ?? [name, 'local']
  const networkNames = (alias === undefined ? known : [alias, ...known]) as DataContext['networkNames']
  return {
    store,
    ...network,
    networkNames,
    tokens,
    now: Date.now,
    aggregate: aggregatorUrl === undefined ? undefined : createAggregatorClient(aggregatorUrl, known[0]),
    observations: upstreams.length === 0 ? undefined : createObserver({ urls: upstreams, now: Date.now }),
  }
}

async function sourceOf({ store, links }: ServedChain): Promise<EvmChainSource> {
  const chain = await store.chain()
  if (chain !== undefined) return { chain, store, links }
  const message = `expected a database with the EVM chain ${store.chainId}, got an empty one`
  throw new DataApiError('DATA_CONFIGURATION', message)
}
