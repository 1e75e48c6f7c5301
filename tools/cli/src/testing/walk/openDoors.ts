import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAggregatorService, createConfiguration } from '@firn/aggregator'
import { createDataApi, createKey } from '@firn/data-api'
import { createDevnet } from '@firn/devnet'
import { recordedEvmStore } from '@firn/evm-store/testing'
import { createBypassToken, createGateway, ROUTES } from '@firn/gateway'
import { ApiKey } from '@firn/http'
import { createMonitor, ofNetwork } from '@firn/indexer'
import { createConfiguration as createNodeConfiguration, openService } from '@firn/node'
import { createOpenRpc } from '@firn/rpc/openrpc'
import type { ServiceStore } from '@firn/service-store'
import { openUsage } from '@firn/service-store/testing'
import type { Store } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import type { Door, Method } from './Door.ts'

const MIB = 2 ** 20
/** What a body may cost in the cost of `JSON.parse`: twice for the parser, and once for the rest. */
const FACTOR = 3
/** The same for the node API, whose parser is not `JSON.parse`, because it repeats the errors of Go's parser. */
const GO_FACTOR = 6
/** Size of the headers that Node.js accepts by default, in bytes. */
const HEADER_BYTES = 2 ** 14
/** Units that an address may use per minute: enough for every request, and used up by some dozen of them. */
const ALLOWANCE = { unitsPerMinute: 3_000, unitsPerDay: 10 ** 9 }
const GENEROUS = { unitsPerMinute: 10 ** 9, unitsPerDay: 10 ** 9 }
const COMMON = { host: '127.0.0.1', port: 0, proxies: 1 } as const

const get = (path: string) => ({ method: 'GET', path })

/** Servers and how they are closed. For tests only. */
export interface Doors {
  readonly doors: readonly Door[]
  close(): Promise<void>
}

/** Starts all services on recorded networks, each behind a proxy that reports the caller's address. For tests only. */
export async function openDoors(): Promise<Doors> {
  const closers: (() => unknown)[] = []
  const closing = <T extends { close(): unknown }>(one: T): T => {
    closers.push(() => one.close())
    return one
  }
  const store = await recordedStore('local')
  const keys = await createKeys(store)
  const doors = [
    ...(await openData(store, keys, closing)),
    ...(await openAggregators(closing)),
    await openNode(store, keys, closing),
    await openGateway(closing),
    await openMonitor(closing),
  ]
  return {
    doors,
    close: async () => {
      for (const close of closers.reverse()) await close()
    },
  }
}

type Closing = <T extends { close(): unknown }>(one: T) => T

interface Keys {
  readonly keys: Door['keys']
  readonly unknownKey: Readonly<Record<string, string>>
  readonly spentKey: Readonly<Record<string, string>>
}

async function createKeys(store: ServiceStore): Promise<Keys> {
  const header = (key: string) => ({ 'x-data-api-key': key })
  const create = async (name: string, scopes: readonly ApiKey.Scope[], units: number | undefined) => {
    const limits = { unitsPerMinute: units, unitsPerDay: units }
    return header(await createKey(store, { name, scopes, ...limits }, randomBytes, 1_795_000_000))
  }
  const own = await Promise.all(
    ApiKey.SCOPES.map(async (scope) => [scope, await create(scope, [scope], undefined)]),
  )
  return {
    keys: Object.fromEntries(own),
    unknownKey: header(ApiKey.generate(randomBytes)),
    spentKey: await create('spent', ApiKey.SCOPES, 1),
  }
}

async function openData(store: Store, keys: Keys, closing: Closing): Promise<readonly Door[]> {
  const usage = closing(await openUsage())
  const service = closing(
    await createDataApi({
      ...COMMON,
      ...{ store, chains: [{ store: await recordedEvmStore('c'), nodes: [] }], usage },
      metrics: { port: 0 },
      limits: { anonymous: ALLOWANCE, keyed: GENEROUS },
      // Nothing listens on this port, so admitted requests get status 502.
      aggregatorUrl: 'http://127.0.0.1:9',
      aggregateStatus: 200,
      timeoutMs: 60_000,
      version: '0',
    }),
  )
  const common = { ...keys, methods: [], bodyBytes: MIB, headerBytes: HEADER_BYTES, factor: FACTOR }
  const spending = { data: get('/v1/transactions'), metrics: get('/v2/chains/43112/metrics/txCount') }
  return [
    {
      ...{ ...common, server: 'data api', url: service.url, routes: service.routes },
      ...{ spending: spending.data, parts: {} },
    },
    {
      ...{ ...common, server: 'metrics api', url: service.metricsUrl, routes: service.metricsRoutes },
      // The Metrics API serves callers with an unknown key like those without one.
      ...{ spending: spending.metrics, parts: { network: 'mainnet' }, unknownKey: undefined },
    },
  ]
}

