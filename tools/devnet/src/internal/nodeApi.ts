import { Id } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { createRoutes, createService, type Endpoint, type Listener, RpcEndpoint } from '@firn/node-api'
import { InfoMethods, PlatformMethods, ProposerVmMethods } from '@firn/rpc'
import type { Chain } from '../State.ts'
import { ABOUT, LINKS } from './about.ts'
import { createHttpServer } from './httpServer.ts'
import { infoHandlers } from './infoHandlers.ts'
import type { Network } from './network.ts'
import { platformHandlers, proposerVmHandlers } from './platformHandlers.ts'

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
  routes.add(
    'info',
    '',
    RpcEndpoint.create(
      createService(
        InfoMethods,
        infoHandlers({
          ...network,
          constants: constants(network),
          primaryNetwork: () => network.timeline.tip.primary.values(),
        }),
      ),
    ),
  )
  const proposerVm = RpcEndpoint.create(createService(ProposerVmMethods, proposerVmHandlers(network)))
  for (const chain of chains) {
    const base = `bc/${Id.format(chain.id)}`
    for (const alias of ALIASES[chain.vm]) routes.alias(base, `bc/${alias}`)
    if (chain.vm !== 'avm') routes.add(base, '/proposervm', proposerVm)
    if (chain.vm !== 'platformvm') continue
    for (const alias of ALIASES.platformvm) routes.alias(base, alias)
    routes.add(base, '', RpcEndpoint.create(createService(PlatformMethods, platformHandlers(network))))
  }
  return createHttpServer({
    routes,
    nodeId: network.apiNode.nodeId,
    page: { ...ABOUT, links: LINKS },
    fallback: admin,
  })
}

function constants({ networkId, epochDurationMs }: Network): Networks.Constants {
  const standard = Networks.of(networkId)
  if (epochDurationMs === undefined) return standard
  const graniteEpochDuration = BigInt(epochDurationMs) * 1_000_000n
  return { ...standard, upgrades: { ...standard.upgrades, graniteEpochDuration } }
}

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
