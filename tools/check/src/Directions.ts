/** The allowed dependencies of one package, as workspace folders such as `packages/codec`. */
export type Row = {
  /** Workspace folders that sources (everything except tests and benches) may import. */
  readonly sources: readonly string[]
  /** Additional folders that only tests and benches may import. */
  readonly tests?: readonly string[]
}

const runtime = 'packages/runtime'
const jobs = 'packages/jobs'
const codec = 'packages/codec'
const bls = 'packages/bls'
const keys = 'packages/keys'
const warp = 'packages/warp'
const aggregation = 'packages/aggregation'
const p2p = 'packages/p2p'
const sync = 'packages/sync'
const rpc = 'packages/rpc'
const client = 'packages/client'
const http = 'packages/http'
const outbound = 'packages/outbound'
const operate = 'packages/operate'
const tracing = 'packages/tracing'
const nodeApi = 'packages/node-api'
const options = 'packages/options'
const txs = 'packages/txs'
const wallet = 'packages/wallet'
const genesis = 'packages/genesis'
const genesisData = 'packages/genesis-data'
const ledger = 'packages/ledger'
const evm = 'packages/evm'
const sql = 'packages/sql'
const serviceStore = 'packages/service-store'
const store = 'packages/store'
const evmStore = 'packages/evm-store'
const aggregator = 'services/aggregator'
const indexer = 'services/indexer'
const node = 'services/node'
const dataApi = 'services/data-api'
const gateway = 'services/gateway'
const consoleApp = 'apps/console'
const browser = 'tools/browser'
const devnet = 'tools/devnet'
const demoChain = 'tools/demo-chain'
const demoNetwork = 'tools/demo-network'
const conformance = 'tools/conformance'

const signing = [codec, bls, keys, warp]
const chain = [codec, keys, txs, genesis, ledger, evm, sql, serviceStore, store, evmStore]
const libraries = [
  ...new Set([
    runtime,
    jobs,
    ...signing,
    aggregation,
    p2p,
    sync,
    rpc,
    http,
    outbound,
    operate,
    tracing,
    options,
    nodeApi,
    wallet,
    ...chain,
    genesisData,
  ]),
]

/**
 * Allowed dependencies by workspace folder. The check fails for a folder without an entry, so that the
 * dependencies of a new package are decided first.
 */
export const TABLE: Readonly<Record<string, Row>> = {
  [runtime]: { sources: [] },
  [jobs]: { sources: [runtime] },
  [codec]: { sources: [] },
  [bls]: { sources: [codec] },
  [keys]: { sources: [codec] },
  [warp]: { sources: [codec, bls, keys] },
  [aggregation]: { sources: [runtime, ...signing] },
  [p2p]: { sources: [runtime, codec, keys], tests: [bls] },
  [rpc]: { sources: [runtime, codec], tests: [browser] },
  [client]: { sources: [runtime, codec] },
  [http]: { sources: [codec, rpc] },
  [outbound]: { sources: [runtime, codec, rpc] },
  [tracing]: { sources: [runtime, rpc] },
  [operate]: { sources: [runtime, codec, http, tracing] },
  [options]: { sources: [runtime, codec] },
  [txs]: { sources: signing },
  [wallet]: { sources: [runtime, codec, keys, warp, rpc, txs], tests: [bls, browser, devnet, demoChain] },
  [genesis]: { sources: [codec, keys, txs] },
  [genesisData]: { sources: [codec, genesis] },
  [sync]: { sources: [runtime, codec, txs] },
  [ledger]: { sources: [codec, keys, warp, txs, genesis] },
  [evm]: { sources: [codec, warp] },
  [sql]: { sources: [runtime, codec] },
  [serviceStore]: { sources: [runtime, codec, sql] },
  [store]: { sources: [runtime, codec, keys, txs, genesis, ledger, sql, serviceStore] },
  [evmStore]: { sources: [runtime, codec, evm, sql, serviceStore] },
  [nodeApi]: {
    sources: [runtime, codec, http, operate, rpc, txs, genesis, ledger, store],
    tests: [bls, warp, sql],
  },
  [aggregator]: { sources: libraries, tests: [devnet, sql, store] },
  [node]: { sources: libraries, tests: [devnet] },
  [dataApi]: { sources: libraries, tests: [devnet] },
  [indexer]: { sources: libraries, tests: [devnet, demoChain] },
  [gateway]: { sources: libraries, tests: [devnet] },
  [consoleApp]: {
    sources: [client, codec, warp],
    tests: [
      runtime,
      http,
      operate,
      tracing,
      sql,
      serviceStore,
      store,
      evmStore,
      indexer,
      dataApi,
      aggregator,
      browser,
      demoChain,
      devnet,
    ],
  },
  [browser]: { sources: [] },
  [devnet]: { sources: libraries },
  [demoChain]: { sources: [codec, rpc, warp], tests: [bls] },
  [demoNetwork]: { sources: [codec, genesis, ledger, devnet], tests: [store] },
  // The recordings cover the whole node service, including its configuration, log levels and plugins, so
  // replaying them needs the service.
  [conformance]: { sources: [...libraries, indexer, node, devnet] },
  'tools/openapi': { sources: [operate, aggregator, dataApi], tests: [client, codec, warp, browser, devnet] },
  'tools/check': { sources: [] },
  'tools/deploy': { sources: [sql] },
  'tools/mutants': { sources: [] },
  'tools/release': { sources: ['tools/check'] },
  'tools/start': { sources: [] },
  'tools/readmes': { sources: [...libraries, browser, devnet, demoChain] },
  'tools/fuzz': { sources: [...libraries, aggregator, indexer, gateway] },
  'tools/bench': { sources: [...libraries, aggregator, indexer, node, dataApi, devnet, demoChain] },
  // The reference of REST is generated from a service on recordings. The pages show code that uses libraries.
  docs: { sources: [...libraries, aggregator, dataApi] },
  'examples/address-page': { sources: [client] },
  'examples/aggregate-and-verify': { sources: [client, rpc, warp] },
  'examples/browser-verifier': { sources: [rpc, warp] },
  'examples/create-l1': { sources: [bls, client, codec, keys, wallet] },
  'examples/quorum-alert': { sources: [rpc] },
  'examples/stake': { sources: [rpc, wallet] },
  'examples/verify-handler': { sources: [codec, rpc, warp] },
  'examples/watch-validators': { sources: [rpc] },
  'examples/relayer': {
    sources: [codec, warp, aggregator, devnet, demoChain],
    tests: [evmStore, indexer, dataApi],
  },
  'examples/tour': { sources: [codec, keys, rpc, wallet, aggregator, devnet] },
  'tools/cli': {
    sources: [
      ...libraries,
      client,
      aggregator,
      indexer,
      node,
      dataApi,
      gateway,
      devnet,
      demoChain,
      demoNetwork,
      conformance,
    ],
    // Tests of the examples, and of the metrics that dashboards and alerts use.
    tests: [browser, 'tools/deploy'],
  },
}

