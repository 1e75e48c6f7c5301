import { Id, NodeId } from '@firn/codec'
import {
  createListener,
  createRoutes,
  createService,
  type Endpoint,
  HttpRules,
  LandingEndpoint,
  type Listener,
  RpcEndpoint,
} from '@firn/node-api'
import { InfoMethods, PlatformMethods, ProposerVmMethods } from '@firn/rpc'
import type { Chain } from '../State.ts'
import { VERSION } from '../Version.ts'
import { infoHandlers } from './infoHandlers.ts'
import type { Network } from './network.ts'
import { platformHandlers, proposerVmHandlers } from './platformHandlers.ts'

/** Request timeout in milliseconds. */
const TIMEOUT_MS = 30_000
const IDLE_TIMEOUT_MS = 120_000

/**
 * Creates the HTTP server of the API node, which does not listen yet. Paths outside `/ext` are served by
 * `admin`.
 */
export function createNodeApi(
  network: Network,
  chains: readonly Chain[],
  admin: (path: string) => Endpoint | undefined,
): Listener {
  const routes = createRoutes()
  routes.add('info', '', RpcEndpoint.create(createService(InfoMethods, infoHandlers(network))))
  const proposerVm = RpcEndpoint.create(createService(ProposerVmMethods, proposerVmHandlers(network)))
  for (const chain of chains) {
    const base = `bc/${Id.format(chain.id)}`
    for (const alias of ALIASES[chain.vm]) routes.alias(base, `bc/${alias}`)
    routes.add(base, '/proposervm', proposerVm)
    if (chain.vm !== 'platformvm') continue
    for (const alias of ALIASES.platformvm) routes.alias(base, alias)
    routes.add(base, '', RpcEndpoint.create(createService(PlatformMethods, platformHandlers(network))))
  }
  const landing = LandingEndpoint.create(() => ({ ...ABOUT, links: LINKS }))
  return createListener({
    routes,
    rules: HttpRules.create({ nodeId: NodeId.format(network.apiNode.nodeId) }),
    fallback: (path) => (path === '/' ? landing : admin(path)),
    readTimeoutMs: TIMEOUT_MS,
    readHeaderTimeoutMs: TIMEOUT_MS,
    writeTimeoutMs: TIMEOUT_MS,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
  })
}

const ABOUT = {
  name: 'devnet',
  description:
    'A complete test network: validators that sign over the real peer protocol, and their P-chain.',
  version: VERSION,
  status: 'up',
  problems: [],
} as const

const LINKS = [
  { href: '/devnet', title: 'State of the network; POST requests to the sub-paths change it' },
  { href: '/ext/info', title: 'Methods of the Info API (JSON-RPC over POST)' },
  { href: '/ext/bc/P', title: 'Methods of the P-chain API (JSON-RPC over POST)' },
] as const

const ALIASES = {
  platformvm: ['P', 'platform'],
  avm: ['X', 'avm'],
  coreth: ['C', 'evm'],
  'subnet-evm': [],
} as const

/** Returns the names of a chain in paths: its id and its aliases. */
export function pathNames(chain: Chain): readonly string[] {
  return [Id.format(chain.id), ...ALIASES[chain.vm]]
}
