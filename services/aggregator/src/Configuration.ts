import { TrustedProxies } from '@firn/http'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { AggregatorError } from './AggregatorError.ts'
import { kebab } from './internal/names.ts'
import { describe, excerpt } from './Validation.ts'

const port = (fallback: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 65_535, default: fallback, description })

const count = (fallback: number, minimum: number, description: string) =>
  Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, default: fallback, description })

/** A day at most: timers hold no more than 2^31 ms, and fire at once beyond that. */
const seconds = (fallback: number, minimum: number, description: string) =>
  Type.Integer({ minimum, maximum: 86_400, default: fallback, description })

const texts = (description: string, options: { maxItems?: number } = {}) =>
  Type.Array(Type.String(), { ...options, default: [], description })

const Upstream = Type.Object(
  {
    baseUrl: Type.String({ pattern: '^https?://[^\\s]+$' }),
    queryParameters: Type.Record(Type.String(), Type.String(), { default: {} }),
    httpHeaders: Type.Record(Type.String(), Type.String(), { default: {} }),
  },
  { additionalProperties: false },
)

/** One node API: its root, and what goes with every request. */
export type Upstream = Static<typeof Upstream>

const upstreams = (description: string) =>
  Type.Array(Upstream, {
    default: [],
    description,
    expected: 'an http(s) URL, an object {base-url, query-parameters, http-headers}, or a list of these',
  })

const Peer = Type.Object(
  { id: Type.String({ pattern: '^NodeID-' }), ip: Type.String({ pattern: '^.+:[0-9]+$' }) },
  { additionalProperties: false },
)

/**
 * Every option of the service: type, default, range and description. Flags (`--api-port`), environment names
 * (`FIRN_API_PORT`), keys of the JSON file (`api-port`), `--help` and the table in `docs/configuration.md` are derived.
 */
export const Configuration = Type.Object(
  {
    network: Type.Enum(['auto', 'mainnet', 'fuji', 'local'], {
      default: 'auto',
      description: 'network to serve; auto takes the network of the upstream, any other must match it',
    }),
    host: Type.String({
      minLength: 1,
      default: '127.0.0.1',
      description: 'address to listen on; 0.0.0.0 or :: opens the service to others',
    }),
    apiPort: port(8080, 'port of the HTTP interface; 0 picks a free one'),
    metricsPort: port(
      0,
      'further port that serves /metrics and /health only; 0 means none (both are on the API port)',
    ),
    logLevel: Type.Enum(['verbo', 'trace', 'debug', 'info', 'warn', 'error', 'fatal', 'off'], {
      default: 'info',
      description: 'least severe log line to print',
    }),
    pChainApi: upstreams(
      'node APIs for the P-chain, tried in this order; default: the public API of the network, http://127.0.0.1:9650 for local and auto',
    ),
    infoApi: upstreams('node APIs for info.*; default: the same as p-chain-api'),
    trackedSubnetIds: texts(
      'subnets (cb58) to connect to at start; others are connected on their first request',
      { maxItems: 1024 },
    ),
    manuallyTrackedPeers: Type.Array(Peer, {
      default: [],
      description: 'nodes whose address is given by hand: {"id":"NodeID-…","ip":"address:port"}',
      expected: 'a list of objects {"id":"NodeID-…","ip":"address:port"}',
    }),
    allowPrivateIps: Type.Boolean({
      default: false,
      description: 'connect to nodes at private addresses; always on for local',
    }),
    tlsCertPath: Type.String({
      default: '',
      description:
        'PEM file with the staking certificate of this client; made, with the key, when both files are missing; empty means a new identity at each start',
    }),
    tlsKeyPath: Type.String({
      default: '',
      description: 'PEM file with the private key of tls-cert-path; both or neither',
    }),
    signatureCacheSize: count(65_536, 1, 'signatures kept in memory, at about 2 kB each'),
    maxPChainLookback: Type.Integer({
      minimum: -1,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 1000,
      description: 'oldest P-chain height to serve, counted back from the tip; -1 means any',
    }),
    validatorRefreshPeriodSeconds: seconds(60, 1, 'time between two looks at validators and their addresses'),
    staleAfterSeconds: seconds(
      120,
      1,
      'how long the last good validator set stands in for an upstream that fails',
    ),
    upstreamTimeoutSeconds: seconds(5, 1, 'time one call of an upstream may take'),
    connectTimeoutSeconds: seconds(
      30,
      0,
      'time the validators of a subnet get to connect, from the first request for it',
    ),
    collectTimeoutSeconds: seconds(
      15,
      1,
      'time the validators get to sign, once enough of them are connected',
    ),
    requestTimeoutSeconds: seconds(50, 1, 'time a request may take altogether'),
    bodyLimitBytes: count(1_048_576, 1024, 'largest request body'),
    rateLimitPerMinute: count(
      600,
      0,
      'aggregations that one client (API key or address) may ask for in a minute; 0 means any number',
    ),
    proxies: count(
      0,
      0,
      'how many proxies every request passes; the address that the outermost of them wrote into X-Forwarded-For is the client’s',
    ),
    trustedProxies: texts(
      'instead of proxies: addresses and networks of the proxies, such as 10.0.0.0/8; the rightmost other address in X-Forwarded-For is the client’s',
    ),
    apiKeys: texts(
      'keys of which callers must send one in x-data-api-key, x-glacier-api-key or Authorization: Bearer; none means open',
    ),
    allowedSubnetIds: texts('signing subnets (cb58) to serve; none means all'),
    successStatus: Type.Enum(['200', '201', 'auto'], {
      default: '200',
      description:
        'status of a signed message on /v1/…/aggregateSignatures; the official TypeScript SDK takes 201 only, auto sends it 201 and everybody else 200',
    }),
    shutdownTimeoutSeconds: seconds(10, 1, 'time that requests in progress get to finish after SIGTERM'),
  },
  { additionalProperties: false },
)

