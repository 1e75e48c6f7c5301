import { Bytes, CHAIN_ALIASES } from '@firn/codec'
import { Chains, createRoutes, createUpstream, type NodeContext, Peers, type Upstream } from '@firn/node-api'
import type { Observe } from '@firn/rpc'
import type { Logger } from '@firn/runtime'
import { type Network, Validators } from '@firn/store'
import type { Configuration } from './Configuration.ts'
import type { NodeOptions } from './NodeOptions.ts'
import { createUpstreamView } from './peers/UpstreamView.ts'

/** Creates what all endpoints share: the network, its names and routes, and the sources of their answers. */
export function createContext(
  options: NodeOptions,
  { genesis, constants, followsCChain }: Network,
  further: Chains.FurtherNames,
  onRequest: Observe,
): NodeContext {
  const { store, loggers, identity, peers = Peers.NONE, now = Date.now, random = Math.random } = options
  const byAlias = Chains.ids(genesis)
  const log = loggers.get('main')
  const upstream = configuredUpstream(options.configuration, options.fetch ?? fetch, onRequest)
  return {
    store,
    genesis,
    constants,
    followsCChain,
    chains: Chains.createNames(genesis, further),
    routes: createRoutes(),
    snapshot: () => store.snapshot(),
    now,
    random,
    upstream,
    issuer: options.issuer,
    validators: observe(peers, upstream, log),
    isValidating: async (subnetId, at) =>
      (await Validators.weightAt(store, at.P.height, subnetId, identity.nodeId)) > 0n,
    isBootstrapped: (chainId) => {
      const alias = CHAIN_ALIASES.find((one) => Bytes.equals(byAlias[one], chainId))
      if (alias === 'C' && !followsCChain) return false
      return alias === undefined || (options.isBootstrapped?.(alias) ?? true)
    },
    log,
    loggers,
  }
}

/**
 * Returns the source of uptimes: the measurements of this process if it is connected to peers or has no upstream,
 * otherwise the measurements of the upstream.
 */
function observe(peers: Peers.Peers, upstream: Upstream | undefined, log: Logger): NodeContext['validators'] {
  if (peers !== Peers.NONE || upstream === undefined) return async () => peers
  return createUpstreamView({ upstream, now: () => performance.now(), log })
}

/** Creates a client for the nodes in `--upstream`. Returns undefined if the option is empty. */
export function configuredUpstream(
  { upstream: urls, upstreamTimeout: timeoutMs }: Configuration,
  given: typeof fetch,
  observe?: Observe,
): Upstream | undefined {
  return urls.length === 0
    ? undefined
    : createUpstream({ urls, timeoutMs, fetch: given, now: () => performance.now(), observe })
}
