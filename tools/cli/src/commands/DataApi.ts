import { createDataApi, type DataApiService, type ServiceOptions as Service } from '@firn/data-api'
import { Counted } from '@firn/gateway'
import { SlowLog, TrustedProxies } from '@firn/http'
import {
  Command,
  Common,
  group,
  limitHeapGrowth,
  option,
  type Terminal,
  Type,
  type Values,
} from '@firn/options'
import { CliError } from '../CliError.ts'
import * as Ports from '../Ports.ts'
import * as Database from './Database.ts'
import * as Chains from './evm/Chains.ts'
import * as Indexing from './Indexing.ts'
import * as IndexingOptions from './IndexingOptions.ts'
import * as ServiceOptions from './ServiceOptions.ts'

const OPTIONS = {
  ...Database.OPTIONS,
  ...Common.NETWORK,
  ...Common.FROM,
  ...Common.upstream('Nodes to follow, in order of preference.'),
  ...IndexingOptions.OPTIONS,
  ...group('EVM chains', {
    chain: option(Chains.STORED, {
      help: 'Id of a stored EVM chain to serve instead of the Primary Network, without indexing: also from a standby server. Write <id>=<url> to add nodes for native balances. Repeat the option for more chains.',
    }),
  }),
  ...group('HTTP', {
    port: option(Type.port, { default: 8700, help: 'Port of the REST API; 0 picks a free one.' }),
    aggregatorUrl: option(Type.url('http', 'https'), {
      help: 'URL of the signature aggregator to which requests are forwarded.',
    }),
  }),
  ...ServiceOptions.OPTIONS,
  ...Common.LOG_LEVEL,
  ...Common.SLOW_LOG,
}

/** Options of `firn data-api`. */
export type Options = Ports.MaybeBound<Values<typeof OPTIONS>, 'port' | 'metricsPort'>

/** Settings of the Data API. */
export type Serving = Ports.MaybeBound<
  Values<typeof ServiceOptions.OPTIONS> & { readonly port: number },
  'port' | 'metricsPort'
> & {
  readonly aggregatorUrl?: string | undefined
  /** Nodes that observe the uptime of validators. */
  readonly upstream?: readonly string[]
}

export const COMMAND = Command.create({
  description:
    'Serves indexed data over REST. The data comes from an archive, from a node that it follows, or from a database that another process fills, with --chain that of EVM chains.',
  example: '--upstream http://127.0.0.1:9650',
  options: OPTIONS,
  isService: true,
  check: (options) => {
    TrustedProxies.create(options)
    const { chain, from, upstream } = options
    if (chain !== undefined && (from !== undefined || upstream.length > 0))
      throw new CliError(
        'CLI_USAGE',
        '--chain serves stored EVM chains; use firn evm or firn up to index as well',
      )
  },
  run: (options, { terminal }) =>
    SlowLog.during(options, Database.logger(terminal), () => dataApi(options, terminal)),
})

const VERSION = '0.1.0'

/** In percent. Answers are short-lived, so V8 would let the heap grow to a multiple of what is in use. */
const HEAP_GROWTH = 100

/** Data that the Data API serves: a network, EVM chains, and the gateways' usage counts. */
export type Served = Pick<
  Service,
  'store' | 'chains' | 'usage' | 'problems' | 'registries' | 'links' | 'apis' | 'aggregatorFetch'
>

/** Starts the Data API. */
export const serve = (served: Served, options: Serving): Promise<DataApiService> => {
  limitHeapGrowth(HEAP_GROWTH)
  return createDataApi({
    ...served,
    host: options.host,
    port: options.port,
    prefix: options.prefix,
    metrics:
      options.metricsPort === undefined
        ? undefined
        : { port: options.metricsPort, prefix: options.metricsPrefix ?? options.prefix },
    alias: options.networkAlias,
    limits: options.rateLimits
      ? {
          anonymous: {
            unitsPerMinute: options.anonymousUnitsPerMinute,
            unitsPerDay: options.anonymousUnitsPerDay,
            rowsPerSecond: options.anonymousRowsPerSecond,
            concurrent: options.anonymousConcurrency,
          },
          keyed: {
            unitsPerMinute: options.keyUnitsPerMinute,
            unitsPerDay: options.keyUnitsPerDay,
            rowsPerSecond: options.keyRowsPerSecond,
            concurrent: options.keyConcurrency,
          },
        }
      : undefined,
    redisUrl: options.redisUrl,
    aggregatorUrl: options.aggregatorUrl,
    aggregateStatus:
      options.aggregateStatus === 'auto' ? 'auto' : options.aggregateStatus === '201' ? 201 : 200,
    upstreams: options.upstream,
    metadataFile: options.metadata,
    timeoutMs: options.requestTimeout,
    answerCacheBytes: options.answerCacheBytes,
    proxies: options.proxies,
    trustedProxies: options.trustedProxies,
    version: VERSION,
  })
}

/** Prints the URL of the Data API and an example request. */
export const print = ({ url }: DataApiService, name: string, terminal: Terminal): void => {
  terminal.print(`Data API         ${url}  (/docs, /openapi.json, /health, /metrics)`)
  terminal.print(`try              curl -s '${url}/v1/networks/${name}/subnets'`)
  terminal.print(
    `                 curl -s '${url}/v1/networks/${name}/blockchains/p-chain/transactions?pageSize=2'`,
  )
}

/**
 * Opens the usage counts of the gateways if the database is shared. An embedded database can only be opened
 * by one process, so it has none.
 */
const sharedUsage = async (options: Options, terminal: Terminal) =>
  options.databaseUrl === undefined ? undefined : Counted.openUsage(options, Database.logger(terminal))

/**
 * Serves the Data API with data from an archive, from a node that it indexes, or from a database that another
 * process fills.
 */
export const dataApi = (options: Options, terminal: Terminal): Promise<void> =>
  Ports.during(options, { port: '--port', metricsPort: '--metrics-port' }, (bound) => run(bound, terminal))

const run = async (options: Options, terminal: Terminal): Promise<void> => {
  const { from, upstream, chain } = options
  if (chain !== undefined)
    return (await import('./evm/StoredServing.ts')).run({ ...options, chain }, terminal)
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, terminal.signal])
  const sources = Indexing.sources(from, upstream)
  const opened = await Database.open(options, from, terminal)
  const usage = await sharedUsage(options, terminal)
  const indexing =
    sources.length === 0
      ? undefined
      : Indexing.start(opened, sources, Database.logger(terminal), signal, IndexingOptions.toIndexer(options))
  try {
    if (indexing !== undefined) await Indexing.untilStored(indexing, signal)
    const network = await opened.store.network()
    if (network === undefined) {
      throw new CliError(
        'CLI_INPUT',
        'The database is empty. Pass --from or --upstream, or run firn index first.',
      )
    }
    const problems = () => indexing?.indexer().status().problems ?? []
    const service = await serve({ store: opened.store, usage, problems }, options)
    try {
      if (indexing !== undefined) await Indexing.untilCaughtUp(indexing, terminal)
      if (terminal.signal.aborted) return
      print(service, options.networkAlias ?? network.constants.name, terminal)
      terminal.print('Press Ctrl-C to stop')
      await Indexing.stay(indexing, terminal.signal)
    } finally {
      await service.close()
    }
  } finally {
    stop.abort()
    await indexing?.ended.catch(() => undefined)
    await usage?.close()
    await opened.store.close()
  }
}
