import { Agent, createServer, type Server } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import type { EvmStore } from '@firn/evm-store'
import { BoundPort, ConnectionLimits, Connections, OperatorSocket, TrustedProxies } from '@firn/http'
import { type LocalAccess, Operators } from '@firn/operate'
import type { Observe } from '@firn/rpc'
import { type Owner, withOwner } from '@firn/runtime'
import { type UsageRequest, type UsageStore, UsageSums, UsageWriter } from '@firn/service-store'
import { UpstreamMetrics } from '@firn/tracing'
import { Registry } from 'prom-client'
import { createAdmission } from './admission/Admission.ts'
import { openBypassTokens } from './admission/BypassTokens.ts'
import { GatewayError } from './GatewayError.ts'
import type { GatewayLog } from './GatewayLog.ts'
import { createHttpHandler } from './http/HttpHandler.ts'
import { LIMITS, type Limits } from './Limits.ts'
import { createStoredLogs } from './logs/StoredLogs.ts'
import { createCosts, type MethodCosts } from './methods/MethodCosts.ts'
import { createMethodPolicy, type MethodPolicyOptions } from './methods/MethodPolicy.ts'
import { createNodes } from './nodes/Nodes.ts'
import { startProbes } from './nodes/Probe.ts'
import { createMetrics, type Metrics } from './operate/Metrics.ts'
import { answerOperator } from './operate/Operations.ts'
import { createParts } from './operate/OperatorParts.ts'
import type { Chain } from './request/Chain.ts'
import type { GatewayContext } from './request/Context.ts'
import { createCounting } from './usage/Counting.ts'
import { VERSION } from './Version.ts'
import { createWebSocketHandler } from './websocket/WebSocketHandler.ts'

/** Options of a served chain. */
export interface ChainOptions extends MethodPolicyOptions {
  /**
   * Names of the chain that `/rpc/{chainId}` accepts. Requests are counted under the first name, which should
   * be the EVM chain id in decimal.
   */
  readonly names: readonly [string, ...string[]]
  /** URLs of the chain's nodes with the scheme `http`, `https`, `ws` or `wss`. */
  readonly urls: readonly [URL, ...URL[]]
  /**
   * Store of the chain. If its logs are stored, `eth_getLogs` over HTTP is answered from them. The gateway does not
   * close the store.
   */
  readonly store?: EvmStore | undefined
}

/** Options of {@link createGateway}. */
export interface GatewayOptions extends TrustedProxies.Options, LocalAccess.ServiceOptions {
  readonly chains: readonly ChainOptions[]
  /**
   * Store of usage statistics and bypass tokens. Its schema must already be migrated. The gateway does not close the
   * store.
   */
  readonly usage: UsageStore
  readonly host: string
  /** A port number, or a port that is already bound. With 0, the operating system picks a free port. */
  readonly port: BoundPort.Port
  readonly limits?: Partial<Limits> | undefined
  /** Credits per method. They take precedence over the default table. */
  readonly costs?: MethodCosts | undefined
  /** Returns the current time in milliseconds since 1970, with fractions. */
  readonly now: () => number
  readonly random: { readonly bytes: (count: number) => Uint8Array; readonly number: () => number }
  readonly log: GatewayLog
}

/** A running RPC gateway. */
export interface Gateway {
  /** Base URL of the gateway, without `/rpc/{chainId}`. */
  readonly url: string
  /** Data for operators, for another service in the same process. */
  readonly operatorParts: Operators.Parts
  /** Writes the counted usage. Resolves with `false` if the database is unavailable. */
  flush(): Promise<boolean>
  /** Closes all connections and writes the counted usage. */
  close(): Promise<void>
}

/** Maximum number of connections that the operating system queues until the gateway accepts them. */
const BACKLOG = 2_048
const AGENT = { keepAlive: true, maxSockets: 1_024, maxFreeSockets: 64 } as const

/**
 * Starts an RPC gateway. The port is bound before anything else.
 * @throws GatewayError `GATEWAY_CONFIGURATION`; HttpError; StoreError
 */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { host, port } = options
  return BoundPort.use(port, { host, flag: '--port' }, (bound) =>
    withOwner((owner) => start(options, bound, owner)),
  )
}