/**
 * Floors of each service and of the console, from the lowest to the highest: folders in `src`, and files directly in
 * `src`. A source may import from lower floors only, not from its own. The other files directly in `src` are
 * above all floors.
 */
export const FLOORS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  [aggregator]: [
    ['errors', 'internal', 'workers', 'Schema.ts'],
    ['configuration'],
    ['callers', 'load', 'p-chain'],
    ['peers'],
    ['forecast'],
    ['epochs'],
    ['signing'],
    ['json'],
    ['shared-log'],
    ['jobs', 'operate'],
    ['http'],
  ],
  [node]: [
    ['Configuration.ts', 'internal'],
    ['admin', 'containers', 'identity', 'peers'],
  ],
  [gateway]: [
    ['GatewayError.ts', 'GatewayLog.ts', 'Limits.ts', 'Version.ts'],
    ['json-rpc'],
    ['admission', 'methods', 'nodes'],
    ['logs'],
    ['request'],
    ['usage'],
    ['http', 'operate', 'websocket'],
    ['Gateway.ts'],
    ['command'],
  ],
  [indexer]: [['common'], ['evm', 'primary'], ['metadata', 'monitor'], ['images'], ['command']],
  [dataApi]: [
    ['http'],
    ['decoding', 'metadata', 'upstream'],
    ['primary'],
    ['evm'],
    ['changes', 'exports', 'metrics', 'operate', 'signature-aggregator', 'usage', 'webhooks'],
    ['service'],
    ['command'],
  ],
  [consoleApp]: [
    ['ConsoleError.ts', 'PageModule.ts', 'Routes.ts', 'format'],
    ['state'],
    ['search', 'warp'],
    ['components'],
    ['pages'],
  ],
}

/** Packages whose sources also run in a browser. */
export const BROWSER_SAFE: readonly string[] = [
  runtime,
  codec,
  bls,
  keys,
  warp,
  aggregation,
  txs,
  wallet,
  sync,
  genesis,
  ledger,
  evm,
  rpc,
  client,
]

/**
 * Sources of browser-safe packages that are loaded only under Node's export condition, each with the reason.
 * They may use Node's API. The bundle size rule proves that a browser never loads them.
 */
export const NODE_ONLY: Readonly<Record<string, string>> = {
  'packages/codec/src/internal/sha256.node.ts': 'hashing transaction ids is three times as fast',
  'packages/codec/src/internal/jsonPrinter.node.ts': 'printing long answers takes half the time with bytes',
  'packages/codec/src/internal/text.node.ts': 'formatting ids as text is four times as fast',
  'packages/evm/src/internal/keccak.node.ts': 'hashing topics of logs is seven times as fast',
  'packages/keys/src/internal/verify.node.ts':
    'verifying signatures of stakers is 4 times as fast for RSA, and 30 times for P-256',
  'packages/rpc/src/internal/socket.node.ts':
    'sockets can send headers, and limit the size of messages before reading them',
  'packages/bls/src/internal/engine.node.ts':
    'a native add-on that may be missing must be loaded with `require`',
}
