import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { NodeId } from '@firn/codec'
import { BoundPort, Connections } from '@firn/http'
import {
  Admin,
  Apis,
  Chains,
  createAnswerCache,
  createHealth,
  createListener,
  createRoutes,
  createVms,
  HealthEndpoints,
  HttpRules,
  Info,
  type LoggerLevels,
  type NodeContext,
  Peers,
  Profiler,
  type PublicIdentity,
} from '@firn/node-api'
import {
  AdminMethods,
  AvaxMethods,
  AvmMethods,
  HealthMethods,
  IndexMethods,
  InfoMethods,
  type MethodTable,
  PlatformMethods,
  ProposerVmMethods,
  WalletMethods,
} from '@firn/rpc'
import type { Logger } from '@firn/runtime'
import { Stakers, type Store } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import type { Session, Target } from '../Target.ts'

/** Maximum time in milliseconds that the node may take for a response, which may require database queries. */
const PATIENCE = 8_000
const CASE_LIMIT = 20_000
/**
 * Weight of the target when the time is divided. A case opens sockets and takes a hundred times as long as a
 * case of a decoder.
 */
const SHARE = 4

const ADDRESS = 'local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'
const ID = '2W8hCuRA7896rG26WX4tWhsydaZ43LivbuH4oQ3Ptm21jMH78U'
const SUBNET = '249Gk2KCQwQUQgUcMFCfPmV3iz6f4bkYzXPt93eShnFi82WtZW'

/** Returns arguments for all methods. Each method reads only the arguments that it knows. */
const params = (prefix: string) => ({
  address: `${prefix}-${ADDRESS}`,
  addresses: [`${prefix}-${ADDRESS}`, '8fYmfzi8rUCrRQGbWxB2hVjmtbnSuZTVN'],
  assetID: 'AVAX',
  blockID: ID,
  blockchainID: 'X',
  chain: 'X',
  encoding: 'json',
  height: '9',
  id: ID,
  index: '3',
  limit: '5',
  nodeIDs: ['NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'],
  numToFetch: '3',
  size: '2',
  sourceChain: 'C',
  startIndex: prefix === 'index' ? '1' : { address: `${prefix}-${ADDRESS}`, utxo: ID },
  subnetID: SUBNET,
  tags: ['P'],
  tx: '0x00000000',
  txID: ID,
})

/**
 * Methods under test. Of the Admin API, only methods that read are called, because the others would change
 * the process under test.
 */
const SERVED: readonly (readonly [string, MethodTable, string])[] = [
  ['/ext/bc/P', PlatformMethods, 'P'],
  ['/ext/bc/X', AvmMethods, 'X'],
  ['/ext/bc/X/wallet', WalletMethods, 'X'],
  ['/ext/bc/C/avax', AvaxMethods, 'C'],
  ['/ext/bc/C/proposervm', ProposerVmMethods, 'C'],
  ['/ext/info', InfoMethods, 'P'],
  ['/ext/health', HealthMethods, 'P'],
  ['/ext/index/P/block', IndexMethods, 'index'],
  ['/ext/admin', AdminMethods, 'P'],
]
const TELLING = /^(?!admin\.)|^admin\.(?:getChainAliases|getLoggerLevel|getConfig|dbGet|alias)/

interface Call {
  readonly path: string
  readonly body: string
}

const calls: readonly Call[] = SERVED.flatMap(([path, table, prefix]) =>
  Object.keys(table)
    .filter((method) => TELLING.test(method))
    .map((method, id) => ({
      path,
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params: params(prefix) }),
    })),
)

interface NodeApi {
  readonly url: string
  /**
   * Returns the unexpected errors of handlers since the last call, joined into one text; undefined if there
   * are none.
   */
  readonly failures: () => string | undefined
  readonly close: () => Promise<void>
}

const IDENTITY: PublicIdentity = {
  nodeId: new Uint8Array(20),
  publicKey: new Uint8Array(48),
  proofOfPossession: new Uint8Array(96),
}
const LEVELS: LoggerLevels = { logLevel: 'INFO', displayLevel: 'INFO' }

/** Creates the context of a node API without an upstream, on the recorded local network. */
const createContext = async (log: Logger): Promise<NodeContext> => {
  const store = await recordedStore('local')
  const network = (await store.network()) as NonNullable<Awaited<ReturnType<Store['network']>>>
  return {
    store,
    ...network,
    chains: Chains.createNames(network.genesis, new Map()),
    routes: createRoutes(),
    snapshot: () => store.snapshot(),
    now: Date.now,
    random: Math.random,
    upstream: undefined,
    validators: async () => Peers.NONE,
    isValidating: async () => false,
    isBootstrapped: () => true,
    log,
    loggers: {
      names: () => ['main'],
      levels: (name) => (name === 'main' ? LEVELS : undefined),
      setLevels: () => undefined,
    },
  }
}

const addRoutes = (context: NodeContext, folder: string): void => {
  const { snapshot, now, routes, store } = context
  const cache = createAnswerCache({ maxBytes: 2 ** 22, snapshot, now })
  const mounting = { context, cache }
  const vms = createVms({ folder, log: context.log })
  const info = Info.handlers(context, {
    identity: IDENTITY,
    ip: () => '',
    peers: Peers.NONE,
    vms,
    primaryNetwork: async () => Stakers.primaryValidators(store, (await snapshot()).P.height),
  })
  const profiler = new Profiler({ folder, now })
  const admin = Admin.handlers(context, { profiler, vms, config: () => ({}), workingFolder: folder })
  Apis.addChains(mounting)
  Apis.addIndices(mounting, () => [{ first: 1n }])
  HealthEndpoints.add(routes, createHealth({ checks: [], now, timeoutMs: 1_000 }))
  routes.add('info', '', Apis.endpoint(mounting, 'info', InfoMethods, info, Info.FRESHNESS))
  routes.add('admin', '', Apis.endpoint(mounting, 'admin', AdminMethods, admin, Admin.FRESHNESS))
}

