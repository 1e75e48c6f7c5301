import { TrustedProxies } from '@firn/http'
import { LEVELS, type Level, NodeError } from '@firn/node-api'
import { Common, group, Layers, option, Type, type Values, withEnvironment } from '@firn/options'

/** As Go writes it; a bare number in the file is nanoseconds, as the node reads it. */
const DURATION = Type.duration({ bareJson: 'ns' })
const LIST = Type.list(Type.text)
const words = (...initial: readonly string[]): readonly string[] => initial
const folder = (fallback: string, help: string) => option(Type.path, { default: fallback, help })
const file = (help: string, fallback = '') => option(Type.path, { default: fallback, help })
const content = () => option(Type.base64, { default: '', help: 'The same in base64.' })
const time = (fallback: number, help: string) => option(DURATION, { default: fallback, help })
const flag = (fallback: boolean, help: string) => option(Type.flag, { default: fallback, help })
const text = (fallback: string, help: string) => option(Type.text, { default: fallback, help })

const LEVEL: Type.Type<Level> = {
  ...Type.choice(...LEVELS),
  expected: `one of ${LEVELS.join(', ').toLowerCase()}`,
  format: (level) => level.toLowerCase(),
}

/** Options that nodes have too, with their names and defaults; but for the data folder: a replica must never find a validator's keys by itself. */
const OF_NODES = withEnvironment('AVAGO_', {
  ...group('Database', { dbDir: folder('$DATA_DIR/db', 'Folder of the embedded database.') }),
  ...group('HTTP', {
    httpHost: option(Type.host, { default: '127.0.0.1', help: 'Address to listen on; empty means all.' }),
    httpPort: option(Type.port, { default: 8701, help: 'Port of the node API; 0 picks a free one.' }),
    httpTlsEnabled: flag(false, 'Serve HTTPS.'),
    httpTlsKeyFile: file('PEM file with the key for HTTPS.'),
    httpTlsKeyFileContent: content(),
    httpTlsCertFile: file('PEM file with the certificate for HTTPS.'),
    httpTlsCertFileContent: content(),
    httpAllowedOrigins: option(Type.list(Type.text, /\s+/), {
      default: words('*'),
      help: 'Origins that browsers may call from, separated by spaces; * means all.',
    }),
    httpAllowedHosts: option(LIST, {
      default: words('localhost'),
      help: 'Values of the header Host that are served, beside IP addresses; * means all.',
    }),
    httpReadTimeout: time(30_000, 'Longest time for a request to arrive.'),
    httpReadHeaderTimeout: time(30_000, 'Longest time for the header of a request to arrive.'),
    httpWriteTimeout: time(30_000, 'Longest time for an answer to be sent.'),
    httpIdleTimeout: time(120_000, 'Longest time that a connection stays open without a request.'),
    httpShutdownTimeout: time(10_000, 'Time that requests in progress get to finish at a stop.'),
    httpShutdownWait: time(0, 'Time between the signal and the stop; health reports shuttingDown meanwhile.'),
  }),
  ...group('APIs', {
    apiAdminEnabled: flag(false, 'Serve /ext/admin, to callers from this machine.'),
    apiInfoEnabled: flag(true, 'Serve /ext/info.'),
    apiHealthEnabled: flag(true, 'Serve /ext/health.'),
    apiMetricsEnabled: flag(true, 'Serve /ext/metrics.'),
    indexEnabled: flag(false, 'Serve /ext/index.'),
    indexAllowIncomplete: flag(false, 'Allow an index that lacks containers, or to make it so.'),
    healthCheckFrequency: time(30_000, 'Time between two rounds of health checks.'),
    chainAliasesFile: file('Further names of chains, JSON: chain id to list of names.'),
    chainAliasesFileContent: content(),
    vmAliasesFile: file('Further names of VMs, JSON: VM id to list of names.'),
    vmAliasesFileContent: content(),
    trackSubnets: option(LIST, {
      default: words(),
      help: 'Subnets (cb58) whose chains the upstream runs; requests for these chains are passed on.',
    }),
  }),
  ...group('Peers', {
    publicIp: text('', 'Address that peers are asked to dial.'),
    stakingHost: option(Type.host, {
      default: '',
      help: 'Address to listen on for peers; empty means all.',
    }),
    stakingPort: option(Type.port, { default: 9651, help: 'Port for peers.' }),
    stakingTlsKeyFile: file('PEM file with the key of the NodeID.', '$DATA_DIR/staking/staker.key'),
    stakingTlsKeyFileContent: { ...content(), isSecret: true },
    stakingTlsCertFile: file('PEM file with the certificate of the NodeID.', '$DATA_DIR/staking/staker.crt'),
    stakingTlsCertFileContent: content(),
    stakingSignerKeyFile: file('File with the BLS key, 32 bytes.', '$DATA_DIR/staking/signer.key'),
    stakingSignerKeyFileContent: { ...content(), isSecret: true },
    stakingEphemeralCertEnabled: flag(false, 'Use a new NodeID and BLS key, which are not stored.'),
    bootstrapIps: option(LIST, { default: words(), help: 'Peers to connect to, as address:port.' }),
    bootstrapIds: option(LIST, { default: words(), help: 'Their NodeIDs, in the same order.' }),
  }),
  ...group('Files', {
    logDir: folder('$DATA_DIR/logs', 'Folder of log files, one per chain.'),
    profileDir: folder('$DATA_DIR/profiles', 'Folder of cpu.profile, mem.profile and lock.profile.'),
    pluginDir: folder('$DATA_DIR/plugins', 'Folder of VM plugins.'),
  }),
  ...group('Logging', {
    logLevel: option(LEVEL, { default: 'INFO', help: 'Least severe line in log files.' }),
    logDisplayLevel: option(LEVEL, {
      defaultText: 'as --log-level',
      help: 'Least severe line on standard output.',
    }),
    logFormat: option(Type.choice('auto', 'plain', 'colors', 'json'), {
      default: 'json',
      help: 'Accepted for the scripts of nodes: log files are always JSON.',
    }),
  }),
})

