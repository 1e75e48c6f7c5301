import {
  OPTIONS as AGGREGATOR_OPTIONS,
  type AggregatorService,
  createAggregatorService,
  createConfiguration,
} from '@firn/aggregator'
import { Serving, ServingOptions } from '@firn/data-api'
import { ChainStores } from '@firn/evm-store'
import { Counted } from '@firn/gateway'
import { type BoundPort, Ports, TrustedProxies } from '@firn/http'
import {
  Chains,
  Database,
  EvmIndexing,
  IndexingOptions,
  NetworkPeers,
  Progress,
  Sources,
} from '@firn/indexer'
import {
  type Configuration,
  checkConfiguration as checkNodeConfiguration,
  createConfiguration as createNodeConfiguration,
  OPTIONS as NODE_OPTIONS,
  openLoggers,
  openService,
} from '@firn/node'
import { type LandingPage, LocalAccess } from '@firn/operate'
import { Command, Common, group, Layers, option, pick, type Terminal, Type, type Values } from '@firn/options'
import { UsageDatabase } from '@firn/service-store'
import { Diagnostics } from '@firn/tracing'
import { CliError } from '../CliError.ts'
import { programOf } from '../programOf.ts'
import * as EvmServices from './evm/EvmServices.ts'
import * as EvmServing from './evm/EvmServing.ts'
import * as Indexing from './Indexing.ts'
import * as OwnLedger from './OwnLedger.ts'

/** Type of an option that is forwarded to another command, as `<name>=<value>` or `<name>`. */
const FURTHER: Type.Type<readonly string[]> = Type.create({
  placeholder: 'name=value',
  expected: '<name>=<value>, without dashes before the name',
  parse: (text): readonly string[] | undefined =>
    /^[a-z][a-z-]*(=.*)?$/s.test(text) ? [`--${text}`] : undefined,
  fromJson: (json): readonly string[] | undefined =>
    Array.isArray(json) ? json.map((one) => `--${String(one)}`) : undefined,
  combine: (before, next) => [...before, ...next],
  format: () => 'none',
})

/** Options that are forwarded to the node API unchanged. */
const OF_NODE = {
  ...Common.upstream('Nodes to follow, in order of preference.'),
  ...Common.DATA_DIR,
  ...Common.PROXIES,
  ...Common.CONNECTIONS,
  ...Common.RATE_LIMITS,
}

/** The options of all services. Each service has its own port option. */
export const OPTIONS = {
  ...Common.NETWORK_DATABASE,
  ...Common.NETWORK,
  ...Common.STAKING,
  ...Common.FROM,
  ...OF_NODE,
  ...Common.BOOTSTRAP,
  ...IndexingOptions.OPTIONS,
  ...group('HTTP', {
    dataPort: option(Type.port, { default: 8700, help: 'Port of the Data API; 0 picks a free one.' }),
    httpPort: option(Type.port, { default: 8701, help: 'Port of the node API; 0 picks a free one.' }),
    aggregatorPort: option(Type.port, {
      default: 8080,
      help: 'Port of the signature aggregator; 0 picks a free one.',
    }),
  }),
  ...ServingOptions.OPTIONS,
  ...EvmServing.CHAIN_OPTIONS,
  ...group('Other services', {
    nodeOption: option(FURTHER, {
      default: [],
      help: 'Any option of firn node, such as http-allowed-hosts=*. Repeat it for more options.',
    }),
    aggregatorOption: option(FURTHER, {
      default: [],
      help: 'Any option of firn aggregator, such as collect-timeout=5s. Repeat it for more options.',
    }),
  }),
  ...Common.LOG_LEVEL,
  ...Common.DIAGNOSTICS,
}

type PortName = 'dataPort' | 'httpPort' | 'aggregatorPort' | 'gatewayPort' | 'metricsPort'

/** Options of `firn up`. */
export type Options = Ports.MaybeBound<Values<typeof OPTIONS>, PortName>

export const COMMAND = Command.create({
  description:
    'Runs the indexer, the node API, the Data API and the signature aggregator in one process. With --chain, it also serves EVM chains and a gateway to their nodes.',
  example: '--network fuji',
  options: OPTIONS,
  isService: true,
  check: (options) => {
    TrustedProxies.create(options)
    Sources.assertOne(options)
    if (!Sources.hasSource(options) && options.chain === undefined)
      throw new CliError('CLI_USAGE', `nothing to serve: pass ${Sources.SOURCES}, or --chain`)
  },
  run: (options, { terminal }) =>
    Diagnostics.during(options, programOf('up'), Database.logger(terminal), () => up(options, terminal)),
})

/** URLs of the running services. */
export type Urls = {
  readonly node: string
  readonly aggregator: string
  readonly dataApi: string
  /** URL of the gateway; undefined without EVM chains. */
  readonly gateway: string | undefined
}