const openNodeApi = async (): Promise<NodeApi> => {
  const folder = mkdtempSync(join(tmpdir(), 'firn-fuzz-'))
  let failure: string | undefined
  const ignore = () => undefined
  const error = (facts: object, message: string) => {
    failure = `${message}: ${inspect(facts)}`
  }
  const context = await createContext({ debug: ignore, info: ignore, warn: ignore, error })
  addRoutes(context, folder)
  const listener = createListener({
    routes: context.routes,
    rules: HttpRules.create({ nodeId: NodeId.format(IDENTITY.nodeId) }),
    fallback: Apis.createFallback(context),
    connections: Connections.create({ service: 'fuzz', prefix: 'fuzz' }),
    readTimeoutMs: 30_000,
    readHeaderTimeoutMs: 30_000,
    writeTimeoutMs: 30_000,
    // The server closes an HTTP/2 connection that stops in the middle of a frame only after this idle time.
    idleTimeoutMs: 500,
  })
  const port = await BoundPort.bind({ host: '127.0.0.1', port: 0, flag: '--http-port' })
  return {
    url: await listener.listen(port),
    failures: () => {
      const found = failure
      failure = undefined
      return found
    },
    close: async () => {
      await listener.close(1_000)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Opens a target that sends hostile bodies of JSON-RPC requests to every path in turn. */
const openBodies = async (): Promise<Session> => {
  const nodeApi = await openNodeApi()
  return {
    corpus: calls.map(({ body }) => encode(body)),
    run: async (input) => {
      const text = new TextDecoder().decode(input)
      const { path } = calls.find(({ body }) => text.startsWith(body.slice(0, 40))) ??
        calls[input.length % calls.length] ?? { path: '/' }
      const response = await fetch(nodeApi.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: input.slice(),
        signal: AbortSignal.timeout(PATIENCE),
      })
      const body = await response.text()
      if (response.status !== 200) return `status ${response.status}: ${body.slice(0, 200)}`
      return nodeApi.failures()
    },
    close: nodeApi.close,
  }
}

/** Sends bytes unchanged, then ends the sending side. Resolves with all received text. */
const exchange = (url: string, input: Uint8Array): Promise<string | undefined> => {
  const { hostname: host, port } = new URL(url)
  return new Promise((settle) => {
    const chunks: Buffer[] = []
    const socket = connect({ host, port: Number(port), allowHalfOpen: true }, () => socket.end(input))
    const timer = setTimeout(() => {
      socket.destroy()
      settle(undefined)
    }, PATIENCE)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.on('end', () => socket.destroy())
    socket.on('close', () => {
      clearTimeout(timer)
      settle(Buffer.concat(chunks).toString('latin1'))
    })
  })
}

const request = (method: string, path: string, headers: string, body = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`

const JSON_HEADER = 'Content-Type: application/json\r\n'

const seeds: readonly string[] = [
  ...calls.slice(0, 8).map(({ path, body }) => request('POST', path, JSON_HEADER, body)),
  request('GET', '/ext/health?tag=P', ''),
  request('HEAD', '/ext/info', ''),
  request('OPTIONS', '/ext/info', 'Origin: https://a\r\nAccess-Control-Request-Method: POST\r\n'),
  request('GET', '/ext/../ext//info/%2e%2e?x', 'Avalanche-Api-Route: P\r\n'),
  `POST /ext/info HTTP/1.1\r\nHost: a\r\n${JSON_HEADER}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n`,
  'GET /ext/metrics HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n',
  'GET /ext/bc/C/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000',
]

/**
 * Returns whether a response reports an internal error. The error about a missing upstream is expected,
 * because some chains are only forwarded.
 */
const isFault = (answer: string): boolean =>
  /^HTTP\/1\.1 5/.test(answer) && !answer.includes('needs an upstream')

/** Opens a target that sends arbitrary bytes to the HTTP port. */
const openRequests = async (): Promise<Session> => {
  const nodeApi = await openNodeApi()
  const good = encode(request('POST', '/ext/info', `${JSON_HEADER}Connection: close\r\n`, calls.at(-1)?.body))
  let count = 0
  return {
    corpus: seeds.map(encode),
    run: async (input) => {
      const answer = await exchange(nodeApi.url, input)
      if (answer === undefined) return `no answer and no disconnect within ${PATIENCE} ms`
      if (isFault(answer)) return answer.slice(0, 200)
      if (++count % 16 !== 0) return nodeApi.failures()
      const well = await exchange(nodeApi.url, good)
      return well?.startsWith('HTTP/1.1 200') ? nodeApi.failures() : 'a valid request is no longer answered'
    },
    close: nodeApi.close,
  }
}

/** Targets that send hostile requests to the node API. It must not crash, hang, or fail internally. */
export const nodeApiTargets: readonly Target[] = [
  { name: 'node API bodies', share: SHARE, caseLimitMs: CASE_LIMIT, open: openBodies },
  { name: 'node API requests', share: SHARE, caseLimitMs: CASE_LIMIT, open: openRequests },
]
