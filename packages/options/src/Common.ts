import { group, option, removed, withEnvironment } from './Option.ts'
import * as Type from './Type.ts'

const TRUSTED = Type.list({
  ...Type.text,
  placeholder: 'cidr',
  expected: 'an address or a network such as 10.0.0.0/8',
})

/** Options for the proxies that are trusted to report a caller's address. */
export const PROXIES = group('Proxies', {
  proxies: option(Type.integer(0, 999, 'count'), {
    default: 0,
    help: 'Number of proxies that every request passes. The caller’s address is the one that the outermost proxy wrote into X-Forwarded-For.',
  }),
  trustedProxies: option(TRUSTED, {
    default: [] as readonly string[],
    help: 'Addresses and networks of the proxies, such as 10.0.0.0/8, as an alternative to --proxies.',
  }),
  trustProxy: removed(
    Type.flag,
    '--trust-proxy was removed, because callers could forge their address with it. Use --proxies <count> or --trusted-proxies <cidr,…>.',
  ),
})

/** Options that limit the connections of a server. Every service has them. */
export const CONNECTIONS = group('Limits', {
  maxConnections: option(Type.count, {
    default: 8_192,
    help: 'Maximum number of open connections of a port, including WebSockets and event streams; at most three quarters of the file descriptors that the process does not need otherwise.',
  }),
  maxConnectionsPerAddress: option(Type.count, {
    default: 512,
    help: 'Maximum number of open connections from one address or IPv6 /64; a /48 may have 16 times as many. No address or network may have more than half of --max-connections. Connections of trusted proxies count only in total.',
  }),
})

/** Options for the times of a server's connections, for services whose own options do not have them. */
export const CONNECTION_TIMES = group('Limits', {
  readTimeout: option(Type.duration({ leastMs: 1_000 }), {
    default: 60_000,
    help: 'Maximum time for a request to arrive completely, including its body.',
  }),
  keepAliveTimeout: option(Type.duration({ leastMs: 1_000 }), {
    default: 75_000,
    help: 'Time for which a connection stays open without a request. It should be longer than the load balancer’s time.',
  }),
})

/** Option for the Unix socket of operators. */
export const OPERATORS = group('Operators', {
  operatorSocket: option(Type.path, {
    help: 'Path of a Unix socket that only the user of this process can use. Its callers are operators.',
  }),
})

/** Levels of log lines, from the least to the most severe. */
export const LEVELS = ['verbo', 'trace', 'debug', 'info', 'warn', 'error', 'fatal', 'off'] as const

/** A level of {@link LEVELS}. */
export type Level = (typeof LEVELS)[number]

/** Options for the log of slow requests and statements, and for traces. */
export const DIAGNOSTICS = {
  ...group('Logging', {
    slowThreshold: option(Type.duration({ bare: 'ms' }), {
      default: 0,
      help: 'Time from which requests and SQL statements are logged as slow, such as 500ms; 0 logs none.',
    }),
  }),
  ...group('Traces', {
    otlpEndpoint: option(Type.url('http', 'https'), {
      environment: ['OTEL_EXPORTER_OTLP_ENDPOINT'],
      help: 'Base URL of a collector for OpenTelemetry traces, such as http://127.0.0.1:4318. Without it, nothing is traced. Other settings are the standard variables, such as OTEL_TRACES_SAMPLER.',
    }),
  }),
}

/** Options for logging. */
export const LOG = group('Logging', {
  logLevel: option(Type.choice(...LEVELS), { default: 'info', help: 'Minimum level of log lines to write.' }),
})

/**
 * Option for the log level of commands that show progress at a terminal. Log lines below warnings would
 * disturb the display there.
 */
export const LOG_LEVEL = group('Logging', {
  logLevel: option(Type.choice(...LEVELS), {
    defaultText: 'info; warn at a terminal',
    help: 'Minimum level of log lines to write.',
  }),
})

const HTTP_URLS = Type.list(Type.url('http', 'https'))

/** Option for the folder of the embedded database. */
export const DATA_DIR = withEnvironment('AVAGO_', {
  dataDir: option(Type.path, {
    default: '$HOME/.firn',
    help: 'Folder for all stored data, such as the embedded database.',
    environment: ['FIRN_DATA_DIR'],
  }),
})

/** Options that choose the database. */
export const DATABASE = group('Database', {
  databaseUrl: option(Type.text, {
    isSecret: true,
    environment: ['FIRN_DATABASE_URL'],
    help: 'URL of PostgreSQL, such as postgres://user@host/name. Without it, an embedded database in --data-dir is used.',
  }),
  ...DATA_DIR,
})

/** Options that choose the database of a network and its schema. */
export const NETWORK_DATABASE = {
  ...DATABASE,
  ...group('Database', {
    schema: option(Type.text, {
      defaultText: 'primary_<network id>',
      help: "Database schema that contains the network's tables.",
    }),
  }),
}