/** Called when all services respond. If it resolves to true, the services are stopped. */
export type Ready = (urls: Urls) => Promise<boolean>

/** Stops a service. Services are stopped in the reverse order of their start. */
type Ending = () => Promise<void>

/** Returns the configuration of the node API. */
const nodeConfiguration = (options: Options): Configuration => {
  const configuration = createNodeConfiguration({
    ...pick(OF_NODE, options),
    httpHost: options.host,
    indexEnabled: true,
    // The ledger contains all containers, so the index is always complete, even if `firn node` ran without an
    // index on this folder.
    indexAllowIncomplete: true,
    ...Layers.fromFlags(NODE_OPTIONS, options.nodeOption),
  })
  checkNodeConfiguration(configuration)
  return configuration
}

const serveAll = async (
  options: Options,
  indexing: Indexing.Indexing,
  terminal: Terminal,
  endings: Ending[],
  ready: Ready,
): Promise<void> => {
  const { store } = indexing.opened
  const local = LocalAccess.open({ folder: options.dataDir, log: Database.logger(terminal) })
  const configuration = nodeConfiguration(options)
  const display = { write: (line: string) => terminal.note(line.trimEnd()) }
  const loggers = openLoggers({ ...configuration, logDisplayLevel: 'WARN' }, display)
  endings.push(async () => loggers.close())
  const node = await openService({
    configuration,
    local,
    loggers,
    display,
    store,
    checks: [Indexing.check(indexing)],
    registries: () => [indexing.indexer().metrics],
    parts: [{ indexing: async () => Progress.ofNetwork(indexing.indexer()) }],
    isBootstrapped: () => indexing.isCaughtUp(),
    issuer: indexing.issuer,
    connections: indexing.connections,
    ...boundPort(options.httpPort),
  })
  endings.push(() => node.close())
  Indexing.noteProgress(options, node.url, terminal)
  await Indexing.untilCaughtUp(indexing, terminal)
  if (terminal.signal.aborted) return
  const { constants } = node.node.context
  const aggregator = await openAggregator(options, indexing, local, terminal)
  endings.push(() => aggregator.close())
  const aggregatorUrl = aggregator.url
  const chains = await openChains(options, local, terminal, endings)
  const problems = () => [...Indexing.problems(indexing), ...(chains?.problems() ?? [])]
  // The Data API has already applied its rate limit to the callers. The aggregator in the same process sees
  // all of them as a single address, so it must not limit them again.
  const links = [
    { href: `${node.url}/`, title: 'node API' },
    { href: `${aggregatorUrl}/`, title: 'signature aggregator' },
    ...(chains === undefined ? [] : [{ href: `${chains.counted.gateway.url}/`, title: 'RPC gateway' }]),
  ]
  const apis: readonly LandingPage.Api[] = [
    { kind: 'node', url: node.url },
    { kind: 'aggregator', url: aggregatorUrl, network: aggregator.networkName },
    ...(chains === undefined ? [] : [{ kind: 'gateway' as const, url: chains.counted.gateway.url }]),
  ]
  const usage =
    chains?.counted.usage ?? (await UsageDatabase.openMigrated(options, Database.logger(terminal)))
  if (chains === undefined) endings.push(() => usage.close())
  const operated = {
    indexed: () => [...Progress.ofNetwork(indexing.indexer()), ...(chains?.indexed() ?? [])],
    parts: [
      ...[aggregator.operatorParts, node.node.operatorParts],
      ...(chains === undefined ? [] : [chains.counted.gateway.operatorParts]),
    ],
    log: Database.logger(terminal),
  }
  const shown = { problems, links, apis, ...operated }
  const served = { store, local, ...chains?.served, usage, ...shown, aggregatorFetch: aggregator.fetch }
  // If peers are followed, the node API of this process reports their versions and uptimes.
  const upstream = indexing.connections === undefined ? options.upstream : [node.url]
  const service = await Serving.serve(served, { ...options, upstream, port: options.dataPort, aggregatorUrl })
  endings.push(() => service.close())
  terminal.print(`node API         ${node.url}  (/ext/bc/P, /ext/bc/X, /ext/info, /ext/health, /ext/metrics)`)
  terminal.print(`aggregator       ${aggregatorUrl}  (/docs, /health, /metrics)`)
  Serving.print(service, options.networkAlias ?? constants.name, terminal)
  if (chains !== undefined) EvmServices.print(service.url, chains.counted, chains.chains, terminal)
  const gateway = chains?.counted.gateway.url
  if (await ready({ node: node.url, aggregator: aggregatorUrl, dataApi: service.url, gateway })) return
  LocalAccess.announce(local, service.url, terminal)
  terminal.print('Press Ctrl-C to stop')
  const ended = [indexing.ended, ...(chains === undefined ? [] : [chains.ended])]
  await Indexing.stay({ ended: Promise.all(ended).then(() => undefined) }, terminal.signal)
}