/** An aggregator that is open to all, and one that requires a key. */
async function openAggregators(closing: Closing): Promise<readonly Door[]> {
  const devnet = closing(await createDevnet({ validators: 1 }))
  const open = async (more: Parameters<typeof createConfiguration>[0]) =>
    closing(
      await createAggregatorService(
        createConfiguration({
          ...{ pChainApi: devnet.rpcUrl, apiPort: 0, metricsPort: await freePort(), logLevel: 'off' },
          ...{ proxies: 1, rateLimitPerMinute: 100, ...more },
        }),
      ),
    )
  const [shared, guarded] = [await open({}), await open({ apiKeys: ['right'] })]
  const common = {
    methods: [],
    bodyBytes: 5_242_880,
    headerBytes: HEADER_BYTES,
    factor: FACTOR,
    parts: {},
  } as const
  const none = { keys: {}, unknownKey: undefined, spentKey: undefined }
  return [
    {
      ...{ ...common, ...none, server: 'aggregator', url: shared.url, routes: shared.routes },
      spending: get('/v1/nothing'),
    },
    {
      ...{ ...common, ...none, server: 'aggregator metrics', url: shared.metricsUrl ?? '' },
      ...{ routes: shared.metricsRoutes, spending: undefined },
    },
    {
      ...{ ...common, server: 'aggregator', url: guarded.url, routes: guarded.routes, spending: undefined },
      ...{ keys: {}, unknownKey: { 'x-data-api-key': 'wrong' }, spentKey: undefined },
    },
  ]
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Paths of the node API that are not in its table of routes. */
const NODE_PATHS = ['/', '/console/{asset}', '/openrpc.json', '/operate/{data}']

/** A request that costs many units, because it is long. */
const NODE_SPENDING = { method: 'POST', path: '/ext/info', body: ' '.repeat(MIB / 4) }

async function openNode(store: Store, { spentKey: _, ...keys }: Keys, closing: Closing): Promise<Door> {
  const dataDir = mkdtempSync(join(tmpdir(), 'firn-walk-'))
  closing({ close: () => rmSync(dataDir, { recursive: true, force: true }) })
  const { url, node } = closing(
    await openService({
      configuration: createNodeConfiguration({
        ...{ dataDir, httpPort: 0, stakingPort: 0, proxies: 1 },
        ...{ httpUnitsPerSecond: 1, httpBurstUnits: 60_000 },
        ...{ apiAdminEnabled: true, indexEnabled: true, indexAllowIncomplete: true },
      }),
      store,
      display: { write: () => undefined },
    }),
  )
  const paths = node.context.routes.paths()
  const routes = [
    ...paths.flatMap((path) => ['POST', 'GET'].map((method) => ({ method, path }))),
    ...NODE_PATHS.map((path) => ({ method: 'GET', path })),
  ]
  return {
    ...{ ...keys, server: 'node api', url, routes, methods: nodeMethods(url, paths), parts: {} },
    ...{ unknownKey: undefined, spentKey: undefined, spending: NODE_SPENDING },
    // The maximum is 128 MiB, which takes this test too long.
    ...{ bodyBytes: 128 * MIB, headerBytes: MIB, factor: GO_FACTOR },
  }
}

function nodeMethods(url: string, paths: readonly string[]): readonly Method[] {
  const { methods } = createOpenRpc({
    title: 'walk',
    version: '0',
    url,
    isServed: (path) => paths.includes(path),
  })
  // Methods of the Admin API serve operators, and its profiles are meant to be dear.
  const others = methods.filter(({ name }) => !name.startsWith('admin.'))
  return others.flatMap(({ name, servers, examples }) =>
    servers.map((served) => ({
      path: served.name,
      name,
      params: Object.fromEntries((examples[0]?.params ?? []).map((one) => [one.name, one.value])),
    })),
  )
}

/** Calls of an EVM chain with arguments of each kind: an object, a list, bytes, and none. */
const EVM_CALLS: readonly (readonly [name: string, params: readonly unknown[]])[] = [
  ['eth_blockNumber', []],
  ['eth_call', [{ to: `0x${'11'.repeat(20)}`, data: '0x' }, 'latest']],
  ['eth_getLogs', [{ address: [`0x${'11'.repeat(20)}`], topics: [], fromBlock: '0x0', toBlock: '0x1' }]],
  ['eth_sendRawTransaction', ['0x00']],
  ['debug_traceCall', []],
]

async function openGateway(closing: Closing): Promise<Door> {
  const upstream = createServer((request, response) => {
    request.resume()
    response.end('{"jsonrpc":"2.0","id":1,"result":"0xa868"}')
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  closing(upstream)
  const usage = closing(await openUsage())
  const random = { bytes: randomBytes, number: Math.random }
  const token = await createBypassToken(usage, { name: 'one', creditsPerSecond: undefined }, randomBytes, 1)
  const { port } = upstream.address() as AddressInfo
  const { url } = closing(
    await createGateway({
      ...{ ...COMMON, usage, random, limits: { rate: { perSecond: 1, burst: 300 } } },
      chains: [
        {
          names: ['43112'],
          urls: [new URL(`http://127.0.0.1:${port}`)],
          store: await recordedEvmStore('c'),
        },
      ],
      now: () => performance.timeOrigin + performance.now(),
      log: { info: () => undefined, warn: () => undefined },
    }),
  )
  const methods = EVM_CALLS.map(([name, params]) => ({ path: '/rpc/43112', name, params }))
  return {
    ...{ server: 'gateway', url, routes: ROUTES, methods, parts: { token }, keys: {} },
    ...{ unknownKey: { 'x-bypass-token': 'wrong' }, spentKey: undefined, spending: get('/rpc/nothing') },
    ...{ bodyBytes: MIB, headerBytes: HEADER_BYTES, factor: FACTOR },
  }
}

async function openMonitor(closing: Closing): Promise<Door> {
  const metrics = { contentType: 'text/plain; version=0.0.4; charset=utf-8', getMetricsAsArray: () => [] }
  const status = () => ({
    ...{ phase: 'following', problems: [], chains: undefined, blocksPerSecond: 0, secondsLeft: undefined },
  })
  const indexer = { status, metrics, problemsOf: () => [] }
  const { url, routes } = closing(await createMonitor(ofNetwork(indexer as never), { port: 0 }))
  return {
    ...{ server: 'indexer monitor', url, routes, methods: [], parts: {}, keys: {} },
    ...{ unknownKey: undefined, spentKey: undefined, spending: undefined },
    ...{ bodyBytes: MIB, headerBytes: HEADER_BYTES, factor: FACTOR },
  }
}
