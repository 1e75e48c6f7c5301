import { Prover } from '@firn/aggregation'
import { Network } from '@firn/codec'
import {
  BoundPort,
  ConnectionLimits,
  GracefulClose,
  Connections as HttpConnections,
  type LocalAccess,
  OperatorSocket,
  Operators,
  QueryParser,
  RouteList,
  UpstreamMetrics,
} from '@firn/http'
import { createMemoryJobStore, createSqlJobStore } from '@firn/jobs'
import { createNetwork } from '@firn/p2p'
import type { Observe } from '@firn/rpc'
import { type Clock, systemClock } from '@firn/runtime'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { app as createApp, serverOptions } from './App.ts'
import type { AppDependencies } from './AppDependencies.ts'
import { type Configuration, identifiers, wrong } from './Configuration.ts'
import { createAllowList } from './callers/AllowList.ts'
import { createP2pBudget } from './callers/P2pBudget.ts'
import { endpointOf } from './epochs/ChainRpc.ts'
import { createValidityCheck } from './epochs/ValidityCheck.ts'
import type { Fleet } from './fleet/Fleet.ts'
import { jobTable } from './fleet/Tables.ts'
import { createForesight } from './foresight/Foresight.ts'
import { createReadinessCheck } from './foresight/Readiness.ts'
import { check as checkHealth } from './Health.ts'
import { createInProcess, type InProcess } from './InProcess.ts'
import { withPatience } from './internal/flights.ts'
import { createFairSlots } from './jobs/FairSlots.ts'
import { createJobs } from './jobs/Jobs.ts'
import { createSourceChains } from './jobs/SourceChains.ts'
import { createKnowledge } from './Knowledge.ts'
import { createAdmission } from './load/Admission.ts'
import { createEventLoopDelay } from './load/EventLoopDelay.ts'
import { createHeldBytes } from './load/HeldBytes.ts'
import { createPaced } from './load/Paced.ts'
import { createParts } from './operate/OperatorParts.ts'
import { createLedgerPChain, type Ledger } from './p-chain/Ledger.ts'
import { createNodeApis, type NodeApisDependencies } from './p-chain/NodeApis.ts'
import type { PChain } from './p-chain/PChain.ts'
import { type Connections, createConnections } from './peers/Connections.ts'
import * as OwnIdentity from './peers/OwnIdentity.ts'
import { createRecentlyLost } from './peers/RecentlyLost.ts'
import { addOperationRoutes } from './routes/operations.ts'
import { createLogger } from './ServiceLogger.ts'
import { createSharedAggregator } from './SharedAggregator.ts'
import { timesOf } from './Shutdown.ts'
import { createSeenSignatures } from './signing/SeenSignatures.ts'
import { createSignatures } from './signing/Signatures.ts'
import { VERSION } from './Version.ts'
import { createWorkers } from './workers/Workers.ts'

/**
 * Maximum number of subnets in a handshake, because peers reject more. Further subnets are tracked as well,
 * but not announced.
 */
const MAX_GOSSIP_SUBNETS = 16
/** Maximum number of messages of batches and jobs that are signed at the same time. */
const MAX_MESSAGES = 128
/**
 * Share of the requests to validators that messages may use whose turn it is. The rest is for messages that take longer
 * than usual. More messages at once would only wait for each other.
 */
const ADMITTED_SHARE = 0.5
const START_ATTEMPTS = 10
/** Time between two updates of validator sets from a ledger in this process, in milliseconds. */
const LEDGER_UPDATE_MS = 1_000
/** Maximum time of statements for which no request for signatures waits, in milliseconds. */
const PATIENT_MS = 2_500
/** Maximum time that the start waits for the database of the message log, in milliseconds. */
const DATABASE_START_MS = 3_000
const START_PAUSE_MS = 1_000

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
  readonly signal?: AbortSignal
  /** A bound port on which the service listens, instead of the configured address. */
  readonly port?: BoundPort.BoundPort
  /**
   * A ledger that provides validator sets instead of the node APIs. The service listens at once, and responds with 503
   * until the ledger follows the tip. The caller closes the ledger after the service.
   */
  readonly ledger?: Ledger | undefined
  /** Limits of connections that replace those of the configuration. */
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
  return BoundPort.use(options.port ?? apiPort, { host, flag: '--api-port' }, (api) => {
    if (metricsPort === 0) return start(configuration, options, { api })
    const flag = '--metrics-port'
    return BoundPort.use(metricsPort, { host, flag }, (metrics) =>
      start(configuration, options, { api, metrics }),
    )
  })
}

