import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Bytes, CHAIN_ALIASES, type ChainAlias, NodeId } from '@firn/codec'
import type { Networks } from '@firn/genesis'
import {
  ApiKey,
  BoundPort,
  type ConnectionLimits,
  Connections,
  OperatorSocket,
  TrustedProxies,
} from '@firn/http'
import {
  Admin,
  type AnswerCache,
  Apis,
  CallerLimits,
  Chains,
  type Check,
  createAnswerCache,
  createHealth,
  createListener,
  createRoutes,
  createUpstream,
  createVms,
  type Health,
  HealthEndpoints,
  type Endpoint as HttpEndpoint,
  HttpRules,
  Info,
  type Issuer,
  type Listener,
  type NodeContext,
  NodeError,
  OpenRpcEndpoint,
  Peers,
  Profiler,
  type PublicIdentity,
  type Upstream,
  type Vms,
} from '@firn/node-api'
import { Console, type LocalAccess, Operators } from '@firn/operate'
import { ConfigurationFile } from '@firn/options'
import { Endpoint } from '@firn/p2p'
import { AdminMethods, InfoMethods, type Observe } from '@firn/rpc'
import type { Logger } from '@firn/runtime'
import { ApiKeys, Blockchains, type Network, Stakers, type Store, Validators } from '@firn/store'
import { UpstreamMetrics } from '@firn/tracing'
import { Registry } from 'prom-client'
import * as NodeConfig from './admin/NodeConfig.ts'
import type { NodeLoggers } from './admin/PinoLoggers.ts'
import * as Checks from './Checks.ts'
import { type Configuration, wrong } from './Configuration.ts'
import type { IndexKeeper } from './containers/IndexKeeper.ts'
import * as Landing from './Landing.ts'
import { createMetrics, endpoint as metricsEndpoint } from './Metrics.ts'
import * as OperatorEndpoint from './OperatorEndpoint.ts'
import { createParts } from './OperatorParts.ts'
import * as Parts from './Parts.ts'
import { createUpstreamView } from './peers/UpstreamView.ts'
import { VERSION } from './Version.ts'

/** Flags for the port and host of the HTTP server. */
export const HTTP_FLAGS = { flag: '--http-port', hostFlag: '--http-host' } as const

/** Options of {@link createNode}. The caller must close the resources in these options. */
export interface NodeOptions {
  /** Token and links for operators on this machine; by default there are none. */
  readonly local?: LocalAccess.LocalAccess | undefined
  readonly configuration: Configuration
  /** A store that contains a network. An indexer may fill it while the node runs. */
  readonly store: Store
  readonly identity: PublicIdentity
  readonly loggers: NodeLoggers
  /** Peers to which this process is connected; by default none. */
  readonly peers?: Peers.Peers
  /**
   * Returns the address of this node that peers see, such as `127.0.0.1:9651`; by default the address in
   * `--public-ip`.
   */
  readonly ip?: () => string
  /** Knows the ranges of indexed blocks; by default all stored blocks count as indexed. */
  readonly keeper?: Pick<IndexKeeper, 'spans'>
  /** Additional health checks, such as those of an indexer. */
  readonly checks?: readonly Check[]
  readonly registries?: () => readonly Registry[]
  /** Returns whether a chain has been bootstrapped; by default every chain has. */
  readonly isBootstrapped?: (chain: ChainAlias) => boolean
  /** Issues transactions if the configuration names no upstream; by default they are rejected then. */
  readonly issuer?: Issuer | undefined
  /** Further data for operators, such as the progress of an indexer in this process. */
  readonly parts?: readonly Operators.Parts[] | undefined
  readonly now?: () => number
  readonly random?: () => number
  readonly fetch?: typeof fetch
  /** Folder to which `admin.stacktrace` writes; by default the data folder. */
  readonly workingFolder?: string
  /** Limits of connections that replace those of the configuration. */
  readonly connectionLimits?: Partial<ConnectionLimits.ConnectionLimits> | undefined
}

/** A node API server. */
export interface Node {
  readonly context: NodeContext
  readonly health: Health
  /** URL of the server; undefined before it listens. */
  readonly url: string | undefined
  /** Data for operators, for another service in the same process. */
  readonly operatorParts: Operators.Parts
  /** Starts to listen at the configured address, or on a port that is already bound. Returns the URL. */
  listen(port?: BoundPort.BoundPort): Promise<string>
  /** Waits for requests in progress, then stops the server. */
  close(): Promise<void>
}

/**
 * Creates a node API server that does not listen yet.
 * @throws NodeError `NODE_DATABASE` if the store contains no network; NodeError `NODE_CONFIGURATION`
 */