/**
 * Opens the signature aggregator. Validator sets come from the ledger, unless the options name node APIs for them.
 * Addresses come from peers, and from the nodes that are followed.
 */
const openAggregator = async (
  options: Options,
  indexing: Indexing.Indexing,
  local: LocalAccess.LocalAccess | undefined,
  { signal }: Terminal,
): Promise<AggregatorService> => {
  const configuration = createConfiguration({
    host: options.host,
    logLevel: 'error',
    infoApi: options.upstream,
    successStatus: options.aggregateStatus,
    networkAlias: options.networkAlias,
    ...(options.rateLimits ? {} : { rateLimitPerMinute: 0 }),
    ...pick({ ...Common.PROXIES, ...Common.CONNECTIONS, ...Common.CONNECTION_TIMES }, options),
    ...Layers.fromFlags(AGGREGATOR_OPTIONS, options.aggregatorOption),
  })
  const { networkId } = indexing.opened.rules.genesis
  const isOwn = configuration.pChainApi.length === 0
  const { beacons } = await NetworkPeers.load(networkId, options)
  const ledger = isOwn ? OwnLedger.create(indexing, beacons) : undefined
  return createAggregatorService(configuration, {
    signal,
    ledger,
    local,
    ...boundPort(options.aggregatorPort),
  })
}

/**
 * Opens the EVM chains, with indexing and a gateway to their nodes. Returns undefined if the options contain
 * no chain.
 */
const openChains = async (
  options: Options,
  local: LocalAccess.LocalAccess | undefined,
  terminal: Terminal,
  endings: Ending[],
) => {
  if (options.chain === undefined) return undefined
  const log = Database.logger(terminal)
  const chains = await Chains.resolve(
    options.chain,
    await EvmServing.readChains(options.metadata),
    () => ChainStores.list(options),
    terminal.signal,
  )
  const indexing = await EvmIndexing.start(options, chains, log, terminal.signal)
  endings.push(() => indexing.close())
  // The Data API listens on the socket of this process.
  const gateway = { ...options, local, operatorSocket: undefined }
  const counted = await Counted.openGateway(gateway, chains, EvmIndexing.storesOf(indexing), log)
  endings.push(() => counted.close())
  const registries = [indexing.indexer.metrics]
  const served = { chains: indexing.chains, usage: counted.usage, registries }
  const indexed = () => Progress.ofChains(indexing.indexer.status())
  return { chains, counted, served, indexed, problems: indexing.problems, ended: indexing.ended }
}

/**
 * Runs indexer, node API, Data API and signature aggregator on one store, and EVM chains with a gateway,
 * until a signal arrives. If no node of the Primary Network is given, only the chains are served.
 */
export const up = (options: Options, terminal: Terminal): Promise<void> => {
  const { chain } = options
  if (!Sources.hasSource(options) && chain !== undefined) {
    return Ports.during(options, CHAIN_PORTS, (bound) =>
      EvmServing.run({ ...bound, chain, port: bound.dataPort }, terminal),
    )
  }
  if (chain === undefined) return Ports.during(options, PORTS, (bound) => run(bound, terminal))
  return Ports.during(options, ALL_PORTS, (bound) => run(bound, terminal))
}

/** The ports of the services for EVM chains, with their flags. */
const CHAIN_PORTS = {
  dataPort: '--data-port',
  metricsPort: '--metrics-port',
  gatewayPort: '--gateway-port',
} as const
/** The ports of the services for the Primary Network, with their flags. */
const PORTS = {
  dataPort: '--data-port',
  metricsPort: '--metrics-port',
  httpPort: '--http-port',
  aggregatorPort: '--aggregator-port',
} as const

/** The ports of all services, with their flags. */
export const ALL_PORTS = { ...PORTS, ...CHAIN_PORTS } as const

const boundPort = (port: BoundPort.Port) => (typeof port === 'number' ? {} : { port })

/** Like {@link up} for the Primary Network, but also accepts ports that the caller has already bound. */
export const run = async (
  options: Options,
  terminal: Terminal,
  ready: Ready = async () => false,
): Promise<void> => {
  const { from, upstream } = options
  const given = Sources.create(from, upstream, Database.logger(terminal))
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, terminal.signal])
  const opened = await Database.open(options, from, terminal)
  const log = Database.logger(terminal)
  const sources = given.length > 0 ? given : [await Sources.peers(options, opened, options, log)]
  const indexing = Indexing.start(opened, sources, log, signal, IndexingOptions.toIndexer(options))
  const endings: Ending[] = []
  try {
    await Indexing.untilStored(indexing, signal)
    await serveAll(options, indexing, terminal, endings, ready)
  } finally {
    for (const end of endings.toReversed()) await end()
    stop.abort()
    await indexing.ended.catch(() => undefined)
    await opened.store.close()
  }
}