/** Options that only Firn has. */
const OWN = {
  ...Common.upstream(
    'Node API to follow, and to ask what the ledger does not hold; several in order of preference.',
  ),
  ...Common.POLL_INTERVAL,
  ...group('Upstream', {
    readOnly: flag(false, 'Serve what another process indexes: the upstream is asked, but not followed.'),
    upstreamTimeout: time(10_000, 'Longest time of one call of an upstream.'),
  }),
  ...group('HTTP', {
    answerCacheBytes: option(Type.bytes, {
      default: 134_217_728,
      help: 'Memory for answers that can be repeated; 0 keeps none.',
    }),
  }),
  ...group('APIs', {
    apiAdminAllowRemote: flag(false, 'Serve /ext/admin to callers from anywhere.'),
    healthMaxLag: time(0, 'Longest time that the last block may be older than the clock; 0 means any.'),
  }),
  ...group('Peers', {
    networkPeersEnabled: flag(false, 'Connect to the peers of the network, to report on them.'),
  }),
  ...Common.PROXIES,
}

/**
 * Every option of the node API. Flags (`--http-port`), variables (`FIRN_HTTP_PORT`, `AVAGO_HTTP_PORT`), keys of the JSON file
 * (`http-port`), `--help` and the table in `docs/configuration.md` are derived.
 */
export const OPTIONS = { ...Common.DATABASE, ...Common.NETWORK, ...Common.FROM, ...OWN, ...OF_NODES }

/** The value of every option; durations are in milliseconds. */
export type Configuration = Values<typeof OPTIONS>

/** Rejects options that do not go together. */
export function check(configuration: Configuration): void {
  TrustedProxies.create(configuration)
}

/** Returns a whole configuration from some options; the others take their defaults. `$HOME` and other variables in paths are replaced. */
export function createConfiguration(
  given: Partial<Configuration> = {},
  environment: Layers.Environment = {},
): Configuration {
  return Layers.complete(OPTIONS, given, environment)
}

/** The error for a configuration that cannot be used, with the error that caused it. */
export function wrong(message: string, cause?: unknown): NodeError {
  return new NodeError('NODE_CONFIGURATION', message, { cause })
}