export async function createNode(options: NodeOptions): Promise<Node> {
  const { store, configuration, loggers } = options
  const network = await store.network()
  if (network === undefined)
    throw new NodeError('NODE_DATABASE', 'The database is empty. Fill it with firn index.')
  assertNetwork(configuration, network.constants)
  const names = {
    chainAliasesFile: Parts.furtherNames(configuration, 'chainAliasesFile'),
    vmAliasesFile: Parts.furtherNames(configuration, 'vmAliasesFile'),
  }
  const registry = new Registry()
  const observe = UpstreamMetrics.create('firn_node', registry)
  const context = createContext(options, network, names.chainAliasesFile, observe)
  const cache = createCache(configuration, context)
  const mounting = { context, cache }
  const health = createChecks(options, context)
  const heights = createHeights(context)
  const metrics = createMetrics({
    registry,
    cache,
    upstreams: () => context.upstream?.health() ?? [],
    heights: heights.latest,
  })
  const vms = await loadVms(options, names.vmAliasesFile)
  const operatorParts = createParts(options.configuration, store, options.peers ?? Peers.NONE)
  const operators = operatorsOf(options, operatorParts)
  const profiler = addNodeApis(mounting, options, names, vms, operators)
  Apis.addChains(mounting)
  if (configuration.indexEnabled) Apis.addIndices(mounting, keeperOf(options).spans)
  if (configuration.apiHealthEnabled) HealthEndpoints.add(context.routes, health)
  if (configuration.apiMetricsEnabled) {
    const registries = () => [registry, ...(options.registries?.() ?? [])]
    context.routes.add('metrics', '', metricsEndpoint(registries))
  }
  const track = trackChains(mounting, loggers, Parts.trackedSubnets(configuration))
  await track()
  const onAdvance = () => void Promise.all([heights.look(), track()]).catch(() => undefined)
  const closers = [
    ...[store.onAdvance(onAdvance), () => health.close(), () => profiler?.close()],
    () => operators.close(),
  ]
  const connections = Connections.create({
    ...configuration,
    ...{ limits: options.connectionLimits, service: 'node', prefix: 'firn_node', registry },
  })
  const landing = Landing.create(health, (path) => context.routes.find(path) !== undefined, operators)
  const operate = OperatorEndpoint.create(operators)
  const listener = createServer(options, context, metrics.observe, { landing, operate, connections })
  return createListeningNode(options, context, health, listener, closers, operatorParts)
}

function operatorsOf(
  { store, local, loggers, parts = [], now = Date.now }: NodeOptions,
  own: Operators.Parts,
): Operators.Operators {
  const keys = ApiKey.createRing(async () => (await ApiKeys.list(store)).map(ApiKey.fromRow), now)
  const log = loggers.get('main')
  return Operators.create({
    parts: [own, ...parts],
    keys,
    local,
    version: VERSION,
    log,
    now,
  })
}

function createChecks(
  { configuration, checks = [], peers = Peers.NONE }: NodeOptions,
  context: NodeContext,
): Health {
  const { dataDir, healthMaxLag: maxLagMs, upstreamTimeout } = configuration
  return createHealth({
    checks: [...Checks.create({ context, dataDir, maxLagMs, peers }), ...checks],
    now: context.now,
    timeoutMs: Math.max(1_000, upstreamTimeout),
    onTurn: (check, error) =>
      error === undefined
        ? context.log.info({ check }, 'health check passes')
        : context.log.warn({ check, reason: error }, 'health check fails'),
  })
}

/** Tracks the last known heights, for code that cannot wait for the store. */
function createHeights({ store, followsCChain }: NodeContext) {
  let heights: Readonly<Record<string, number>> = {}
  const look = async () => {
    const { P, X, C } = await store.snapshot()
    heights = {
      P: Number(P.height),
      X: Number(X.height),
      ...(followsCChain && { C: Number(C.height) }),
    }
  }
  look().catch(() => undefined)
  return { look, latest: () => heights }
}

/**
 * Loads the VM plugins. Creates the default plugin folder if it is missing; a configured folder must exist.
 */
async function loadVms({ configuration, loggers }: NodeOptions, names: Chains.FurtherNames): Promise<Vms> {
  const log = loggers.get('vm-factory')
  const { pluginDir, dataDir } = configuration
  if (pluginDir === join(dataDir, 'plugins')) await mkdir(pluginDir, { recursive: true, mode: 0o750 })
  const vms = createVms({ folder: pluginDir, names, log })
  await vms.load().catch((error: Error) => log.warn({ reason: error.message }, 'plugins not loaded'))
  return vms
}

/**
 * Creates the node API with its HTTP server, which does not listen yet. The functions in `closers` are called
 * after the server has stopped.
 */
