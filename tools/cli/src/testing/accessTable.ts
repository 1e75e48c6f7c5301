import type { ApiKey } from '@firn/http'

/**
 * What a caller needs for access:
 *
 * - `nothing`: all callers are served, whatever key they send.
 * - a scope: callers without a key are served; a key must have the scope.
 * - `webhooks`: a key with this scope; callers without a key are rejected.
 * - `own requests`: a key with the scope `usage`; callers without a key must be operators.
 * - `aggregator key`: one of the keys configured for the aggregator.
 * - `bypass token`: the token in the path must be valid.
 * - `operator`: the caller must send the token of an operator on this machine, or a key with the scope `admin`.
 */
export type Need = 'nothing' | ApiKey.Scope | 'own requests' | 'aggregator key' | 'bypass token' | 'operator'

/** A server with endpoints in the access table. For tests only. */
export type Server =
  | 'data api'
  | 'metrics api'
  | 'aggregator'
  | 'aggregator metrics'
  | 'node api'
  | 'gateway'
  | 'indexer monitor'

/**
 * Endpoints as `<method> <path>`, grouped by what a caller needs. GET includes HEAD. `{name}` matches one
 * path segment, and `*` any number of them.
 */
export type Rows = { readonly [N in Need]?: readonly string[] }

const OPERATIONS = ['GET /health', 'GET /metrics']
/** The console, or the page of links, that every service serves at its root path. */
const LANDING = ['GET /', 'GET /console/{asset}']
const DOCUMENTATION = ['GET /openapi.json', 'GET /docs', 'GET /docs/*']

/** Endpoints for operators. All servers have the same, and answer 404 for data that they do not have. */
const OPERATE = {
  operator: [
    ...['indexing', 'doctor', 'peers', 'upstreams', 'limits', 'usage', 'keys', 'log'].map(
      (data) => `GET /operate/${data}`,
    ),
    ...['keys', 'keys/{keyId}/scopes', 'keys/{keyId}/revoke'].map((path) => `POST /operate/${path}`),
    // Unknown paths and preflight requests.
    ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => `${method} /operate/*`),
  ],
}

const P_AND_X = [
  'GET /v1/networks/{network}',
  'GET /v1/networks/{network}/addresses:listChainIds',
  'GET /v1/networks/{network}/blockchains',
  'GET /v1/networks/{network}/blockchains/{blockchainId}',
  'GET /v1/networks/{network}/blockchains/{blockchainId}/assets/{assetId}',
  'GET /v1/networks/{network}/blockchains/{blockchainId}/assets/{assetId}/transactions',
  'GET /v1/networks/{network}/blockchains/{blockchainId}/balances',
  'GET /v1/networks/{network}/blockchains/{blockchainId}/blocks',
  'GET /v1/networks/{network}/blockchains/{blockchainId}/blocks/{blockId}',
  'GET /v1/networks/{network}/blockchains/{blockchainId}/lastActivityTimestampByAddresses',
  'POST /v1/networks/{network}/blockchains/{blockchainId}/lastActivityTimestampByAddresses',
  'GET /v1/networks/{network}/blockchains/{blockchainId}/nodes/{nodeId}/blocks',
  'GET /v1/networks/{network}/blockchains/{blockchainId}/transactions',
  'GET /v1/networks/{network}/blockchains/{blockchainId}/transactions:listStaking',
  'GET /v1/networks/{network}/blockchains/{blockchainId}/transactions/{txHash}',
  'GET /v1/networks/{network}/blockchains/{blockchainId}/utxos',
  'POST /v1/networks/{network}/blockchains/{blockchainId}/utxos',
  'GET /v1/networks/{network}/blockchains/{blockchainId}/vertices',
  'GET /v1/networks/{network}/blockchains/{blockchainId}/vertices:listByHeight',
  'GET /v1/networks/{network}/blockchains/{blockchainId}/vertices/{vertexHash}',
  'GET /v1/networks/{network}/delegators',
  'GET /v1/networks/{network}/l1Validators',
  'GET /v1/networks/{network}/rewards',
  'GET /v1/networks/{network}/rewards:listPending',
  'GET /v1/networks/{network}/subnets',
  'GET /v1/networks/{network}/subnets/{subnetId}',
  'GET /v1/networks/{network}/supply',
  'GET /v1/networks/{network}/validators',
  'GET /v1/networks/{network}/validators/{nodeId}',
]

