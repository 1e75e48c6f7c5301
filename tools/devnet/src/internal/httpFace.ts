import { Id, NodeId } from '@firn/codec'
import { LandingPage } from '@firn/http'
import { InfoMethods, nodeHttp, PlatformMethods, ProposerVmMethods, server } from '@firn/rpc'
import fastify, { type FastifyInstance } from 'fastify'
import type { Chain } from '../State.ts'
import { VERSION } from '../Version.ts'
import { infoHandlers } from './infoHandlers.ts'
import type { Network } from './network.ts'
import { platformHandlers, proposerVmHandlers } from './platformHandlers.ts'

/** Returns the API node's HTTP app, not listening yet. */
export async function createHttpFace(network: Network, chains: readonly Chain[]): Promise<FastifyInstance> {
  const app = fastify({ exposeHeadRoutes: false, forceCloseConnections: true })
  nodeHttp(app, { nodeId: NodeId.format(network.apiNode.nodeId) })
  await app.register(server(InfoMethods, infoHandlers(network), { paths: ['/ext/info'] }))
  const platformPaths = ['P', 'platform', Id.format(new Uint8Array(32))].flatMap((name) => [
    `/ext/bc/${name}`,
    `/ext/${name}`,
  ])
  await app.register(
    server(PlatformMethods, platformHandlers(network), { paths: platformPaths.slice(0, -1) }),
  )
  const proposerPaths = chains.flatMap(pathNames).map((name) => `/ext/bc/${name}/proposervm`)
  await app.register(server(ProposerVmMethods, proposerVmHandlers(network), { paths: proposerPaths }))
  app.get('/', async (request, reply) => {
    const page = LandingPage.render({ ...ABOUT, links: LINKS }, request.headers.accept)
    return reply.headers(page.headers).send(page.body)
  })
  return app
}

const ABOUT = {
  name: 'devnet',
  description: 'A network in a box: validators that sign over the real peer protocol, and their P-Chain.',
  version: VERSION,
  status: 'up',
  problems: [],
} as const

const LINKS: readonly LandingPage.Link[] = [
  { href: '/devnet', title: 'The state of the network; POST to its sub-paths changes it' },
  { href: '/ext/info', title: 'Info methods (JSON-RPC, POST)' },
  { href: '/ext/bc/P', title: 'P-Chain methods (JSON-RPC, POST)' },
]

const ALIASES = {
  platformvm: ['P', 'platform'],
  avm: ['X', 'avm'],
  coreth: ['C', 'evm'],
  'subnet-evm': [],
} as const

/** Returns the names of a chain in paths: id and aliases. */
export function pathNames(chain: Chain): readonly string[] {
  return [Id.format(chain.id), ...ALIASES[chain.vm]]
}
