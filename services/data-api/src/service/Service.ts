import { BoundPort, type ConnectionLimits, Connections, type RouteList, TrustedProxies } from '@firn/http'
import { type LandingPage, type LocalAccess, Operators } from '@firn/operate'
import { PublicFetch } from '@firn/outbound'
import { type Logger, type Owner, silentLogger, systemClock, withOwner } from '@firn/runtime'
import type { ServiceStore } from '@firn/service-store'
import { UpstreamMetrics } from '@firn/tracing'
import { Registry } from 'prom-client'
import * as AbiSources from '../decoding/AbiSources.ts'
import { type Access, createAccess } from '../http/admission/Access.ts'
import { type Counters, createMemoryCounters } from '../http/admission/RateLimit.ts'
import { connectRedisCounters, type RedisCounters } from '../http/admission/RedisCounters.ts'
import type { Allowance } from '../http/endpoint/Caller.ts'
import type { Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Metadata from '../metadata/Metadata.ts'
import type { MoneyForm } from '../metadata/MoneyForm.ts'
import { createParts } from '../operate/OperatorParts.ts'
import { createUsageCounts, type UsageCounts } from '../operate/UsageCounts.ts'
import { namesOf } from '../primary/network/NetworkNames.ts'
import * as Content from './Content.ts'
import { closeAll, type Listener, listen, type Shared } from './Listener.ts'

/** Options of {@link createDataApi}. */
export interface ServiceOptions
  extends Omit<Content.Content, 'metadata' | 'abis' | 'log'>,
    TrustedProxies.Options,
    ConnectionLimits.Options,
    LocalAccess.ServiceOptions {
  readonly host: string
  /** A port number, or a port that is already bound. With 0, the operating system picks a free port. */
  readonly port: BoundPort.Port
  /** Prefix of every path; by default none. */
  readonly prefix?: string | undefined
  /** A separate listener for the Metrics API. If undefined, all endpoints share one listener. */
  readonly metrics?: { readonly port: BoundPort.Port; readonly prefix?: string | undefined } | undefined
  /** Limits of connections that override the other options. */
  readonly connectionLimits?: Partial<ConnectionLimits.ConnectionLimits> | undefined
  /** Rate limits of callers without and with a key. If undefined, requests are not rate-limited. */
  readonly limits: { readonly anonymous: Allowance; readonly keyed: Allowance } | undefined
  /**
   * URL of a Redis server that shares rate-limit counters between processes. If undefined, each process
   * counts on its own.
   */
  readonly redisUrl?: string | undefined
  /** File with metadata of chains, tokens, addresses and subnets; `metadata.schema.json` describes it. */
  readonly metadataFile?: string | undefined
  /** Folder of verified contracts in the format of Sourcify, for decoding. */
  readonly abiFolder?: string | undefined
  /** File of signatures of functions and events, for decoding. */
  readonly selectorFile?: string | undefined
  /** Maximum size of the response cache in bytes; by default 64 MiB. 0 disables the cache. */
  readonly answerCacheBytes?: number | undefined
  /** How amounts of money are sent; by default `auto`: as numbers to official clients, and as text to others. */
  readonly moneyForm?: MoneyForm | undefined
  readonly version: string
  /**
   * Returns descriptions of the current problems of the indexer in this process. Any problem makes `/health`
   * report `degraded`. By default none.
   */
  readonly problems?: (() => readonly string[]) | undefined
  /** Additional metrics registries whose metrics `/metrics` includes. */
  readonly registries?: readonly Registry[] | undefined
  /** Links to other services of this process. The landing page shows them. */
  readonly links?: readonly LandingPage.Link[] | undefined
  /** APIs of other services of this process, for the console. */
  readonly apis?: readonly LandingPage.Api[] | undefined
  /** Returns the progress of the indexers in this process, for operators. By default none runs here. */
  readonly indexed?: (() => readonly Operators.Progress[]) | undefined
  /** Data of other services in this process, for operators. */
  readonly parts?: readonly Operators.Parts[] | undefined
  /** Logger for failed requests and for what operators change; by default nothing is logged. */
  readonly log?: Logger | undefined
}

/** A running Data API service. */
export interface DataApiService {
  readonly url: string
  /** Base URL of the Metrics API. It equals {@link url} unless the Metrics API has a separate listener. */
  readonly metricsUrl: string
  /**
   * Routes of the main listener, including the prefix. `metricsRoutes` contains the routes of the listener that
   * serves the Metrics API.
   */
  readonly routes: readonly RouteList.Route[]
  readonly metricsRoutes: readonly RouteList.Route[]
  close(): Promise<void>
}

/**
 * Starts the Data API for a network, EVM chains, or both. The ports are bound before anything else.
 * @throws DataApiError `DATA_CONFIGURATION`; HttpError; StoreError
 */
export async function createDataApi(options: ServiceOptions): Promise<DataApiService> {
  const { host, metrics } = options
  return BoundPort.use(options.port, { host, flag: '--port' }, (port) => {
    if (metrics === undefined) return withOwner((owner) => start(options, { port }, owner))
    return BoundPort.use(metrics.port, { host, flag: '--metrics-port' }, (metricsPort) =>
      withOwner((owner) => start(options, { port, metricsPort }, owner)),
    )
  })
}

interface Ports {
  readonly port: BoundPort.BoundPort
  readonly metricsPort?: BoundPort.BoundPort
}

async function start(
  options: ServiceOptions,
  { port, metricsPort }: Ports,
  owner: Owner,
): Promise<DataApiService> {
  const { prefix, metrics } = options
  const limiter = owner.own(await openLimiter(options))
  const metadata = owner.own(await openMetadata(options))
  const abis = owner.own(await openAbis(options))
  const registry = new Registry()
  const observe = UpstreamMetrics.create('firn_data_api', registry)
  const counters = limiter ?? createMemoryCounters(Date.now)
  const charged = options.limits && { ...options.limits, counters }
  const content = owner.own(
    await Content.open({ ...options, metadata, abis }, observe, limiter, registry, charged),
  )
  const { home, keys, endpoints, streams, downloads, chains, recorder } = content
  const counts = createUsageCounts()
  const recording = { counts, recorder, trusted: TrustedProxies.create(options) }
  const operators = owner.own(operatorsOf(options, home, keys, counts))
  const problems = () => [
    ...(options.problems?.() ?? []),
    ...(metadata?.problems ?? []),
    ...abis.problems,
    ...[...chains.pending].map(notStored),
  ]
  const registries = [registry, ...(options.registries ?? [])]
  const shared: Shared = {
    ...options,
    access: accessOf(options, keys, counters, operators),
    watched: { store: options.store, chains: chains.sources, problems, limiter, registries },
    recording,
    connections: Connections.create({
      ...options,
      limits: options.connectionLimits,
      service: 'data-api',
      prefix: 'firn_data_api',
      registry,
    }),
  }
  const listeners: Listener[] = []
  owner.onClose(() => closeAll(listeners))
  const isMetric = ({ scope }: Endpoint) => scope === 'metrics'
  const network = await networkName(options)
  const data = { kind: 'data', url: `.${prefix ?? ''}/`, network } as const
  const main = {
    ...{ port, prefix, streams, downloads, operators },
    operatorSocket: options.operatorSocket,
    endpoints: endpoints.filter((endpoint) => metrics === undefined || !isMetric(endpoint)),
    apis: metrics === undefined ? [data, { ...data, kind: 'metrics' } as const] : [data],
  }
  listeners.push(await listen(shared, main))
  if (metricsPort !== undefined) {
    const second = {
      port: metricsPort,
      prefix: metrics?.prefix,
      endpoints: endpoints.filter(isMetric),
      apis: [{ kind: 'metrics', url: `.${metrics?.prefix ?? ''}/`, network } as const],
    }
    listeners.push(await listen(shared, second))
  }
  return {
    url: listeners[0]?.url ?? '',
    metricsUrl: listeners.at(-1)?.url ?? '',
    routes: listeners[0]?.routes ?? [],
    metricsRoutes: listeners.at(-1)?.routes ?? [],
    close: owner.close,
  }
}

async function openMetadata({ metadataFile: path, log }: ServiceOptions) {
  if (path === undefined) return undefined
  return Metadata.open({ path, fetch: PublicFetch.create(), clock: systemClock, log: log ?? silentLogger })
}

async function openAbis({ abiFolder: folder, selectorFile: selectors, log = silentLogger }: ServiceOptions) {
  return AbiSources.open({ folder, selectors, clock: systemClock, log })
}

/** Returns the name of the served network in paths; undefined if only EVM chains are served. */
async function networkName({ store, alias }: ServiceOptions): Promise<string | undefined> {
  const network = await store?.network()
  return network && namesOf(network.constants.networkId, alias).keys().next().value
}

function notStored(chainId: bigint): string {
  return `no block of chain ${chainId} is stored yet; check that its indexer is running`
}

/**
 * Opens the rate-limit counters that processes share. Returns undefined if no Redis URL is given or rate
 * limits are disabled.
 */
async function openLimiter({ redisUrl, limits, log }: ServiceOptions): Promise<RedisCounters | undefined> {
  if (redisUrl === undefined || limits === undefined) return undefined
  return connectRedisCounters({ url: redisUrl, now: Date.now, log })
}

type Keys = Awaited<ReturnType<typeof Content.open>>['keys']

function operatorsOf(
  options: ServiceOptions,
  home: ServiceStore,
  keys: Keys,
  counts: UsageCounts,
): Operators.Operators {
  const { store, chains = [], usage, limits, version, local, log } = options
  const stores = { home, store, usage, chains: chains.map((one) => one.store) }
  const own = createParts({
    ...stores,
    counts,
    limits,
    indexed: options.indexed ?? (() => []),
    now: Date.now,
  })
  const parts = [own, ...(options.parts ?? [])]
  return Operators.create({ parts, keys, local, version, log })
}

function accessOf(
  options: ServiceOptions,
  keys: Keys,
  counters: Counters,
  operators: Operators.Operators,
): Access {
  const { limits } = options
  const none = { unitsPerMinute: 0, unitsPerDay: 0 }
  const { anonymous, keyed } = limits ?? { anonymous: none, keyed: none }
  return createAccess({
    keys,
    counters: limits === undefined ? undefined : counters,
    anonymous,
    keyed,
    isOperator: (request) => Operators.isOperator(request, operators),
    trusted: TrustedProxies.create(options),
  })
}