const EVM = [
  'GET /v1/address/{address}/chains',
  'GET /v1/blocks',
  'GET /v1/chains',
  'GET /v1/chains/address/{address}',
  'GET /v1/chains/allBlocks',
  'GET /v1/chains/allTransactions',
  'GET /v1/chains/{chainId}',
  'GET /v1/chains/{chainId}/addresses/{address}',
  'GET /v1/chains/{chainId}/addresses/{address}/balances:getNative',
  'GET /v1/chains/{chainId}/addresses/{address}/balances:listCollectibles',
  'GET /v1/chains/{chainId}/addresses/{address}/balances:listErc1155',
  'GET /v1/chains/{chainId}/addresses/{address}/balances:listErc20',
  'GET /v1/chains/{chainId}/addresses/{address}/balances:listErc721',
  'GET /v1/chains/{chainId}/addresses/{address}/transactions',
  'GET /v1/chains/{chainId}/addresses/{address}/transactions:listErc1155',
  'GET /v1/chains/{chainId}/addresses/{address}/transactions:listErc20',
  'GET /v1/chains/{chainId}/addresses/{address}/transactions:listErc721',
  'GET /v1/chains/{chainId}/addresses/{address}/transactions:listInternals',
  'GET /v1/chains/{chainId}/addresses/{address}/transactions:listNative',
  'GET /v1/chains/{chainId}/blocks',
  'GET /v1/chains/{chainId}/blocks/{blockId}',
  'GET /v1/chains/{chainId}/blocks/{blockId}/transactions',
  'GET /v1/chains/{chainId}/contracts/{address}/deployments',
  'GET /v1/chains/{chainId}/contracts/{address}/transactions:getDeployment',
  'GET /v1/chains/{chainId}/nfts/collections/{address}/holders',
  'GET /v1/chains/{chainId}/nfts/images/{imageHash}',
  'GET /v1/chains/{chainId}/nfts/collections/{address}/tokens',
  'GET /v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}',
  'GET /v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}/holders',
  'GET /v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}/transfers',
  'POST /v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}:reindex',
  'GET /v1/chains/{chainId}/events/{name}',
  'GET /v1/chains/{chainId}/logs',
  'GET /v1/chains/{chainId}/tokens/{address}/transfers',
  'GET /v1/chains/{chainId}/transactions',
  'GET /v1/chains/{chainId}/transactions/{txHash}',
  'GET /v1/transactions',
]

const MESSAGES = [
  ...['icm', 'teleporter'].flatMap((kind) => [
    `GET /v1/${kind}/messages`,
    `GET /v1/${kind}/messages/{messageId}`,
    `GET /v1/${kind}/addresses/{address}/messages`,
  ]),
  'GET /v1/icm/messages/{messageId}/story',
]

const EXPORTS = [
  'POST /v1/operations/transactions:export',
  'GET /v1/operations/{operationId}',
  'GET /v1/operations/{operationId}/file',
  'POST /v1/operations/{operationId}:cancel',
]

const AGGREGATE = [
  'POST /v1/signatureAggregator/{network}/aggregateSignatures',
  'GET /v1/signatureAggregator/{network}/aggregateSignatures/{txHash}',
]

/** Endpoints of chains, which a node serves below `/ext/bc/` and, for some aliases, also below `/ext/`. */
const CHAINS = ['bc/{chain}', 'P', 'platform', 'X', 'avm', 'C', 'evm'].flatMap((chain) =>
  ['', '/wallet', '/avax', '/proposervm', '/rpc', '/ws'].map((endpoint) => `POST /ext/${chain}${endpoint}`),
)

