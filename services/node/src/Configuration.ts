import { TrustedProxies } from '@firn/http'
import { LEVELS, type Level, NodeError } from '@firn/node-api'
import { Common, group, Layers, option, Type, type Values, withEnvironment } from '@firn/options'

/** A duration in Go's syntax. In the JSON file, a number without a unit means nanoseconds, as in the node. */
const DURATION = Type.duration({ bareJson: 'ns' })
const LIST = Type.list(Type.text)
const words = (...initial: readonly string[]): readonly string[] => initial
const folder = (fallback: string, help: string) => option(Type.path, { default: fallback, help })
const file = (help: string, fallback = '') => option(Type.path, { default: fallback, help })
const content = () => option(Type.base64, { default: '', help: 'The same file, as base64.' })
const time = (fallback: number, help: string) => option(DURATION, { default: fallback, help })
const flag = (help: string) => option(Type.flag, { default: false, help })
const served = (path: string) =>
  option(Type.flag, { default: true, help: `Serve ${path}.`, negatedHelp: `Do not serve ${path}.` })
const text = (fallback: string, help: string) => option(Type.text, { default: fallback, help })

const LEVEL: Type.Type<Level> = {
  ...Type.choice(...LEVELS),
  expected: `one of ${LEVELS.join(', ').toLowerCase()}`,
  format: (level) => level.toLowerCase(),
}

/**
 * Options that nodes have as well, with the same names. The defaults are the same except for the port of the node
 * API, the log format and the data folder. The data folder differs because a replica must not accidentally use a
 * validator's keys.
 */
const OF_NODES = withEnvironment('AVAGO_', {
  ...group('Database', { dbDir: folder('$DATA_DIR/db', 'Folder of the embedded database.') }),
  ...group('HTTP', {
    httpHost: option(Type.host, {
      default: '127.0.0.1',
      help: 'Address to listen on; empty listens on all addresses.',
    }),
    httpPort: option(Type.port, { default: 8701, help: 'Port of the node API; 0 picks a free port.' }),
    httpTlsEnabled: flag('Serve HTTPS.'),
    httpTlsKeyFile: file('PEM file with the key for HTTPS.'),
    httpTlsKeyFileContent: content(),
    httpTlsCertFile: file('PEM file with the certificate for HTTPS.'),
    httpTlsCertFileContent: content(),
    httpAllowedOrigins: option(Type.list(Type.text, /\s+/), {
      default: words('*'),
      help: 'Origins that browsers may call from, separated by spaces; * allows all.',
    }),
    httpAllowedHosts: option(LIST, {
      default: words('localhost'),
      help: 'Host headers to accept in addition to IP addresses; * accepts all.',
    }),
    httpReadTimeout: time(30_000, 'Maximum time to read a request.'),
    httpReadHeaderTimeout: time(30_000, 'Maximum time to read the header of a request.'),
    httpWriteTimeout: time(30_000, 'Maximum time to write a response.'),
    httpIdleTimeout: time(120_000, 'Maximum time that an idle connection stays open.'),
    httpShutdownTimeout: time(10_000, 'Time that requests in progress get to finish at shutdown.'),
    httpShutdownWait: time(
      0,
      'Delay between the signal and the shutdown; health reports shuttingDown meanwhile.',
    ),
  }),
  ...group('APIs', {
    apiAdminEnabled: flag('Serve /ext/admin to operators.'),
    apiInfoEnabled: served('/ext/info'),
    apiHealthEnabled: served('/ext/health'),
    apiMetricsEnabled: served('/ext/metrics'),
    indexEnabled: flag('Serve /ext/index.'),
    indexAllowIncomplete: flag('Allow an incomplete index, and changes that make the index incomplete.'),
    healthCheckFrequency: time(30_000, 'Time between two rounds of health checks.'),
    chainAliasesFile: file('Additional chain aliases, as JSON: chain id to list of aliases.'),
    chainAliasesFileContent: content(),
    vmAliasesFile: file('Additional VM aliases, as JSON: VM id to list of aliases.'),
    vmAliasesFileContent: content(),
    trackSubnets: option(LIST, {
      default: words(),
      help: 'Subnets (cb58) whose chains the upstream runs; requests for these chains are forwarded.',
    }),
  }),
  ...group('Peers', {
    publicIp: text('', 'Public address that peers should dial.'),
    stakingHost: option(Type.host, {
      default: '',
      help: 'Address to listen on for peers; empty listens on all addresses.',
    }),
    stakingPort: option(Type.port, { default: 9651, help: 'Port to listen on for peers.' }),
    stakingTlsKeyFile: file(
      'PEM file with the staking key, which defines the NodeID.',
      '$DATA_DIR/staking/staker.key',
    ),
    stakingTlsKeyFileContent: { ...content(), isSecret: true },
    stakingTlsCertFile: file(
      'PEM file with the staking certificate, which defines the NodeID.',
      '$DATA_DIR/staking/staker.crt',
    ),
    stakingTlsCertFileContent: content(),
    stakingSignerKeyFile: file('File with the BLS key (32 bytes).', '$DATA_DIR/staking/signer.key'),
    stakingSignerKeyFileContent: { ...content(), isSecret: true },
    stakingEphemeralCertEnabled: flag('Use a new NodeID and BLS key that are not saved.'),
  }),
  ...group('Files', {
    logDir: folder('$DATA_DIR/logs', 'Folder of the log files, one per chain.'),
    profileDir: folder('$DATA_DIR/profiles', 'Folder of cpu.profile, mem.profile and lock.profile.'),
    pluginDir: folder('$DATA_DIR/plugins', 'Folder of VM plugins.'),
  }),
  ...group('Logging', {
    logLevel: option(LEVEL, { default: 'INFO', help: 'Minimum level of lines in log files.' }),
    logDisplayLevel: option(LEVEL, {
      defaultText: 'as --log-level',
      help: 'Minimum level of lines on standard output.',
    }),
    logFormat: option(Type.choice('auto', 'plain', 'colors', 'json'), {
      default: 'json',
      help: 'Accepted for compatibility with node scripts; log files are always JSON.',
    }),
  }),
})

