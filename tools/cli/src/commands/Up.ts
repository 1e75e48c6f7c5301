import { readFileSync } from 'node:fs'
import { OPTIONS as AGGREGATOR_OPTIONS, createAggregatorService, createConfiguration } from '@firn/aggregator'
import type { BoundPort } from '@firn/http'
import { type Configuration, Layers, openLoggers, openService } from '@firn/node'
import { Layers as OptionLayers } from '@firn/options'
import { CliError } from '../CliError.ts'
import * as Ports from '../Ports.ts'
import type { Terminal } from '../Terminal.ts'
import * as DataApi from './DataApi.ts'
import * as Database from './Database.ts'
import * as Chains from './evm/Chains.ts'
import * as Evm from './evm/Evm.ts'
import * as EvmIndexing from './evm/EvmIndexing.ts'
import * as EvmServices from './evm/EvmServices.ts'
import type * as GatewayOptions from './GatewayOptions.ts'
import * as Indexing from './Indexing.ts'
import * as IndexingOptions from './IndexingOptions.ts'

/** Options of `firn up`. */
export type Options = Database.Options &
  Omit<DataApi.ServiceOptions, 'port'> &
  GatewayOptions.Options &
  IndexingOptions.Options & {
    readonly nodeOption?: readonly string[]
    readonly aggregatorOption?: readonly string[]
    readonly from?: string
    readonly dataPort: BoundPort.Port
    readonly httpPort: BoundPort.Port
    readonly aggregatorPort: BoundPort.Port
    readonly chain?: readonly Chains.Named[]
    readonly chainDetails?: string
    readonly gatewayPort: BoundPort.Port
    readonly ipfsGateway?: readonly string[]
  }

/** Where the services answer. */
export type Urls = {
  readonly node: string
  readonly aggregator: string
  readonly dataApi: string
  /** Undefined without EVM chains. */
  readonly gateway: string | undefined
}

/** Called when all services answer; resolves to whether to stop then. */
export type Ready = (urls: Urls) => Promise<boolean>

/** What was started ends in the opposite order. */
type Ending = () => Promise<void>

/** Returns the node API's configuration, by the flags that it knows. */
const nodeConfiguration = (options: Options): Configuration => {
  const { host, dataDir, upstream = [] } = options
  const argv = [
    ...['--http-host', host, '--data-dir', dataDir, '--index-enabled=true'],
    ...upstream.flatMap((url) => ['--upstream', url]),
    // Whether `firn node` once ran without an index on this folder does not matter: the ledger has all containers.
    '--index-allow-incomplete=true',
    ...(options.proxies === undefined ? [] : ['--proxies', String(options.proxies)]),
    ...(options.trustedProxies ?? []).flatMap((network) => ['--trusted-proxies', network]),
    ...(options.nodeOption ?? []).map((option) => `--${option}`),
  ]
  const readFile = (path: string) => readFileSync(path, 'utf8')
  const wish = Layers.resolve({ argv, environment: {}, readFile })
  if (wish.kind === 'run') return wish.configuration
  throw new CliError('CLI_INPUT', `expected flags of the node API, got ${argv.join(' ')}`)
}