interface Ports {
  readonly api: BoundPort.BoundPort
  readonly metrics?: BoundPort.BoundPort
}

async function start(
  configuration: Configuration,
  options: ServiceOptions,
  ports: Ports,
): Promise<AggregatorService> {
  const log = options.logger ?? createLogger(configuration)
  const clock = systemClock
  const register = new Registry()
  collectDefaultMetrics({ register })
  const observe = UpstreamMetrics.create('signature_aggregator', register)
  const { ledger } = options
  const pChain = createQueries(configuration, ledger, { observe, clock, register, log })
  const networkId = await findNetwork(pChain, configuration, clock, log, options.signal)
  const fleet = await joinFleet({ configuration, clock, register, log })
  const parts = {
    configuration,
    local: options.local,
    networkId,
    ledger,
    pChain,
    clock,
    observe,
    register,
    log,
    fleet,
  }
  const core = await orClose(fleet, () => createCore(parts))
  const server = createServer(log)
  try {
    const routes = RouteList.collect(server)
    await core.connections.start()
    const dependencies = appDependencies(parts, core)
    Operators.addRoutes(server, core.operators)
    await server.register(createApp(dependencies))
    const inProcess = createInProcess(dependencies, log)
    await server.ready()
    const connections = HttpConnections.create({
      ...{ ...configuration, limits: options.connectionLimits, registry: register },
      ...{ service: 'aggregator', prefix: 'signature_aggregator' },
    })
    const operatorSocket = await OperatorSocket.serve(server.server, configuration.operatorSocket)
    await ports.api.serve(server.server, { connections, listener: 'api' })
    const metrics = await serveMetrics(ports.metrics, dependencies, connections)
    const graceMs = timesOf(configuration.shutdownTimeout).disconnectMs
    const close = async () => {
      const gracefully = (one: typeof server) => GracefulClose.run(one.server, () => one.close(), { graceMs })
      await operatorSocket?.close()
      await Promise.all([gracefully(server), inProcess.close(), metrics && gracefully(metrics.server)])
      await core.close()
    }
    const metricsRoutes = metrics?.routes ?? []
    const { fetch } = inProcess
    const operatorParts = core.operatorParts
    const [url, metricsUrl] = [ports.api.url, ports.metrics?.url]
    const about = { url, metricsUrl, networkId, networkName: Network.formatName(networkId) }
    return { ...about, app: server, fetch, routes, metricsRoutes, operatorParts, close }
  } catch (error) {
    await Promise.all([server.close(), core.close()])
    throw error
  }
}

/** Returns the P-chain queries of the ledger if there is one, which need `infoApi` only for addresses. */
function createQueries(
  configuration: Configuration,
  ledger: Ledger | undefined,
  dependencies: NodeApisDependencies,
): PChain {
  if (ledger === undefined) return createNodeApis(configuration, dependencies)
  if (configuration.infoApi.length === 0) return createLedgerPChain(ledger)
  const { peers } = createNodeApis({ ...configuration, agree: 1 }, dependencies)
  return createLedgerPChain(ledger, peers)
}

interface CoreDependencies {
  readonly configuration: Configuration
  readonly local: LocalAccess.LocalAccess | undefined
  readonly networkId: number
  readonly ledger: Ledger | undefined
  readonly pChain: PChain
  readonly clock: Clock
  readonly observe: Observe
  readonly register: Registry
  readonly log: Logger
  readonly fleet: Fleet | undefined
}