function createListeningNode(
  { configuration }: NodeOptions,
  context: NodeContext,
  health: Health,
  listener: Listener,
  closers: readonly (() => unknown)[],
  operatorParts: Operators.Parts,
): Node {
  let url: string | undefined
  let operatorSocket: OperatorSocket.OperatorSocket | undefined
  return {
    context,
    health,
    operatorParts,
    get url() {
      return url
    },
    async listen(port = undefined) {
      health.start(configuration.healthCheckFrequency)
      const { httpHost: host, httpPort, operatorSocket: path } = configuration
      operatorSocket = path === undefined ? undefined : await OperatorSocket.listen(path, listener.accept)
      url = await BoundPort.use(port ?? httpPort, { host, ...HTTP_FLAGS }, listener.listen)
      return url
    },
    async close() {
      if (url !== undefined && configuration.httpShutdownWait > 0) {
        health.add(Checks.SHUTTING_DOWN)
        await health.refresh()
        await new Promise((settle) => setTimeout(settle, configuration.httpShutdownWait))
      }
      await operatorSocket?.close()
      await listener.close(configuration.httpShutdownTimeout)
      for (const close of closers) await close()
    },
  }
}

function assertNetwork({ networkId }: Configuration, stored: Networks.Constants): void {
  if (networkId === undefined || networkId === stored.networkId) return
  throw wrong(
    `network-id: the database contains network ${stored.networkId} (${stored.name}), got ${networkId}`,
  )
}

function createContext(
  options: NodeOptions,
  { genesis, constants, followsCChain }: Network,
  further: Chains.FurtherNames,
  onRequest: Observe,
): NodeContext {
  const { store, loggers, identity, peers = Peers.NONE, now = Date.now, random = Math.random } = options
  const byAlias = Chains.ids(genesis)
  const log = loggers.get('main')
  const upstream = configuredUpstream(options.configuration, options.fetch ?? fetch, onRequest)
  return {
    store,
    genesis,
    constants,
    followsCChain,
    chains: Chains.createNames(genesis, further),
    routes: createRoutes(),
    snapshot: () => store.snapshot(),
    now,
    random,
    upstream,
    issuer: options.issuer,
    validators: observe(peers, upstream, log),
    isValidating: async (subnetId, at) =>
      (await Validators.weightAt(store, at.P.height, subnetId, identity.nodeId)) > 0n,
    isBootstrapped: (chainId) => {
      const alias = CHAIN_ALIASES.find((one) => Bytes.equals(byAlias[one], chainId))
      if (alias === 'C' && !followsCChain) return false
      return alias === undefined || (options.isBootstrapped?.(alias) ?? true)
    },
    log,
    loggers,
  }
}

/**
 * Returns the source of uptimes: the measurements of this process if it is connected to peers or has no upstream,
 * otherwise the measurements of the upstream.
 */
function observe(peers: Peers.Peers, upstream: Upstream | undefined, log: Logger): NodeContext['validators'] {
  if (peers !== Peers.NONE || upstream === undefined) return async () => peers
  return createUpstreamView({ upstream, now: () => performance.now(), log })
}

/** Creates a client for the nodes in `--upstream`. Returns undefined if the option is empty. */
export function configuredUpstream(
  { upstream: urls, upstreamTimeout: timeoutMs }: Configuration,
  given: typeof fetch,
  observe?: Observe,
): Upstream | undefined {
  return urls.length === 0
    ? undefined
    : createUpstream({ urls, timeoutMs, fetch: given, now: () => performance.now(), observe })
}

function createCache({ answerCacheBytes }: Configuration, context: NodeContext): AnswerCache {
  const cache = createAnswerCache({
    maxBytes: answerCacheBytes,
    snapshot: context.snapshot,
    now: context.now,
  })
  context.chains.onChange(() => cache.clear())
  return cache
}

/** Returns the given index keeper. By default, returns one that treats all stored blocks as indexed. */
function keeperOf({ keeper }: NodeOptions): Pick<IndexKeeper, 'spans'> {
  return keeper ?? { spans: () => [{ first: 1n }] }
}

