import { Id } from '@firn/codec'
import {
  Apis,
  Chains,
  createRoutes,
  createService,
  type Endpoint,
  Exchange,
  HttpRules,
  type Listener,
  type NodeContext,
  RpcEndpoint,
} from '@firn/node-api'
import { InfoMethods, ProposerVmMethods } from '@firn/rpc'
import { ABOUT, LINKS } from '../internal/about.ts'
import { createHttpServer } from '../internal/httpServer.ts'
import { infoHandlers } from '../internal/infoHandlers.ts'
import type { Network } from '../internal/network.ts'
import * as networkFiles from '../internal/networkFiles.ts'
import { proposerVmHandlers } from '../internal/platformHandlers.ts'
import type { ChainService } from './ChainService.ts'
import { createMempoolUpstream } from './mempoolUpstream.ts'

/**
 * Creates the HTTP server of a devnet that builds blocks, which does not listen yet: the APIs of a node, and the files
 * with which a node joins the network. The first request to a chain opens the database. Other paths are served by
 * `admin`.
 */
export function createChainApi(
  network: Network,
  service: ChainService,
  admin: (path: string) => Endpoint | undefined,
): Listener {
  const { genesis, constants } = service.builder.rules
  const names = Chains.createNames(genesis, new Map())
  const info = infoHandlers({
    ...network,
    constants,
    findChain: names.lookup,
    primaryNetwork: () => network.timeline.tip.primary.values(),
  })
  const routes = createRoutes()
  routes.add('info', '', RpcEndpoint.create(createService(InfoMethods, info)))
  const proposerVm = RpcEndpoint.create(createService(ProposerVmMethods, proposerVmHandlers(network)))
  const files = networkFiles.endpoints(service)
  let chainRoutes: Promise<NodeContext['routes']> | undefined
  return createHttpServer({
    routes,
    nodeId: network.apiNode.nodeId,
    page: { ...ABOUT, links: LINKS },
    fallback(path) {
      if (!path.startsWith('/ext/')) return files(path) ?? admin(path)
      return isL1ProposerVm(path, network)
        ? proposerVm
        : { handle: (exchange) => void handle(path, exchange) }
    },
  })

  async function handle(path: string, exchange: Exchange.Exchange): Promise<void> {
    try {
      chainRoutes ??= mount()
      const found = (await chainRoutes).find(path)
      if (found === undefined) Exchange.refuse(exchange, HttpRules.NOT_FOUND)
      else found.endpoint.handle(exchange)
    } catch (error) {
      Exchange.text(exchange, 500, `${(error as Error).message}\n`)
    }
  }

  async function mount(): Promise<NodeContext['routes']> {
    const context = createContext(network, service, await service.store.open())
    const mounting = { context, cache: undefined }
    Apis.addChains(mounting)
    Apis.addIndices(mounting, () => [{ first: 1n, last: undefined }])
    return context.routes
  }
}

function createContext(network: Network, service: ChainService, store: NodeContext['store']): NodeContext {
  const { genesis, constants } = service.builder.rules
  const ignore = () => undefined
  return {
    store,
    genesis,
    constants,
    followsCChain: true,
    chains: Chains.createNames(genesis, new Map()),
    routes: createRoutes(),
    snapshot: async () => (await service.store.open()).snapshot(),
    now: () => network.nowMs(),
    random: Math.random,
    upstream: createMempoolUpstream(service),
    validators: async () => ({ uptime: () => 1, isConnected: () => true }),
    isValidating: async () => false,
    isBootstrapped: () => true,
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    loggers: { names: () => [], levels: ignore, setLevels: ignore },
  }
}

/** Returns whether a path is the proposervm API of an L1's chain. */
function isL1ProposerVm(path: string, { timeline }: Network): boolean {
  return [...timeline.tip.chains.values()].some(
    ({ id, vm }) => vm === 'subnet-evm' && path === `/ext/bc/${Id.format(id)}/proposervm`,
  )
}
