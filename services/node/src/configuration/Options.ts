import * as Option from './Option.ts'

const { choice, count, duration, flag, level, list, network, own, text, urls, words } = Option

const port = (fallback: number, description: string) => count(fallback, 0, 65_535, description)

/**
 * Every option of the node API. Flags (`--http-port`), environment variables (`AVAGO_HTTP_PORT`, `FIRN_HTTP_PORT`), keys of the
 * JSON file (`http-port`), `--help` and the table of the README are derived. Names and defaults of those that nodes know are the
 * node's, but for the data folder: a replica must never find a validator's keys by itself.
 */
export const OPTIONS = {
  databaseUrl: own(
    text('', 'PostgreSQL to keep the ledger in, as postgres://user@host/name; empty: PGlite in db-dir'),
  ),
  from: own(text('', 'archive of containers to index before serving, a folder')),
  upstream: own(urls('node APIs to follow and to ask what a replica can not answer, in order of preference')),
  pollInterval: own(count(500, 1, 999_999, 'milliseconds between two requests for new blocks')),
  readOnly: own(
    flag(false, 'serve what another process indexes: the upstream is then asked, but not followed'),
  ),
  upstreamTimeout: own(duration(10_000, 'time one call of an upstream may take')),
  answerCacheBytes: own(
    count(134_217_728, 0, 2 ** 40, 'memory for answers that can be given again; 0: none'),
  ),
  networkId: network(
    'network to serve; default: the one that the database, the archive or the upstream holds',
  ),
  genesisFile: text('', 'genesis of a network of one’s own, JSON as the node reads it'),
  genesisFileContent: text('', 'the same in base64'),
  upgradeFile: text('', 'upgrade times of a network of one’s own, JSON as the node reads it'),
  upgradeFileContent: text('', 'the same in base64'),
  dataDir: text('$HOME/.firn', 'folder for everything that this process keeps'),
  dbDir: text('$DATA_DIR/db', 'folder of PGlite'),
  logDir: text('$DATA_DIR/logs', 'folder of log files, one per chain'),
  profileDir: text('$DATA_DIR/profiles', 'folder of cpu.profile, mem.profile and lock.profile'),
  pluginDir: text('$DATA_DIR/plugins', 'folder of VM plugins'),
  logLevel: level('INFO', 'least severe line in log files'),
  logDisplayLevel: level('', 'least severe line on standard output; default: as log-level'),
  httpHost: text('127.0.0.1', 'address to listen on; empty: all'),
  httpPort: port(8701, 'port of the node API; 0 picks a free one'),
  httpTlsEnabled: flag(false, 'serve HTTPS'),
  httpTlsKeyFile: text('', 'PEM file with the key for HTTPS'),
  httpTlsKeyFileContent: text('', 'the same in base64'),
  httpTlsCertFile: text('', 'PEM file with the certificate for HTTPS'),
  httpTlsCertFileContent: text('', 'the same in base64'),
  httpAllowedOrigins: words(['*'], 'origins that browsers may call from, parted by spaces; * for all'),
  httpAllowedHosts: list(['localhost'], 'values of Host served beside IP addresses; * for all'),
  httpReadTimeout: duration(30_000, 'time that a request may take to arrive'),
  httpReadHeaderTimeout: duration(30_000, 'time that the head of a request may take to arrive'),
  httpWriteTimeout: duration(30_000, 'time that an answer may take to leave'),
  httpIdleTimeout: duration(120_000, 'time that a connection may wait for its next request'),
  httpShutdownTimeout: duration(10_000, 'time that requests in progress get to finish at the end'),
  httpShutdownWait: duration(0, 'time between the signal and the end, with health reporting shuttingDown'),
  apiAdminEnabled: flag(false, 'serve /ext/admin, to callers from this machine'),
  apiAdminAllowRemote: own(flag(false, 'serve /ext/admin to callers from anywhere')),
  proxies: own(
    count(0, 0, 999, 'proxies in front, whose x-forwarded-for gives the address of a caller of /ext/admin'),
  ),
  trustedProxies: own(list([], 'their addresses or networks instead, such as 10.0.0.0/8')),
  apiInfoEnabled: flag(true, 'serve /ext/info'),
  apiHealthEnabled: flag(true, 'serve /ext/health'),
  apiMetricsEnabled: flag(true, 'serve /ext/metrics'),
  indexEnabled: flag(false, 'serve /ext/index'),
  indexAllowIncomplete: flag(false, 'allow an index that misses containers, or one to become so'),
  healthCheckFrequency: duration(30_000, 'time between two rounds of health checks'),
  healthMaxLag: own(
    duration(0, 'most that the last block may be older than the clock; 0: any age is healthy'),
  ),
  chainAliasesFile: text('', 'further names of chains, JSON: chain id to list of names'),
  chainAliasesFileContent: text('', 'the same in base64'),
  vmAliasesFile: text('', 'further names of VMs, JSON: VM id to list of names'),
  vmAliasesFileContent: text('', 'the same in base64'),
  trackSubnets: list([], 'subnets (cb58) whose chains the upstream runs, and which this node passes on'),
  publicIp: text('', 'address that peers are told to dial'),
  stakingHost: text('', 'address to listen on for peers; empty: all'),
  stakingPort: port(9651, 'port for peers'),
  stakingTlsKeyFile: text('$DATA_DIR/staking/staker.key', 'PEM file with the key of this node’s NodeID'),
  stakingTlsKeyFileContent: text('', 'the same in base64'),
  stakingTlsCertFile: text(
    '$DATA_DIR/staking/staker.crt',
    'PEM file with the certificate of this node’s NodeID',
  ),
  stakingTlsCertFileContent: text('', 'the same in base64'),
  stakingSignerKeyFile: text('$DATA_DIR/staking/signer.key', 'file with this node’s BLS key, 32 bytes'),
  stakingSignerKeyFileContent: text('', 'the same in base64'),
  stakingEphemeralCertEnabled: flag(false, 'use a new NodeID and BLS key that are kept nowhere'),
  bootstrapIps: list([], 'peers to connect to, as address:port'),
  bootstrapIds: list([], 'their NodeIDs, in the same order'),
  networkPeersEnabled: own(flag(false, 'connect to the peers of the network, to report on them')),
  logFormat: choice('json', ['auto', 'plain', 'colors', 'json'], 'kept for scripts: lines are always JSON'),
} as const

type Value<O> = O extends Option.Option<infer T> ? T : never

/** The name of an option in {@link Configuration}. */
export type OptionName = keyof typeof OPTIONS

/** The value of every option. */
export type Configuration = { readonly [N in OptionName]: Value<(typeof OPTIONS)[N]> }

/** The options in the order of the table. */
export const NAMES = Object.keys(OPTIONS) as readonly OptionName[]

/** One option, whatever its value. */
export function get(name: OptionName): Option.Option<unknown> {
  return OPTIONS[name]
}

/** `httpPort` as flags and the file spell it: `http-port`. */
export function kebab(name: OptionName): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The environment variables of an option, the one that counts first. */
export function variables(name: OptionName): readonly string[] {
  const upper = kebab(name).replaceAll('-', '_').toUpperCase()
  return get(name).owner === 'node' ? [`FIRN_${upper}`, `AVAGO_${upper}`] : [`FIRN_${upper}`]
}