function addNodeApis(
  mounting: Apis.Mounting,
  options: NodeOptions,
  names: Record<'chainAliasesFile' | 'vmAliasesFile', Chains.FurtherNames>,
  vms: Vms,
  operators: Operators.Operators,
): Profiler | undefined {
  const { context } = mounting
  const { configuration, identity, peers = Peers.NONE } = options
  const { publicIp, stakingPort } = configuration
  const ip =
    options.ip ?? (() => (publicIp === '' ? '' : Endpoint.format({ host: publicIp, port: stakingPort })))
  if (configuration.apiInfoEnabled) {
    const primaryNetwork = async () =>
      Stakers.primaryValidators(context.store, (await context.snapshot()).P.height)
    const info = Info.handlers(context, { identity, ip, peers, vms, primaryNetwork })
    context.routes.add('info', '', Apis.endpoint(mounting, 'info', InfoMethods, info, Info.FRESHNESS))
  }
  if (!configuration.apiAdminEnabled) return undefined
  const profiler = new Profiler({ folder: configuration.profileDir, now: context.now })
  const config = () =>
    NodeConfig.toJSON({
      configuration,
      database: Parts.database(configuration),
      chainAliases: Parts.toJSON(names.chainAliasesFile),
      vmAliases: Parts.toJSON(names.vmAliasesFile),
      parallelism: availableParallelism(),
      constants: context.constants,
      avaxAssetId: context.genesis.avaxAssetId,
      nodeId: identity.nodeId,
      ip: ip(),
    })
  const workingFolder = options.workingFolder ?? configuration.dataDir
  const admin = Admin.handlers(context, { profiler, vms, config, workingFolder })
  const target = Apis.endpoint(mounting, 'admin', AdminMethods, admin, Admin.FRESHNESS)
  const operated = Apis.operatorsOnly(target, (request) => Operators.isOperator(request, operators))
  context.routes.add('admin', '', configuration.apiAdminAllowRemote ? target : operated)
  return profiler
}

/** Returns a function that adds a route and a logger for each new chain of the tracked subnets. */
function trackChains(
  mounting: Apis.Mounting,
  loggers: NodeLoggers,
  subnets: readonly Uint8Array[],
): () => Promise<void> {
  const { store, chains } = mounting.context
  for (const alias of CHAIN_ALIASES) loggers.get(alias)
  return async () => {
    for (const subnetId of subnets) {
      for (const chainId of await Blockchains.currentIds(store, subnetId)) {
        Apis.addForeignChain(mounting, chainId)
        loggers.get(chains.primaryAlias(chainId))
      }
    }
  }
}

/** What the server has besides the routes of a node. */
interface ServerParts {
  readonly landing: HttpEndpoint
  readonly operate: HttpEndpoint
  readonly connections: Connections.Connections
}

function createServer(
  { configuration, identity }: NodeOptions,
  context: NodeContext,
  observe: (base: string) => () => void,
  { landing, operate, connections }: ServerParts,
): Listener {
  const { routes } = context
  const pages = new Map([
    ['/openrpc.json', OpenRpcEndpoint.create(routes, { title: 'Firn node API', version: VERSION })],
  ])
  const fallback = Apis.createFallback(context)
  return createListener({
    routes,
    rules: HttpRules.create({
      nodeId: NodeId.format(identity.nodeId),
      allowedOrigins: configuration.httpAllowedOrigins,
      allowedHosts: configuration.httpAllowedHosts,
    }),
    fallback: (path) => {
      if (Operators.isPath(path)) return operate
      return Console.isPath(path) ? landing : (pages.get(path) ?? fallback(path))
    },
    connections,
    limits: limitsOf(configuration),
    readTimeoutMs: configuration.httpReadTimeout,
    readHeaderTimeoutMs: configuration.httpReadHeaderTimeout,
    writeTimeoutMs: configuration.httpWriteTimeout,
    idleTimeoutMs: configuration.httpIdleTimeout,
    observe,
    onError: (err) => context.log.error({ err }, 'request failed'),
    ...tlsOf(configuration),
  })
}

function limitsOf(configuration: Configuration): CallerLimits.CallerLimits {
  const { rateLimits, httpUnitsPerSecond: perSecond, httpBurstUnits: burst } = configuration
  const trusted = TrustedProxies.create(configuration)
  const rate = rateLimits ? { perSecond, burst } : undefined
  return CallerLimits.create({ rate, trusted, now: () => performance.now() })
}

/**
 * Returns the TLS options.
 * @throws NodeError `NODE_CONFIGURATION`
 */
function tlsOf(configuration: Configuration): {
  readonly tls?: { readonly key: string; readonly cert: string }
} {
  if (!configuration.httpTlsEnabled) return {}
  const pem = (content: string, path: string, option: string) => {
    if (content !== '') return Buffer.from(content, 'base64').toString('utf8')
    if (path === '') throw wrong(`http-tls-enabled: ${option} is missing`)
    return ConfigurationFile.readText(path, option, (file) => readFileSync(file, 'utf8'))
  }
  const { httpTlsKeyFile, httpTlsKeyFileContent, httpTlsCertFile, httpTlsCertFileContent } = configuration
  const key = pem(httpTlsKeyFileContent, httpTlsKeyFile, 'http-tls-key-file')
  const cert = pem(httpTlsCertFileContent, httpTlsCertFile, 'http-tls-cert-file')
  return { tls: { key, cert } }
}
