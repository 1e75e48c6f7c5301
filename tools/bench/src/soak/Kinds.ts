/** What services are connected to. */
export interface World {
  readonly databaseUrl: string
  /** URL of the devnet itself. */
  readonly devnetUrl: string
  /** URL of the node of the Primary Network that can fail. */
  readonly primaryUrl: string
  /** URL of the node of the EVM chain that can fail. */
  readonly evmUrl: string
  readonly networkId: number
  readonly evmChainId: number
  /** Folder for the files of all services. */
  readonly folder: string
}

interface Place {
  readonly port: number
  readonly gatewayPort: number
  readonly dataDir: string
}

interface Declaration {
  /** Flags of the command of the same name. */
  readonly flags: (world: World, place: Place) => readonly string[]
  readonly health: string
  readonly metrics: string
}

/** Size of response caches: small, so that they are full before growth is measured. */
const CACHE_BYTES = '4194304'
const SIGNATURES = '2048'

const follow = ({ databaseUrl, devnetUrl, primaryUrl, networkId }: World, dataDir: string) => [
  `--database-url=${databaseUrl}`,
  `--data-dir=${dataDir}`,
  `--upstream=${primaryUrl}`,
  `--network-id=${networkId}`,
  `--genesis-file=${devnetUrl}/devnet/genesis.json`,
  `--upgrade-file=${devnetUrl}/devnet/upgrade.json`,
]

/** The services under test, by the `firn` command that starts each. */
export const KINDS = {
  // Started first, so that the first process writes, and the other services stand by.
  index: {
    flags: (world, { port, dataDir }) => [
      ...follow(world, dataDir),
      `--metrics-port=${port}`,
      '--log-level=error',
    ],
    health: '/health',
    metrics: '/metrics',
  },
  aggregator: {
    flags: ({ databaseUrl, devnetUrl, primaryUrl }, { port }) => [
      `--p-chain-api=${primaryUrl}`,
      `--info-api=${devnetUrl}`,
      `--api-port=${port}`,
      `--database-url=${databaseUrl}`,
      `--signature-cache-size=${SIGNATURES}`,
      '--rate-limit-per-minute=0',
      '--p2p-requests-per-minute=0',
      '--log-level=error',
    ],
    health: '/health',
    metrics: '/metrics',
  },
  node: {
    flags: (world, { port, dataDir }) => [
      ...follow(world, dataDir),
      `--answer-cache-bytes=${CACHE_BYTES}`,
      `--http-port=${port}`,
      '--staking-port=0',
      '--index-enabled',
      '--log-display-level=error',
    ],
    health: '/ext/health',
    metrics: '/ext/metrics',
  },
  'data-api': {
    flags: (world, { port, dataDir }) => [
      ...follow(world, dataDir),
      `--answer-cache-bytes=${CACHE_BYTES}`,
      `--port=${port}`,
      '--no-rate-limits',
      '--log-level=error',
    ],
    health: '/health',
    metrics: '/metrics',
  },
  evm: {
    flags: ({ databaseUrl, evmUrl, evmChainId }, { port, gatewayPort, dataDir }) => [
      `--database-url=${databaseUrl}`,
      `--data-dir=${dataDir}`,
      `--chain=${evmChainId}=${evmUrl}`,
      `--port=${port}`,
      `--gateway-port=${gatewayPort}`,
      '--no-rate-limits',
      '--log-level=error',
      `--answer-cache-bytes=${CACHE_BYTES}`,
    ],
    health: '/health',
    metrics: '/metrics',
  },
} as const satisfies Readonly<Record<string, Declaration>>

/** Kind of a service. */
export type Kind = keyof typeof KINDS

/** All kinds, in the order in which they are started. */
export const ALL = Object.keys(KINDS) as readonly Kind[]