/** The value of every option; made by {@link createConfiguration} or by the layers of `main`. */
export type Configuration = Static<typeof Configuration>

/** The name of an option in {@link Configuration}. */
export type OptionName = keyof Configuration

/** The options in the order of the schema. */
export const OPTION_NAMES = Object.keys(Configuration.properties) as readonly OptionName[]

/** Options that the Go signature-aggregator knows too; for these the bare upper-snake environment name counts as well. */
export const GO_OPTIONS: ReadonlySet<OptionName> = new Set<OptionName>([
  'logLevel',
  'pChainApi',
  'infoApi',
  'apiPort',
  'metricsPort',
  'signatureCacheSize',
  'allowPrivateIps',
  'trackedSubnetIds',
  'tlsCertPath',
  'tlsKeyPath',
  'manuallyTrackedPeers',
  'maxPChainLookback',
  'validatorRefreshPeriodSeconds',
])

/**
 * A whole configuration from some options; the others take their defaults. Upstreams may be given as URLs.
 * @throws AggregatorError `AGGREGATOR_CONFIGURATION`
 */
export function createConfiguration(
  options: Readonly<Partial<Omit<Configuration, 'pChainApi' | 'infoApi'>>> & {
    readonly pChainApi?: unknown
    readonly infoApi?: unknown
  } = {},
): Configuration {
  const entries = OPTION_NAMES.map((name) => {
    const given = options[name]
    return [name, given === undefined ? defaultOf(name) : check(name, given, kebab(name))]
  })
  const configuration = Object.fromEntries(entries) as Configuration
  if ((configuration.tlsCertPath === '') !== (configuration.tlsKeyPath === '')) {
    throw wrong('tls-cert-path and tls-key-path: expected both or neither, got only one')
  }
  orConfigurationError(() => TrustedProxies.create(configuration))
  return configuration
}

/**
 * Runs `work`, and rethrows what it throws as an error of the configuration.
 * @throws AggregatorError `AGGREGATOR_CONFIGURATION`, with the same message
 */
export function orConfigurationError(work: () => unknown): void {
  try {
    work()
  } catch (cause) {
    throw wrong((cause as Error).message, cause)
  }
}

/**
 * The checked value of one option; `place` names it in the error as its author wrote it (`--api-port`, `API_PORT`, …).
 * @throws AggregatorError `AGGREGATOR_CONFIGURATION`: one sentence with the place, what came and what is allowed
 */
export function check<N extends OptionName>(name: N, value: unknown, place: string): Configuration[N] {
  const schema = Configuration.properties[name]
  const normal =
    name === 'pChainApi' || name === 'infoApi' ? normalUpstreams(value) : normalChoice(name, value)
  if (!Value.Check(schema, normal))
    throw wrong(`${place}: expected ${describe(schema)}, got ${excerpt(value)}`)
  return normal as Configuration[N]
}

/** The default of an option. */
export function defaultOf<N extends OptionName>(name: N): Configuration[N] {
  return structuredClone(
    (Configuration.properties[name] as { default?: unknown }).default,
  ) as Configuration[N]
}

/** The error for a configuration that can't be used, with the error that told so. */
export function wrong(message: string, cause?: unknown): AggregatorError {
  return new AggregatorError('AGGREGATOR_CONFIGURATION', message, { cause })
}

/** A status written as a number in a JSON file means the same as its text. */
function normalChoice(name: OptionName, value: unknown): unknown {
  return name === 'successStatus' && typeof value === 'number' ? String(value) : value
}

function normalUpstreams(value: unknown): unknown {
  const list = Array.isArray(value) ? value : [value]
  return list.map((one: unknown) => {
    if (typeof one === 'string') return { baseUrl: one, queryParameters: {}, httpHeaders: {} }
    if (typeof one !== 'object' || one === null) return one
    const renamed = Object.fromEntries(
      Object.entries(one).map(([key, member]) => [UPSTREAM_KEYS.get(key) ?? key, member]),
    )
    return { queryParameters: {}, httpHeaders: {}, ...renamed }
  })
}

const UPSTREAM_KEYS: ReadonlyMap<string, string> = new Map(
  Object.keys(Upstream.properties).map((key) => [kebab(key), key]),
)
