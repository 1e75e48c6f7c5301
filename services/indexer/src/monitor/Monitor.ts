import { CHAIN_ALIASES, Json } from '@firn/codec'
import {
  BoundPort,
  ConnectionLimits,
  Connections,
  GracefulClose,
  OperatorSocket,
  QueryParser,
  RouteList,
} from '@firn/http'
import { Console, type LandingPage, type LocalAccess, Operators } from '@firn/operate'
import Fastify, { type FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { VERSION } from '../common/Version.ts'
import type { EvmChainStatus } from '../evm/EvmChainStatus.ts'
import type { EvmIndexer } from '../evm/EvmIndexer.ts'
import type { Indexer } from '../primary/Indexer.ts'
import { phaseOf } from '../primary/Phase.ts'
import type { SourceProgress } from '../primary/Source.ts'
import type { IndexerStatus } from '../primary/Status.ts'
import * as Progress from './Progress.ts'

/** An HTTP server that reports the indexer's status. */
export interface Monitor {
  /** The URL of the server. */
  readonly url: string
  readonly routes: readonly RouteList.Route[]
  close(): Promise<void>
}

/** Options of {@link createMonitor}. */
export interface MonitorOptions extends LocalAccess.ServiceOptions {
  /** Port number, or a port that is already bound. With 0, the operating system picks a free port. */
  readonly port: BoundPort.Port
  /** Host name or address to listen on; by default the loopback address. */
  readonly host?: string
  /** Limits of connections; by default 256 of them. */
  readonly limits?: Partial<ConnectionLimits.ConnectionLimits>
}

/** Limits of a port that only operators and their monitoring use. */
const LIMITS = { connections: 256 } as const

/** Returns the health of the indexer of the Primary Network. */
export function health(status: IndexerStatus): Health {
  const { vertices, chains, problems, warnings, blocksPerSecond, secondsLeft, source } = status
  const entries = CHAIN_ALIASES.map((chain) => {
    const position = chains?.[chain]
    if (position === undefined) return [chain, null]
    const { height, tip, time } = position
    return [chain, { height: `${height}`, tip: tip === undefined ? null : `${tip}`, time: `${time}` }]
  })
  return {
    status: problems.length === 0 ? 'up' : 'down',
    problems,
    ...(warnings.length === 0 ? {} : { warnings }),
    phase: phaseOf(status),
    ...(source === undefined ? {} : sourceFacts(source)),
    ...(vertices === undefined ? {} : { vertices: { ...vertices } }),
    chains: Object.fromEntries(entries),
    blocksPerSecond: Math.round(blocksPerSecond * 10) / 10,
    secondsLeft: secondsLeft === undefined ? null : Math.ceil(secondsLeft),
  }
}

/** Returns the progress of a source as health reports it. */
export function sourceFacts(source: SourceProgress): Readonly<Record<string, string | number>> {
  const { peers, voters, fetched, total, vertices } = source
  return {
    peers,
    [voters.kind]: `${voters.connected}/${voters.count}`,
    fetched: `${fetched}/${total}`,
    ...(vertices === undefined ? {} : { fetchedVertices: `${vertices}` }),
  }
}

/** What a monitor reports. */
export interface Monitored {
  /** What the indexer does, in one sentence. */
  readonly description: string
  readonly metrics: Registry
  /** Returns the current health. */
  health(): Health
  /** Returns the progress of each chain, for operators. */
  progress(): readonly Operators.Progress[]
}

/**
 * The response to `GET /health`: status 200 when healthy, 503 otherwise. `problems` contains the reasons, and `warnings`
 * the nodes that are used last because they returned wrong data, and chains of which internal calls are missing.
 */
export type Health = {
  readonly status: 'up' | 'down'
  readonly problems: readonly string[]
  readonly [fact: string]: Json.Json
}

/** Returns what a monitor reports about the indexer of the Primary Network. */
export const ofNetwork = (indexer: Pick<Indexer, 'status' | 'problemsOf' | 'metrics'>): Monitored => ({
  description: 'Indexes the Primary Network into a database.',
  metrics: indexer.metrics,
  health: () => health(indexer.status()),
  progress: () => Progress.ofNetwork(indexer),
})

/** Returns what a monitor reports about the indexer of EVM chains. */
export const ofChains = (indexer: Pick<EvmIndexer, 'status' | 'metrics'>): Monitored => ({
  description: 'Indexes EVM chains into a database.',
  metrics: indexer.metrics,
  health: () => healthOfChains(indexer.status()),
  progress: () => Progress.ofChains(indexer.status()),
})

function healthOfChains(chains: readonly EvmChainStatus[]): Health {
  const problems = chains.flatMap((chain) => chain.problems)
  const warnings = chains.flatMap((chain) => chain.warnings)
  const entries = chains.map(({ chainId, phase, height, head, tracedHeight, time, blocksPerSecond }) => [
    String(chainId),
    {
      phase,
      height: height === undefined ? null : `${height}`,
      head: head === undefined ? null : `${head}`,
      ...(tracedHeight === undefined ? {} : { internalCallsCompleteTo: `${tracedHeight}` }),
      time: time === undefined ? null : `${time}`,
      blocksPerSecond: Math.round(blocksPerSecond * 10) / 10,
    },
  ])
  return {
    status: problems.length === 0 ? 'up' : 'down',
    problems,
    ...(warnings.length === 0 ? {} : { warnings }),
    chains: Object.fromEntries(entries),
  }
}

/** Creates the HTTP routes `/`, `/health` and `/metrics` of an indexer, without opening a socket. */
export function createMonitorApp(monitored: Monitored): FastifyInstance {
  const app = Fastify()
  addRoutes(app, monitored, new Registry())
  return app
}

const LINKS: readonly LandingPage.Link[] = [
  { href: '/health', title: 'Returns the health and the position of each chain' },
  { href: '/metrics', title: 'Returns Prometheus metrics' },
]

/** Adds the routes. `own` is not the indexer's own registry, which the node API merges with one that has the same metrics. */
function addRoutes(
  app: FastifyInstance,
  { description, metrics, health, progress }: Monitored,
  own: Registry,
  local?: LocalAccess.LocalAccess,
): void {
  collectDefaultMetrics({ register: own })
  const parts = [{ indexing: async () => progress() }]
  const operators = Operators.create({ parts, local, version: VERSION })
  app.addHook('onClose', async () => operators.close())
  Operators.addRoutes(app, operators)
  Console.addRoutes(app, () => {
    const { status, problems } = health()
    const about = { name: 'indexer', description, version: VERSION, status }
    return {
      ...about,
      problems,
      links: LINKS,
      apis: [{ kind: 'indexer', url: './' }, Operators.apiOf(operators)],
    }
  })
  app.get('/health', async (_request, reply) => {
    const answer = health()
    reply.code(answer.status === 'up' ? 200 : 503).type('application/json; charset=utf-8')
    return Json.stringify(answer)
  })
  app.get('/metrics', async (_request, reply) => {
    // Reading the status updates the metric for problems.
    health()
    reply.type(own.contentType)
    return Registry.merge([own, metrics]).metrics()
  })
}

/** Serves `/`, `/health` and `/metrics` of an indexer. @throws HttpError `HTTP_PORT` */
export async function createMonitor(
  monitored: Monitored,
  { port, host = '127.0.0.1', limits = LIMITS, local, operatorSocket }: MonitorOptions,
): Promise<Monitor> {
  return BoundPort.use(port, { host, flag: '--metrics-port', hostFlag: '--metrics-host' }, async (bound) => {
    const app = Fastify({
      http: ConnectionLimits.SERVER_OPTIONS,
      routerOptions: { querystringParser: QueryParser.parse },
    })
    const routes = RouteList.collect(app)
    const own = new Registry()
    addRoutes(app, monitored, own, local)
    const connections = Connections.create({
      ...{ service: 'indexer', prefix: 'firn_indexer', registry: own, limits },
    })
    await app.ready()
    const socket = await OperatorSocket.serve(app.server, operatorSocket)
    await bound.serve(app.server, { connections, listener: 'metrics' })
    const close = async () => {
      await socket?.close()
      await GracefulClose.run(app.server, () => app.close())
    }
    return { url: bound.url, routes, close }
  })
}