/** The PostgreSQL client is loaded only if it is used. */
async function joinFleet({
  configuration: { databaseUrl, databaseTimeout, messageRetention: retentionMs },
  ...rest
}: Omit<CoreDependencies, 'local' | 'networkId' | 'ledger' | 'pChain' | 'observe' | 'fleet'>): Promise<
  Fleet | undefined
> {
  if (databaseUrl === undefined) return undefined
  const [{ createFleet }, { connect }] = await Promise.all([
    import('./fleet/Fleet.ts'),
    import('./fleet/Postgres.ts'),
  ])
  const limits = { promptMs: databaseTimeout, patientMs: Math.max(PATIENT_MS, databaseTimeout) }
  const server = connect(databaseUrl, limits.patientMs)
  const fleet = createFleet({ ...rest, server, limits, retentionMs })
  // Without the database, requests that other aggregators have sent would be sent again.
  await withPatience(fleet.database.tried, undefined, DATABASE_START_MS, rest.clock)
  return fleet
}

/** Runs `work`, and leaves the fleet if it fails. */
async function orClose<T>(fleet: Fleet | undefined, work: () => T): Promise<T> {
  try {
    return work()
  } catch (error) {
    await fleet?.close()
    throw error
  }
}

/** Creates the parts of the service that do not depend on HTTP. */
function createCore(dependencies: CoreDependencies) {
  const { configuration, local, networkId, ledger, pChain, clock, register, log, fleet } = dependencies
  const {
    trackedSubnets,
    signingSubnets,
    sourceChains: allowedChains,
    manualPeers,
  } = identifiers(configuration)
  const allowList = createAllowList({ signingSubnets, sourceChains: allowedChains })
  const seen = createSeenSignatures(clock)
  const allowPrivate = configuration.allowPrivateIps || !isPublic(networkId)
  const workers = createWorkers({ count: configuration.workers, clock, register, log })
  const knowledge = createKnowledge({ ...dependencies, workers })
  const { heights, subnets, validatorSets, epochs } = knowledge
  const recentlyLost = createRecentlyLost(clock)
  const network = createNetwork({
    networkId,
    identity: OwnIdentity.load(configuration),
    trackedSubnets: trackedSubnets.slice(0, MAX_GOSSIP_SUBNETS),
    allowPrivateIps: allowPrivate,
    limits: { requestsInFlight: configuration.maxP2pRequestsPerValidator },
    onDisconnected: ({ nodeId }) => recentlyLost.add(nodeId),
  })
  const connections: Connections = createConnections({
    network,
    recentlyLost,
    pChain,
    validatorSets,
    clock,
    log,
    register,
    trackedSubnets,
    manualPeers: [...(ledger?.beacons ?? []), ...manualPeers],
    allowPrivate,
    connectTimeoutMs: configuration.connectTimeout,
    refreshMs: configuration.validatorRefreshPeriod,
    ...(ledger === undefined
      ? {}
      : { updateMs: LEDGER_UPDATE_MS, canUpdate: () => ledger.status().problem === undefined }),
  })
  const prover = workers?.prover ?? Prover.create(clock)
  const { transport } = connections
  const aggregator = createSharedAggregator({ configuration, transport, prover, clock, register, fleet })
  const foresight = createForesight({
    validatorSets,
    connections,
    network,
    aggregator,
    pChain,
    subnets,
    clock,
    register,
    log,
    allowList,
  })
  const collector = createSignatures({
    ...knowledge,
    networkId,
    foresight,
    connections,
    aggregator,
    admission: createAdmission({ capacity: configuration.maxP2pRequests * ADMITTED_SHARE, clock, register }),
    clock,
    register,
    budget: createP2pBudget(configuration.p2pRequestsPerMinute, clock),
    allowList,
    seen,
    collectTimeoutMs: configuration.collectTimeout,
  })
  const signatures = createPaced(fleet?.signatures(collector) ?? collector, clock)
  const messageLog = fleet?.messageLog({
    networkId,
    prover,
    subnets,
    validatorSets,
    allowList,
  })
  const eventLoopDelay = createEventLoopDelay(register)
  const slots = createFairSlots(MAX_MESSAGES)
  const sourceChains = createSourceChains({
    endpoints: new Map(configuration.chainRpc.map((chain) => [chain.blockchainId, endpointOf(chain, 'rpc')])),
    clock,
    timeoutMs: configuration.upstreamTimeout,
  })
  const jobLimits = {
    clock,
    maxJobs: configuration.maxJobs,
    maxJobsPerCaller: configuration.maxJobsPerCaller,
    retentionMs: configuration.jobRetention,
  }
  const jobs = createJobs({
    store:
      fleet === undefined
        ? createMemoryJobStore(jobLimits)
        : createSqlJobStore(jobTable(fleet.database), jobLimits),
    signing: { signatures, networkId, clock, slots, sourceChains },
    clock,
    log,
    timeoutMs: configuration.jobTimeout,
  })
  const operatorParts = createParts({ network, connections, configuration })
  const operators = Operators.create({ parts: [operatorParts], local, version: VERSION, log })
  const close = async () => {
    operators.close()
    eventLoopDelay.close()
    await jobs.close()
    connections.close()
    await network.close()
    await fleet?.close()
    await workers?.close()
  }
  const heldBytes = createHeldBytes({ maxBytes: configuration.maxHeldBytes, register })
  const validity = createValidityCheck({ ...knowledge, networkId, clock, foresight, allowList, prover })
  const checkReadiness = createReadinessCheck({ pChain, validatorSets, connections, seen, allowList })
  return {
    heights,
    connections,
    signatures,
    slots,
    jobs,
    sourceChains,
    epochs,
    foresight,
    checkReadiness,
    heldBytes,
    validity,
    messageLog,
    database: fleet?.database,
    operators,
    operatorParts,
    close,
  }
}

