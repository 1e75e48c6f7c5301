import { availableParallelism } from 'node:os'
import { Common, group, option, Type, withEnvironment } from '@firn/options'
import * as NetworkOption from './NetworkOption.ts'
import { CHAIN_RPCS, type ChainRpc, PEERS, type Peer, UPSTREAMS, type Upstream } from './UpstreamOptions.ts'

const TEXTS = Type.list(Type.text)
const NO_TEXTS: readonly string[] = []
const count = (least: number) => Type.integer(least, Number.MAX_SAFE_INTEGER)
const MAX_WORKERS = 64
/** Beyond four threads, the main thread cannot supply enough signatures. */
const DEFAULT_WORKERS = Math.min(4, Math.max(1, availableParallelism() - 1))

/** Default maximum number of aggregations per minute for one client. */
export const DEFAULT_RATE_LIMIT = 600

const seconds = Type.duration({ leastMs: 1_000 })
/** Type of options whose former names end in `-seconds`. Under such a name, a number without a unit means seconds. */
const bareSeconds = Type.duration({ leastMs: 1_000, bare: 's' })

/**
 * Options that the Go signature-aggregator has as well. Their environment variables are also accepted without
 * the prefix `FIRN_`.
 */
const GO_OPTIONS = withEnvironment('', {
  ...group('HTTP', {
    apiPort: option(Type.port, { default: 8080, help: 'Port of the HTTP API; 0 picks a free one.' }),
    metricsPort: option(Type.port, {
      default: 0,
      help: 'Additional port that serves only /metrics and /health; with 0 they are served only on the API port.',
    }),
  }),
  ...Common.LOG,
  ...group('Network', {
    pChainApi: option(UPSTREAMS, {
      default: [] as readonly Upstream[],
      defaultText: 'the public API of the network; http://127.0.0.1:9650 for local and auto',
      isSecret: true,
      help: 'Node APIs for the P-chain, tried in this order.',
    }),
    infoApi: option(UPSTREAMS, {
      default: [] as readonly Upstream[],
      defaultText: 'as --p-chain-api',
      isSecret: true,
      help: 'Node APIs for info.*, tried in this order.',
    }),
    trackedSubnetIds: option(TEXTS, {
      default: NO_TEXTS,
      help: 'Subnets (cb58) to connect to at the start; others are connected when they are first requested.',
    }),
    manuallyTrackedPeers: option(PEERS, {
      default: [] as readonly Peer[],
      help: 'Peers with manually configured addresses: {"id":"NodeID-…","ip":"address:port"}.',
    }),
    allowPrivateIps: option(Type.flag, {
      default: false,
      help: 'Connect to nodes at private addresses; always on for the network local.',
    }),
    tlsCertPath: option(Type.path, {
      default: '',
      help: "PEM file with this client's staking certificate. Certificate and key are created if both files are missing. Without this option, each start has a new identity.",
    }),
    tlsKeyPath: option(Type.path, {
      default: '',
      help: 'PEM file with the private key of --tls-cert-path; pass both or neither.',
    }),
    maxPChainLookback: option(Type.integer(-1, Number.MAX_SAFE_INTEGER), {
      default: 1000,
      help: 'Maximum number of blocks by which the requested P-chain height may be below the tip; -1 means no limit.',
    }),
    validatorRefreshPeriod: option(seconds, {
      default: 60_000,
      help: 'Time between two updates of the validators, and maximum time between two requests for the address of an unreachable validator, which start with a delay of 1 s.',
      former: { validatorRefreshPeriodSeconds: bareSeconds },
    }),
  }),
  ...group('Aggregation', {
    signatureCacheSize: option(count(1), {
      default: 65_536,
      help: 'Maximum number of signatures kept in memory, at about 0.5 kB each.',
    }),
  }),
})

/**
 * All options of the service. Flags (`--api-port`), environment variables (`FIRN_API_PORT`), keys of the JSON
 * file (`api-port`), `--help` and the table in `docs/configuration.md` are derived from this declaration.
 */