/** Option for the network of a database or a node. */
export const NETWORK_ID = group(
  'Network',
  withEnvironment('AVAGO_', {
    networkId: option(Type.network, {
      aliases: ['network'],
      defaultText: 'the network of the database, the archive or the upstream',
      help: 'mainnet, fuji, local, network-<id> or an id.',
    }),
  }),
)

/** Options for a network, including the genesis and upgrades of a custom network. */
export const NETWORK = {
  ...NETWORK_ID,
  ...group(
    'Network',
    withEnvironment('AVAGO_', {
      genesisFile: option(Type.path, {
        help: 'Genesis of a custom network: a file or URL with the JSON that the node reads.',
      }),
      genesisFileContent: option(Type.base64, { help: 'Contents of the genesis file in base64.' }),
      upgradeFile: option(Type.path, {
        help: 'Upgrade times of a custom network: a file or URL with the JSON that the node reads. By default, they are read from --upstream. They must be equal if both have them.',
      }),
      upgradeFileContent: option(Type.base64, { help: 'Contents of the upgrade file in base64.' }),
    }),
  ),
}

/** Option for a further name of the network in requests. */
export const NETWORK_ALIAS = group('Network', {
  networkAlias: option(Type.text, {
    help: 'Additional name of the network in paths, which answers contain instead of its own name.',
  }),
})

const nAVAX = { ...Type.big, placeholder: 'nAVAX' }
const STAKE_PERIOD = Type.duration({ mostMs: 100 * 365 * 86_400_000 })
const OF_LOCAL = { defaultText: 'as on the local network' }

/**
 * Options for the staking rules of a custom network, with the names of avalanchego. Mainnet and Fuji have fixed rules.
 * Transactions are checked by them before they are issued.
 */
export const STAKING = group(
  'Staking on custom networks',
  withEnvironment('AVAGO_', {
    minValidatorStake: option(nAVAX, { ...OF_LOCAL, help: 'Minimum stake of a validator.' }),
    maxValidatorStake: option(nAVAX, {
      ...OF_LOCAL,
      help: 'Maximum stake of a validator, including its delegations.',
    }),
    minDelegatorStake: option(nAVAX, { ...OF_LOCAL, help: 'Minimum stake of a delegator.' }),
    minDelegationFee: option(Type.integer(0, 1_000_000, 'millionths'), {
      ...OF_LOCAL,
      help: 'Minimum delegation fee of a validator.',
    }),
    minStakeDuration: option(STAKE_PERIOD, { ...OF_LOCAL, help: 'Minimum staking period.' }),
    maxStakeDuration: option(STAKE_PERIOD, { ...OF_LOCAL, help: 'Maximum staking period.' }),
    heliconMinStakeDuration: option(STAKE_PERIOD, {
      ...OF_LOCAL,
      help: 'Minimum staking period of validators since Helicon.',
    }),
  }),
)

/** Options for the nodes of a network that are asked first, with the names that avalanchego uses. */
export const BOOTSTRAP = group(
  'Peers',
  withEnvironment('AVAGO_', {
    bootstrapIps: option(Type.list(Type.text), {
      default: [] as readonly string[],
      defaultText: 'the published ones of mainnet and fuji',
      help: 'Peers to connect to first, as address:port. Without --from and --upstream, the blocks come from peers.',
    }),
    bootstrapIds: option(Type.list(Type.text), {
      default: [] as readonly string[],
      defaultText: 'the published ones of mainnet and fuji',
      help: 'NodeIDs of these peers, in the same order.',
    }),
  }),
)

/**
 * Returns the option for upstream nodes in order of preference.
 *
 * @example
 * ```ts
 * import { Common } from '@firn/options'
 *
 * const options = Common.upstream('URLs of the nodes to read from.')
 * options.upstream.default // []
 * ```
 */
export const upstream = (help: string) =>
  group('Upstream', { upstream: option(HTTP_URLS, { default: [], help }) })

/**
 * Option for the interval at which a node is polled for new blocks. If it is undefined, the indexer's default
 * is used.
 */
export const POLL_INTERVAL = group('Upstream', {
  pollInterval: option(Type.duration({ bare: 'ms', leastMs: 1 }), {
    defaultText: '500ms; 250ms for EVM chains',
    help: 'Time between two requests for new blocks.',
  }),
})

/** Option to limit the rate of callers. */
export const RATE_LIMITS = group('Limits', {
  rateLimits: option(Type.flag, {
    default: true,
    help: 'Limit the rate of callers.',
    negatedHelp: 'Serve without rate limits.',
  }),
})

/** Option for an archive to read. */
export const FROM = group('Upstream', {
  from: option(Type.path, { help: 'Archive of containers to read first, written by firn archive.' }),
})