/** Options that exist only in Firn. */
const OWN = {
  ...Common.upstream('Node APIs to follow and to query for data outside the ledger, in order of preference.'),
  ...Common.POLL_INTERVAL,
  ...Common.DIAGNOSTICS,
  ...group('Upstream', {
    readOnly: flag('Serve a database that another process fills; query the upstream, but do not follow it.'),
    upstreamTimeout: time(10_000, 'Maximum time of one call to an upstream.'),
  }),
  ...group('HTTP', {
    answerCacheBytes: option(Type.bytes, {
      default: 134_217_728,
      help: 'Memory for cached responses; 0 disables the cache.',
    }),
  }),
  ...group('APIs', {
    apiAdminAllowRemote: flag('Serve /ext/admin to all callers, as a node does.'),
    healthMaxLag: time(0, 'Maximum age of the last block before health fails; 0 disables the check.'),
  }),
  ...group('Peers', {
    networkPeersEnabled: flag("Connect to the network's peers to measure their uptime."),
  }),
  ...group('Limits', {
    httpUnitsPerSecond: option(Type.count, {
      default: 10_000,
      help: 'Units per second of one address. A request costs 1 unit, or more if it is long or its method reads much.',
    }),
    httpBurstUnits: option(Type.count, {
      default: 100_000,
      help: 'Units that one address may use in a burst.',
    }),
  }),
  ...Common.RATE_LIMITS,
  ...Common.PROXIES,
  ...Common.CONNECTIONS,
  ...Common.OPERATORS,
}

/**
 * All options of the node API. The flags (`--http-port`), environment variables (`FIRN_HTTP_PORT`,
 * `AVAGO_HTTP_PORT`), keys of the JSON file (`http-port`), `--help` and the table in `docs/configuration.md`
 * are derived from this list.
 */
export const OPTIONS = {
  ...Common.DATABASE,
  ...Common.NETWORK,
  ...Common.STAKING,
  ...Common.FROM,
  ...OWN,
  ...OF_NODES,
  ...Common.BOOTSTRAP,
}

/** Values of all options. Durations are in milliseconds. */
export type Configuration = Values<typeof OPTIONS>

/**
 * Throws if options contradict each other.
 * @throws NodeError `NODE_CONFIGURATION`
 */
export function check(configuration: Configuration): void {
  TrustedProxies.create(configuration)
}

/**
 * Returns a full configuration, with defaults for missing options. Expands `$HOME` and other environment
 * variables in paths.
 */
export function createConfiguration(
  given: Partial<Configuration> = {},
  environment: Layers.Environment = {},
): Configuration {
  return Layers.complete(OPTIONS, given, environment)
}

/** Creates the error for an invalid configuration. */
export function wrong(message: string, cause?: unknown): NodeError {
  return new NodeError('NODE_CONFIGURATION', message, { cause })
}