async function start(options: GatewayOptions, port: BoundPort.BoundPort, owner: Owner): Promise<Gateway> {
  const { usage, local, now, log } = options
  const trusted = TrustedProxies.create(options)
  const limits = limitsOf(options, trusted)
  const registry = new Registry()
  const named = chainsOf(options, UpstreamMetrics.create('firn_gateway', registry))
  const chains = [...new Set(named.values())]

  const writer = openWriter(options, owner)
  const tokens = owner.own(await openBypassTokens(usage, log))
  const agents = openAgents(owner)
  await openProbes(chains, log, owner)
  const admission = createAdmission(limits, now)
  const metrics = createMetrics(registry, chains, admission, writer)
  const count = (request: UsageRequest) => {
    writer.record(request)
    metrics.count(request)
  }
  const costs = createCosts(options.costs)
  const operatorParts = createParts(limits)
  const operators = owner.own(Operators.create({ parts: [operatorParts], local, version: VERSION, now }))

  const context: GatewayContext = {
    ...{ limits, admission, tokens, costs, agents, trusted, operators, count, now, log },
    chains: named,
  }
  const server = openServer(context, metrics, owner)
  const connections = createConnections(options, limits, { registry, isBanned: admission.isBanned })
  owner.own(await OperatorSocket.serve(server, options.operatorSocket))
  await port.serve(server, { connections, listener: 'api', backlog: BACKLOG })
  return { url: port.url, operatorParts, flush: () => writer.flush(), close: owner.close }
}

/** Many callers share a proxy's connection, so it must not be closed because of one of them. */
function limitsOf(
  { limits }: Pick<GatewayOptions, 'limits'>,
  trusted: TrustedProxies.TrustedProxies,
): Limits {
  return { ...LIMITS, ...limits, ...(TrustedProxies.isAny(trusted) && { refusals: undefined }) }
}

function openWriter({ usage, random, log }: GatewayOptions, owner: Owner): UsageWriter<UsageRequest> {
  const createBatch = () => new UsageSums()
  const writer = new UsageWriter({ createBatch, store: usage, random: random.bytes, log })
  owner.onClose(async () => {
    const lost = await writer.close()
    if (lost > 0) log.warn({ requests: lost }, 'requests not counted, because the database is unavailable')
  })
  return writer
}

/** Opens the pools of connections to nodes. The connections are kept open and shared by all callers. */
function openAgents(owner: Owner): GatewayContext['agents'] {
  const agents = { http: new Agent(AGENT), https: new SecureAgent(AGENT) }
  owner.onClose(() => {
    agents.http.destroy()
    agents.https.destroy()
  })
  return agents
}

async function openProbes(chains: readonly Chain[], log: GatewayLog, owner: Owner): Promise<void> {
  await Promise.all(
    chains.map(async ({ id, nodes }) => {
      const chainId = /^\d{1,20}$/.test(id) ? BigInt(id) : undefined
      owner.onClose(await startProbes({ nodes, log, chainId }))
    }),
  )
}

function createConnections(
  { proxies, trustedProxies }: GatewayOptions,
  { connections, connectionsPerAddress, requestMs, idleMs }: Limits,
  given: Pick<Connections.ConnectionsOptions, 'registry' | 'isBanned'>,
): Connections.Connections {
  return Connections.create({
    ...{ ...given, proxies, trustedProxies, service: 'gateway', prefix: 'firn_gateway' },
    limits: {
      ...{ connections, connectionsPerAddress, readMs: requestMs, idleMs, unreadMs: idleMs },
      headersMs: Math.min(requestMs, ConnectionLimits.DEFAULTS.headersMs),
    },
  })
}

function chainsOf(
  { chains, now, random, log }: GatewayOptions,
  observe: Observe,
): ReadonlyMap<string, Chain> {
  const named = new Map<string, Chain>()
  for (const { names, urls, store, ...methods } of chains) {
    const nodes = createNodes(urls, now, random.number, observe)
    const logs = store && createStoredLogs({ store, nodes, now, log })
    const chain: Chain = { id: names[0], nodes, assertAllowed: createMethodPolicy(methods), logs }
    for (const name of names) {
      if (named.has(name)) {
        throw new GatewayError(
          'GATEWAY_CONFIGURATION',
          `expected a distinct name for each chain, got ${name} twice`,
        )
      }
      named.set(name, chain)
    }
  }
  if (named.size > 0) return named
  throw new GatewayError('GATEWAY_CONFIGURATION', 'no chain to serve; configure at least one chain')
}

/** Opens the server, which does not listen yet. */
function openServer(context: GatewayContext, metrics: Metrics, owner: Owner): Server {
  const counting = createCounting(context)
  const handle = createHttpHandler(context, counting)
  const sockets = createWebSocketHandler(context, counting)
  const server = createServer(ConnectionLimits.SERVER_OPTIONS)
  server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head))
  server.on('request', (request, response) => {
    if (!answerOperator(request, response, context, metrics)) handle(request, response)
  })
  owner.onClose(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  })
  // The server does not close before its WebSocket connections.
  owner.own(sockets)
  return server
}
