import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Networks } from '@firn/genesis'
import { ApiKey, BoundPort, Connections, OperatorSocket } from '@firn/http'
import {
  type AnswerCache,
  Apis,
  type Chains,
  createAnswerCache,
  createHealth,
  createVms,
  type Health,
  HealthEndpoints,
  type Listener,
  type NodeContext,
  NodeError,
  Peers,
  type Vms,
} from '@firn/node-api'
import { Operators } from '@firn/operate'
import { type Owner, withOwner } from '@firn/runtime'
import { ApiKeys } from '@firn/service-store'
import { UpstreamMetrics } from '@firn/tracing'
import { Registry } from 'prom-client'
import * as Checks from './Checks.ts'
import { type Configuration, wrong } from './Configuration.ts'
import type { IndexKeeper } from './containers/IndexKeeper.ts'
import * as Landing from './Landing.ts'
import { createMetrics, endpoint as metricsEndpoint } from './Metrics.ts'
import { addNodeApis, trackChains } from './NodeApis.ts'
import { createContext } from './NodeContext.ts'
import type { NodeOptions } from './NodeOptions.ts'
import { createServer } from './NodeServer.ts'
import * as OperatorEndpoint from './OperatorEndpoint.ts'
import { createParts } from './OperatorParts.ts'
import * as Parts from './Parts.ts'
import { VERSION } from './Version.ts'

/** Flags for the port and host of the HTTP server. */
export const HTTP_FLAGS = { flag: '--http-port', hostFlag: '--http-host' } as const

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
export function createNode(options: NodeOptions): Promise<Node> {
  return withOwner((owner) => assemble(options, owner))
}

async function assemble(options: NodeOptions, owner: Owner): Promise<Node> {
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
  const heights = createHeights(context)
  const upstreams = () => context.upstream?.health() ?? []
  const metrics = createMetrics({ registry, cache, upstreams, heights: heights.latest })
  const operatorParts = createParts(configuration, store, options.peers ?? Peers.NONE)
  const operators = owner.own(operatorsOf(options, operatorParts))

  const vms = await loadVms(options, names.vmAliasesFile)
  owner.own(addNodeApis(mounting, options, names, vms, operators))
  const health = owner.own(createChecks(options, context))
  Apis.addChains(mounting)
  if (configuration.indexEnabled) Apis.addIndices(mounting, keeperOf(options).spans)
  if (configuration.apiHealthEnabled) HealthEndpoints.add(context.routes, health)
  if (configuration.apiMetricsEnabled) {
    const registries = () => [registry, ...(options.registries?.() ?? [])]
    context.routes.add('metrics', '', metricsEndpoint(registries))
  }
  const track = trackChains(mounting, loggers, Parts.trackedSubnets(configuration))
  await track()
  owner.onClose(store.onAdvance(() => void Promise.all([heights.look(), track()]).catch(() => undefined)))

  const connections = Connections.create({
    ...configuration,
    ...{ limits: options.connectionLimits, service: 'node', prefix: 'firn_node', registry },
  })
  const landing = Landing.create(health, (path) => context.routes.find(path) !== undefined, operators)
  const operate = OperatorEndpoint.create(operators)
  const listener = createServer(options, context, metrics.observe, { landing, operate, connections })
  owner.onClose(() => listener.close(configuration.httpShutdownTimeout))
  return createListeningNode(configuration, { context, health, operatorParts }, listener, owner)
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

/** Creates the node API with its HTTP server, which does not listen yet. */
function createListeningNode(
  configuration: Configuration,
  parts: Pick<Node, 'context' | 'health' | 'operatorParts'>,
  listener: Listener,
  owner: Owner,
): Node {
  const { health } = parts
  let url: string | undefined
  return {
    ...parts,
    get url() {
      return url
    },
    async listen(port = undefined) {
      health.start(configuration.healthCheckFrequency)
      const { httpHost: host, httpPort, operatorSocket: path } = configuration
      owner.own(path === undefined ? undefined : await OperatorSocket.listen(path, listener.accept))
      url = await BoundPort.use(port ?? httpPort, { host, ...HTTP_FLAGS }, listener.listen)
      return url
    },
    async close() {
      if (url !== undefined && configuration.httpShutdownWait > 0) {
        health.add(Checks.SHUTTING_DOWN)
        await health.refresh()
        await new Promise((settle) => setTimeout(settle, configuration.httpShutdownWait))
      }
      await owner.close()
    },
  }
}

function assertNetwork({ networkId }: Configuration, stored: Networks.Constants): void {
  if (networkId === undefined || networkId === stored.networkId) return
  throw wrong(
    `network-id: the database contains network ${stored.networkId} (${stored.name}), got ${networkId}`,
  )
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