export const OPTIONS = {
  ...Common.DIAGNOSTICS,
  ...group('Network', {
    network: option(NetworkOption.TYPE, {
      default: 'auto',
      help: 'Network to serve: mainnet, fuji (or testnet), local for any custom network, network-<id> or an id. With auto, it is the network of the upstream; any other value must match it.',
    }),
    ...Common.NETWORK_ALIAS,
    agree: option(count(1), {
      default: 1,
      help: 'Number of P-chain APIs that must return the same validator set, subnet of a chain, or L1 conversion before it is used. Requires as many --p-chain-api.',
    }),
    chainRpc: option(CHAIN_RPCS, {
      default: [] as readonly ChainRpc[],
      isSecret: true,
      help: 'Node APIs of the chains that requests may name, as <blockchainId>=<url>. The URL is a node’s, or the chain’s RPC endpoint on a node (…/ext/bc/<chain>/rpc). Requests can never pass a URL.',
    }),
  }),
  ...group('HTTP', {
    host: option(Type.host, {
      default: '127.0.0.1',
      help: 'Address to listen on; 0.0.0.0 or :: makes the service reachable from other machines.',
    }),
  }),
  ...GO_OPTIONS,
  ...group('Aggregation', {
    workers: option(Type.integer(0, MAX_WORKERS), {
      default: DEFAULT_WORKERS,
      defaultText: 'one less than the number of CPUs; at least 1, at most 4',
      help: 'Number of threads that verify signatures and decode public keys; 0 does this in the main thread.',
    }),
    staleAfter: option(seconds, {
      default: 120_000,
      help: 'Maximum age of the last validator set that is used while an upstream fails.',
      former: { staleAfterSeconds: bareSeconds },
    }),
    upstreamTimeout: option(seconds, {
      default: 5_000,
      help: 'Maximum time of one call to an upstream.',
      former: { upstreamTimeoutSeconds: bareSeconds },
    }),
    connectTimeout: option(Type.duration(), {
      default: 30_000,
      help: 'Maximum time for the validators of a subnet to connect, from the first request for the subnet.',
      former: { connectTimeoutSeconds: Type.duration({ bare: 's' }) },
    }),
    collectTimeout: option(seconds, {
      default: 15_000,
      help: 'Maximum time for validators to sign, once enough of them are connected.',
      former: { collectTimeoutSeconds: bareSeconds },
    }),
    maxP2pRequests: option(count(1), {
      default: 8192,
      help: 'Maximum number of requests to validators in flight. One message uses at most a fifth of it; further requests are queued.',
    }),
    maxP2pRequestsPerMessage: option(count(1), {
      default: 2048,
      help: 'Maximum number of requests to validators in flight for one message.',
    }),
    maxP2pRequestsPerValidator: option(count(1), {
      default: 64,
      help: 'Maximum number of requests in flight to one validator.',
    }),
    requestTimeout: option(seconds, {
      default: 50_000,
      help: 'Maximum time of a request.',
      former: { requestTimeoutSeconds: bareSeconds },
    }),
    refusalMemory: option(Type.duration(), {
      default: 30_000,
      help: 'Time for which the final refusal of a message by a validator is remembered; “not yet” is remembered for 5 s at most. 0 disables it.',
    }),
  }),
  ...group('Jobs', {
    jobTimeout: option(seconds, {
      default: 300_000,
      help: 'Maximum time of a job (Prefer: respond-async).',
    }),
    jobRetention: option(seconds, {
      default: 3_600_000,
      help: 'Time for which finished jobs are kept.',
    }),
    maxJobs: option(count(1), { default: 1_000, help: 'Maximum number of unfinished jobs.' }),
    maxJobsPerCaller: option(count(1), {
      default: 200,
      help: 'Maximum number of unfinished jobs of one client (API key or address).',
    }),
  }),
  ...group('Limits', {
    bodyLimitBytes: option(count(1024), {
      default: 5_242_880,
      help: 'Maximum size of a request body, in bytes.',
    }),
    maxHeldBytes: option(count(1_048_576), {
      default: 134_217_728,
      help: 'Maximum total size of the bodies of requests in progress, in bytes; above it, requests get 503.',
    }),
  }),
  ...group('HTTP', {
    shutdownTimeout: option(seconds, {
      default: 10_000,
      help: 'Maximum time for requests in progress to finish after SIGTERM.',
      former: { shutdownTimeoutSeconds: bareSeconds },
    }),
    successStatus: option(Type.choice('200', '201', 'auto'), {
      default: '200',
      help: 'Status of a signed message on /v1/…/aggregateSignatures. The official TypeScript SDK accepts only 201; auto sends 201 to this SDK, and 200 to all other clients.',
    }),
  }),
  ...group('Limits', {
    rateLimitPerMinute: option(count(0), {
      defaultText: `${DEFAULT_RATE_LIMIT}; none for /aggregate-signatures with a key from this machine`,
      help: 'Maximum number of aggregations per minute for one client (API key, IPv4 address or IPv6 /64), and 16 times as many for an IPv6 /48; 0 means no limit. Each 64 KiB of a body beyond the first count like a further one. A limit that is given applies to clients with a key on this machine as well.',
    }),
    unlimitedCallers: option(TEXTS, {
      default: NO_TEXTS,
      help: 'Addresses and networks of callers without a rate limit, such as 127.0.0.1 for a relayer on this machine. Callers behind a proxy that is not trusted are always limited.',
    }),
    p2pRequestsPerMinute: option(count(0), {
      default: 600_000,
      help: 'Maximum number of requests to validators per minute that one client (API key or address) causes; 0 means no limit. The default allows 600 messages to 1,000 validators.',
    }),
  }),
  ...group('Access', {
    apiKeys: option(TEXTS, {
      default: NO_TEXTS,
      isSecret: true,
      help: 'API keys. Callers must send one of them in x-data-api-key, x-glacier-api-key or Authorization: Bearer. Without any keys, the service is open.',
    }),
    allowedSubnetIds: option(TEXTS, {
      default: NO_TEXTS,
      defaultText: 'all',
      help: 'Signing subnets (cb58) to serve.',
    }),
    allowedSourceChainIds: option(TEXTS, {
      default: NO_TEXTS,
      defaultText: 'all',
      help: 'Chains (cb58) whose messages may be signed; 11111111111111111111111111111111LpoYY is the P-chain.',
    }),
  }),
  ...Common.PROXIES,
  ...Common.CONNECTIONS,
  ...Common.CONNECTION_TIMES,
  ...Common.OPERATORS,
  ...group('Operators', {
    dataDir: { ...Common.DATA_DIR.dataDir, help: 'Folder for the token of operators on this machine.' },
  }),
  ...group('Message log', {
    databaseUrl: option(Type.text, {
      isSecret: true,
      help: 'URL of a PostgreSQL database, such as postgres://user@host/name, in which messages, signatures and reports are stored. Aggregators with the same database share them, and query each validator only once.',
    }),
    databaseTimeout: option(Type.duration({ leastMs: 1 }), {
      default: 300,
      help: 'Maximum time that a request for signatures waits for the database of --database-url.',
    }),
    messageRetention: option(Type.duration({ leastMs: 60_000, mostMs: 366 * 86_400_000 }), {
      default: 7 * 86_400_000,
      help: 'Age at which messages are deleted from the database of --database-url.',
    }),
  }),
}