/** All endpoints of all services, with what a caller needs for access. For tests only. */
export const ACCESS: { readonly [S in Server]: Rows } = {
  'data api': {
    nothing: [...LANDING, ...OPERATIONS, ...DOCUMENTATION, 'GET /v1/health-check', 'GET /v1/live-check'],
    data: [
      ...P_AND_X,
      ...EVM,
      ...MESSAGES,
      ...EXPORTS,
      'GET /v1/avax/supply',
      'GET /v1/completeness/{chainId}',
      'GET /v1/changes/{chainId}',
    ],
    aggregate: AGGREGATE,
    'own requests': ['GET /v1/apiLogs', 'GET /v1/apiUsageMetrics'],
    usage: ['GET /v1/subnetRpcUsageMetrics', 'GET /v1/rpcUsageMetrics'],
    webhooks: [
      ...['GET', 'POST'].map((method) => `${method} /v1/webhooks`),
      ...['GET', 'PATCH', 'DELETE'].flatMap((method) => [
        `${method} /v1/webhooks/{id}`,
        `${method} /v1/webhooks/{id}/addresses`,
      ]),
      'GET /v1/webhooks/{id}/deliveries',
      'GET /v1/webhooks/{id}/messages',
      'POST /v1/webhooks/{id}:replay',
      'POST /v1/webhooks/{id}:sendTest',
      'GET /v1/webhooks:getSharedSecret',
      'POST /v1/webhooks:generateOrRotateSharedSecret',
    ],
    ...OPERATE,
  },
  'metrics api': {
    nothing: [...LANDING, ...OPERATIONS, ...DOCUMENTATION, 'GET /v2/health-check', 'GET /v2/live-check'],
    // Callers without a key or with an invalid one are served, but a valid key is limited to its scopes.
    metrics: [
      'GET /v1/avg_tps/{chainId}',
      'GET /v2/chains',
      'GET /v2/chains/43114/btcb/bridged:getAddresses',
      'GET /v2/chains/{chainId}',
      'GET /v2/chains/{chainId}/contracts/{address}/balances',
      'GET /v2/chains/{chainId}/contracts/{address}/nfts:listHolders',
      'GET /v2/chains/{chainId}/metrics/{metric}',
      'GET /v2/chains/{chainId}/rollingWindowMetrics/{metric}',
      'GET /v2/chains/{chainId}/teleporterMetrics/{metric}',
      'GET /v2/icm/summary',
      'GET /v2/icm/timeseries',
      'GET /v2/networks/{network}/metrics/{metric}',
      'GET /v2/subnet/{subnetId}/metrics/{metric}',
      'GET /v2/subnets/{subnetId}/validators:getAddresses',
      'GET /v2/validation/{l1ValidationId}/metrics/{metric}',
      'GET /v2/validator/{nodeId}/metrics/{metric}',
      'GET /v2/validators/metrics/{metric}',
    ],
  },
  aggregator: {
    nothing: [...LANDING, ...OPERATIONS, ...DOCUMENTATION],
    ...OPERATE,
    'aggregator key': [
      // Every method is accepted, as in the Go service.
      ...['DELETE', 'GET', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY'].map(
        (method) => `${method} /aggregate-signatures`,
      ),
      'GET /v1/messages',
      'GET /v1/messages/{id}',
      'POST /v1/messages',
      'POST /v1/signatureAggregator/{network}/aggregateSignatures',
      'GET /v1/quorum/{network}/{subnetId}',
      'GET /v1/quorum/{network}',
      'GET /v1/readiness/{subnetId}',
      'GET /v1/validity/{network}',
      'POST /v1/validity/{network}',
      'POST /v1/signatureAggregator/{network}/aggregateSignatures:batch',
      'GET /v1/jobs/{jobId}',
      'GET /v1/jobs/{jobId}/events',
    ],
  },
  'aggregator metrics': { nothing: [...LANDING, ...OPERATIONS] },
  'node api': {
    nothing: [
      ...LANDING,
      ...CHAINS,
      'POST /ext/info',
      'POST /ext/index/{chain}/{index}',
      'POST /ext/health',
      'POST /ext/health/{check}',
      'POST /ext/metrics',
    ],
    operator: ['POST /ext/admin', ...OPERATE.operator],
  },
  gateway: {
    operator: ['GET /operate/{data}'],
    nothing: [
      ...LANDING,
      ...OPERATIONS,
      ...['POST /rpc/{chainId}', 'GET /rpc/{chainId}', 'POST /rpc/{chainId}/ws', 'GET /rpc/{chainId}/ws'],
    ],
    'bypass token': [
      ...['POST /rpc/{chainId}/{token}', 'GET /rpc/{chainId}/{token}'],
      ...['POST /rpc/{chainId}/{token}/ws', 'GET /rpc/{chainId}/{token}/ws'],
    ],
  },
  'indexer monitor': { nothing: [...LANDING, ...OPERATIONS], ...OPERATE },
}

/**
 * Returns what a caller needs for an endpoint of a server, or undefined if the access table does not list it.
 * For tests only.
 */
export function needOf(server: Server, method: string, path: string): Need | undefined {
  const endpoint = `${method === 'HEAD' ? 'GET' : method} ${path}`
  const rows = Object.entries(ACCESS[server]) as [Need, readonly string[]][]
  const exact = rows.find(([, endpoints]) => endpoints.includes(endpoint))
  return (exact ?? rows.find(([, endpoints]) => endpoints.some((row) => isLike(row, endpoint))))?.[0]
}

function isLike(row: string, endpoint: string): boolean {
  const literal = row.replace(/[.:]/g, '\\$&')
  return new RegExp(`^${literal.replace(/\{\w+\}/g, '[^/]+').replace(/\*$/, '.*')}$`).test(endpoint)
}
