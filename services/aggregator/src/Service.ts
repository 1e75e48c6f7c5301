import { Prover } from '@firn/aggregation'
import { Network } from '@firn/codec'
import { BoundPort, type ConnectionLimits, type RouteList } from '@firn/http'
import { type LocalAccess, Operators } from '@firn/operate'
import { type Clock, type Owner, systemClock, withOwner } from '@firn/runtime'
import { UpstreamMetrics } from '@firn/tracing'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { createCollection } from './Collection.ts'
import type { Configuration } from './configuration/Configuration.ts'
import type { AppDependencies } from './http/AppDependencies.ts'
import type { InProcess } from './InProcess.ts'
import { openJobs } from './jobs/openJobs.ts'
import { createKnowledge } from './Knowledge.ts'
import { openListeners, type Ports } from './Listeners.ts'
import { createEventLoopDelay } from './load/EventLoopDelay.ts'
import { createHeldBytes } from './load/HeldBytes.ts'
import { check as checkHealth } from './operate/Health.ts'
import { createParts } from './operate/OperatorParts.ts'
import type { Ledger } from './p-chain/Ledger.ts'
import { createPChainSource, findNetworkId } from './p-chain/PChainSource.ts'
import { openPeers } from './peers/Peers.ts'
import { createLogger } from './ServiceLogger.ts'
import { openSharedLog } from './shared-log/openSharedLog.ts'
import { VERSION } from './Version.ts'
import { createWorkers } from './workers/Workers.ts'

/** A running service. */
export interface AggregatorService {
  /** The URL at which the service listens, such as `http://127.0.0.1:8080`. */
  readonly url: string
  /** The separate URL of `/metrics` and `/health`; undefined if not configured. */
  readonly metricsUrl: string | undefined
  readonly networkId: number
  /** Name of the network in paths, such as `fuji` or `network-76`. */
  readonly networkName: string
  readonly app: FastifyInstance
  /** All routes at {@link url}. `metricsRoutes` contains the routes at {@link metricsUrl}. */
  readonly routes: readonly RouteList.Route[]
  readonly metricsRoutes: readonly RouteList.Route[]
  /**
   * Responds like the HTTP interface, but does not check API keys and rate limits. It is intended for a
   * service in the same process that has already checked its callers.
   */
  readonly fetch: InProcess['fetch']
  /** Data for operators, for another service in the same process. */
  readonly operatorParts: Operators.Parts
  /** Stops listening, waits for requests in progress, and then disconnects from all peers. */
  close(): Promise<void>
}

/** Replacements for parts of the service. Tests and embedding programs use them. */
export interface ServiceOptions {
  /** Token and links for operators on this machine; by default there are none. */
  readonly local?: LocalAccess.LocalAccess | undefined
  readonly logger?: Logger
  /** The system's clock by default. */
  readonly clock?: Clock
  readonly signal?: AbortSignal
  /** A bound port on which the service listens, instead of the configured address. */
  readonly port?: BoundPort.BoundPort
  /**
   * A ledger that provides validator sets instead of the node APIs. The service listens at once, and responds with 503
   * until the ledger follows the tip. The caller closes the ledger after the service.
   */
  readonly ledger?: Ledger | undefined
  /** Limits of connections that override the configuration. */
  readonly connectionLimits?: Partial<ConnectionLimits.ConnectionLimits> | undefined
}

/**
 * Starts the service. Binds its ports, requests the network id from the upstream, and connects to the
 * validators. Requests that arrive in the meantime get 503.
 * @throws HttpError `HTTP_PORT`; AggregatorError `AGGREGATOR_CONFIGURATION`, `AGGREGATOR_UPSTREAM`
 */
export async function createAggregatorService(
  configuration: Configuration,
  options: ServiceOptions = {},
): Promise<AggregatorService> {
  const { host, apiPort, metricsPort } = configuration
  const open = (ports: Ports) => withOwner((owner) => start(configuration, options, ports, owner))
  return BoundPort.use(options.port ?? apiPort, { host, flag: '--api-port' }, (api) => {
    if (metricsPort === 0) return open({ api })
    const flag = '--metrics-port'
    return BoundPort.use(metricsPort, { host, flag }, (metrics) => open({ api, metrics }))
  })
}

async function start(
  configuration: Configuration,
  options: ServiceOptions,
  ports: Ports,
  owner: Owner,
): Promise<AggregatorService> {
  const {
    ledger,
    local,
    signal,
    connectionLimits,
    clock = systemClock,
    logger: log = createLogger(configuration),
  } = options
  const register = new Registry()
  collectDefaultMetrics({ register })
  owner.own(createEventLoopDelay(register))
  const observe = UpstreamMetrics.create('signature_aggregator', register)
  const pChain = createPChainSource(configuration, ledger, { observe, clock, register, log })
  const networkId = await findNetworkId({ configuration, pChain, clock, log, signal })
  const shared = { configuration, networkId, ledger, pChain, clock, observe, register, log }

  const workers = owner.own(createWorkers({ ...shared, count: configuration.workers }))
  const prover = workers?.prover ?? Prover.create(clock)
  const sharedLog = await openSharedLog(shared, owner)
  const knowledge = createKnowledge({ ...shared, workers })
  const peers = openPeers({ ...shared, validatorSets: knowledge.validatorSets }, owner)
  const collection = createCollection({ ...shared, knowledge, peers, prover, sharedLog })
  const jobs = openJobs({ ...shared, sharedLog, signatures: collection.signatures }, owner)
  const operatorParts = createParts({ ...peers, configuration })
  const operators = owner.own(Operators.create({ parts: [operatorParts], local, version: VERSION, log }))

  const networkNames = Network.names(networkId, configuration.networkAlias)
  const [network = ''] = networkNames
  const health = { ...shared, ...knowledge, ...peers, network, staleAfterMs: configuration.staleAfter }
  const app: AppDependencies = {
    ...{ ...collection, ...jobs, configuration, networkId, networkNames, clock, register, operators },
    heldBytes: createHeldBytes({ maxBytes: configuration.maxHeldBytes, register }),
    epochs: knowledge.epochs,
    health: () => checkHealth({ ...health, database: sharedLog?.database }),
    version: VERSION,
  }
  await peers.connections.start()
  const listeners = await openListeners(ports, app, { ...shared, operators, connectionLimits }, owner)
  const [url, metricsUrl] = [ports.api.url, ports.metrics?.url]
  const about = { url, metricsUrl, networkId, networkName: Network.formatName(networkId) }
  return { ...about, ...listeners, operatorParts, close: owner.close }
}