const serveAll = async (
  options: Options,
  indexing: Indexing.Indexing,
  terminal: Terminal,
  endings: Ending[],
  ready: Ready,
): Promise<void> => {
  const { store } = indexing.opened
  const configuration = nodeConfiguration(options)
  const display = { write: (line: string) => terminal.note(line.trimEnd()) }
  const loggers = openLoggers({ ...configuration, logDisplayLevel: 'WARN' }, display)
  endings.push(async () => loggers.close())
  const node = await openService({
    configuration,
    loggers,
    display,
    store,
    checks: [Indexing.check(indexing)],
    registries: () => [indexing.indexer().metrics],
    isBootstrapped: () => indexing.isCaughtUp(),
    ...boundPort(options.httpPort),
  })
  endings.push(() => node.close())
  await Indexing.untilCaughtUp(indexing, terminal)
  if (terminal.signal.aborted) return
  const { constants } = node.node.context
  const aggregator = await createAggregatorService(
    createConfiguration({
      host: options.host,
      logLevel: 'error',
      pChainApi: node.url,
      // While no node of the network answers, ours tells the network, and the peers that it has.
      infoApi: [...(options.upstream ?? []), node.url],
      successStatus: options.aggregateStatus,
      ...(options.rateLimits ? {} : { rateLimitPerMinute: 0 }),
      proxies: options.proxies ?? 0,
      trustedProxies: [...(options.trustedProxies ?? [])],
      ...OptionLayers.fromFlags(
        AGGREGATOR_OPTIONS,
        (options.aggregatorOption ?? []).map((option) => `--${option}`),
      ),
    }),
    { signal: terminal.signal, ...boundPort(options.aggregatorPort) },
  )
  endings.push(() => aggregator.close())
  const aggregatorUrl = aggregator.url
  const chains = await openChains(options, terminal, endings)
  const problems = () => [...indexing.indexer().status().problems, ...(chains?.problems() ?? [])]
  // The Data API has counted its callers: in the same process they are not counted as one more address.
  const links = [
    { href: `${node.url}/`, title: 'node API' },
    { href: `${aggregatorUrl}/`, title: 'signature aggregator' },
    ...(chains === undefined ? [] : [{ href: `${chains.counted.gateway.url}/`, title: 'RPC gateway' }]),
  ]
  const served = { store, ...chains?.served, problems, links, aggregatorFetch: aggregator.fetch }
  const service = await DataApi.serve(served, { ...options, port: options.dataPort, aggregatorUrl })
  endings.push(() => service.close())
  terminal.print(`node API         ${node.url}  (/ext/bc/P, /ext/bc/X, /ext/info, /ext/health, /ext/metrics)`)
  terminal.print(`aggregator       ${aggregatorUrl}  (/docs, /health, /metrics)`)
  DataApi.print(service, options.networkAlias ?? constants.name, terminal)
  if (chains !== undefined) EvmServices.print(service.url, chains.counted, chains.chains, terminal)
  const gateway = chains?.counted.gateway.url
  if (await ready({ node: node.url, aggregator: aggregatorUrl, dataApi: service.url, gateway })) return
  terminal.print('Press Ctrl-C to stop')
  const ended = [indexing.ended, ...(chains === undefined ? [] : [chains.ended])]
  await Indexing.stay({ ended: Promise.all(ended).then(() => undefined) }, terminal.signal)
}

/** The EVM chains, followed, with a gateway in front of their nodes; undefined where none is named. */
const openChains = async (options: Options, terminal: Terminal, endings: Ending[]) => {
  if (options.chain === undefined) return undefined
  const log = Database.logger(terminal)
  const chains = await Chains.resolve(
    options.chain,
    options.chainDetails,
    () => EvmIndexing.storedChains(options),
    terminal.signal,
  )
  const indexing = await EvmIndexing.start(options, chains, log, terminal.signal)
  endings.push(() => indexing.close())
  const counted = await EvmServices.openGateway(options, chains, log)
  endings.push(() => counted.close())
  const registries = [indexing.indexer.metrics]
  const served = { chains: indexing.served, usage: counted.usage, registries }
  return { chains, counted, served, problems: indexing.problems, ended: indexing.ended }
}

/**
 * Runs indexer, node API, Data API and signature aggregator on one store, and EVM chains with a gateway, until a signal. Without a
 * node of the Primary Network only the chains are served.
 */
export const up = (options: Options, terminal: Terminal): Promise<void> => {
  const { from, upstream, chain } = options
  if (from === undefined && upstream === undefined) {
    if (chain === undefined)
      throw new CliError('CLI_INPUT', 'Nothing to serve. Pass --from, --upstream or --chain.')
    return Ports.during(options, CHAIN_PORTS, (bound) =>
      Evm.run({ ...bound, chain, port: bound.dataPort }, terminal),
    )
  }
  if (chain === undefined) return Ports.during(options, PORTS, (bound) => run(bound, terminal))
  return Ports.during(options, ALL_PORTS, (bound) => run(bound, terminal))
}

/** The ports of the services over EVM chains, and their flags. */
const CHAIN_PORTS = {
  dataPort: '--data-port',
  metricsPort: '--metrics-port',
  gatewayPort: '--gateway-port',
} as const
/** The ports of the services over the Primary Network. */
const PORTS = {
  dataPort: '--data-port',
  metricsPort: '--metrics-port',
  httpPort: '--http-port',
  aggregatorPort: '--aggregator-port',
} as const

/** The ports of all services, and their flags. */
export const ALL_PORTS = { ...PORTS, ...CHAIN_PORTS } as const

const boundPort = (port: BoundPort.Port) => (typeof port === 'number' ? {} : { port })

/** The same over the Primary Network, on ports that may be bound already. */
export const run = async (
  options: Options,
  terminal: Terminal,
  ready: Ready = async () => false,
): Promise<void> => {
  const { from, upstream = [] } = options
  const sources = Indexing.sources(from, upstream)
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, terminal.signal])
  const opened = await Database.open(options, from, terminal)
  const indexing = Indexing.start(
    opened,
    sources,
    Database.logger(terminal),
    signal,
    IndexingOptions.toIndexer(options),
  )
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
