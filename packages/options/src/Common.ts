import { group, option, removed, withEnvironment } from './Option.ts'
import * as Type from './Type.ts'

const TRUSTED = Type.list({
  ...Type.text,
  placeholder: 'cidr',
  expected: 'an address or a network such as 10.0.0.0/8',
})

/** Options for the proxies that may report a caller's address. */
export const PROXIES = group('Proxies', {
  proxies: option(Type.integer(0, 999, 'count'), {
    default: 0,
    help: 'Number of proxies that every request passes; the address that the outermost of them wrote into X-Forwarded-For is the caller’s.',
  }),
  trustedProxies: option(TRUSTED, {
    default: [] as readonly string[],
    help: 'Instead of --proxies: addresses and networks of the proxies, such as 10.0.0.0/8.',
  }),
  trustProxy: removed(
    Type.flag,
    '--trust-proxy was removed: it let callers choose their own address. Use --proxies <count> or --trusted-proxies <cidr,…>.',
  ),
})

/** Levels of log lines, least severe first. */
export const LEVELS = ['verbo', 'trace', 'debug', 'info', 'warn', 'error', 'fatal', 'off'] as const

/** One of {@link LEVELS}. */
export type Level = (typeof LEVELS)[number]

/** Options for logging. */
export const LOG = group('Logging', {
  logLevel: option(Type.choice(...LEVELS), { default: 'info', help: 'Least severe log line to write.' }),
})

/** The same for commands that show progress at a terminal, which any lines but warnings would disturb. */
export const LOG_LEVEL = group('Logging', {
  logLevel: option(Type.choice(...LEVELS), {
    defaultText: 'info; warn at a terminal',
    help: 'Least severe log line to write.',
  }),
})

const HTTP_URLS = Type.list(Type.url('http', 'https'))

/** Folder of the embedded database. */
export const DATA_DIR = withEnvironment('AVAGO_', {
  dataDir: option(Type.path, {
    default: '$HOME/.firn',
    help: 'Folder for everything that is kept, such as the embedded database.',
    environment: ['FIRN_DATA_DIR'],
  }),
})

/** Options that choose the database. */
export const DATABASE = group('Database', {
  databaseUrl: option(Type.text, {
    isSecret: true,
    environment: ['FIRN_DATABASE_URL'],
    help: 'PostgreSQL, as postgres://user@host/name; without it, an embedded database in --data-dir.',
  }),
  ...DATA_DIR,
})

/** The network of a database or a node. */
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

/** A network, with the genesis and upgrades of a custom one. */
export const NETWORK = {
  ...NETWORK_ID,
  ...group(
    'Network',
    withEnvironment('AVAGO_', {
      genesisFile: option(Type.path, {
        help: 'Genesis of a custom network: a file or a URL, JSON as the node reads it.',
      }),
      genesisFileContent: option(Type.base64, { help: 'The same in base64.' }),
      upgradeFile: option(Type.path, {
        help: 'Upgrade times of a custom network: a file or a URL, JSON as the node reads it.',
      }),
      upgradeFileContent: option(Type.base64, { help: 'The same in base64.' }),
    }),
  ),
}

/** Returns the option for nodes in order of preference. */
export const upstream = (help: string) =>
  group('Upstream', { upstream: option(HTTP_URLS, { default: [], help }) })

/** How often a node is polled for new blocks. */
export const POLL_INTERVAL = group('Upstream', {
  pollInterval: option(Type.duration({ bare: 'ms', leastMs: 1 }), {
    default: 500,
    help: 'Time between two requests for new blocks.',
  }),
})

/** An archive to read. */
export const FROM = group('Upstream', {
  from: option(Type.path, { help: 'Archive of containers to read first, as firn archive writes it.' }),
})