function appDependencies(
  { configuration, networkId, ledger, clock, register }: CoreDependencies,
  core: ReturnType<typeof createCore>,
): AppDependencies {
  const networkNames = Network.names(networkId, configuration.networkAlias)
  const [network = ''] = networkNames
  const staleAfterMs = configuration.staleAfter
  return {
    ...core,
    networkId,
    clock,
    networkNames,
    health: () => checkHealth({ ...core, ledger, network, networkId, clock, staleAfterMs }),
    register,
    version: VERSION,
    configuration,
  }
}

/**
 * Returns the upstream's network id. Makes several attempts, because the upstream may start later than this
 * process.
 */
async function findNetwork(
  pChain: PChain,
  { network }: Configuration,
  clock: Clock,
  log: Logger,
  signal: AbortSignal | undefined,
): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      const networkId = await pChain.networkId(signal)
      if (network !== 'auto' && !Network.isNamed(network, networkId)) {
        throw wrong(
          `network: expected an upstream of ${network}, got one of ${Network.formatName(networkId)} (network id ${networkId})`,
        )
      }
      return networkId
    } catch (error) {
      if (attempt >= START_ATTEMPTS || (error as { code?: string }).code !== 'AGGREGATOR_UPSTREAM')
        throw error
      log.warn({ attempt, reason: (error as Error).message }, 'waiting for the upstream')
      await clock.sleep(START_PAUSE_MS, signal)
    }
  }
}

function createServer(log: Logger): FastifyInstance {
  const server = Fastify({ ...serverOptions, http: ConnectionLimits.SERVER_OPTIONS, loggerInstance: log })
  return server as unknown as FastifyInstance
}

async function serveMetrics(
  port: BoundPort.BoundPort | undefined,
  dependencies: Parameters<typeof addOperationRoutes>[1],
  connections: HttpConnections.Connections,
) {
  if (port === undefined) return undefined
  const server = Fastify({
    http: ConnectionLimits.SERVER_OPTIONS,
    routerOptions: { querystringParser: QueryParser.parse },
  })
  const routes = RouteList.collect(server)
  addOperationRoutes(server, dependencies)
  await server.ready()
  await port.serve(server.server, { connections, listener: 'metrics' })
  return { server, routes }
}

function isPublic(networkId: number): boolean {
  return networkId === Network.MAINNET || networkId === Network.FUJI
}
