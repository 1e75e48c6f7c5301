import { createUpstreams, InfoMethods, PlatformMethods, type Upstreams } from '@firn/rpc'
import { type Clock, systemClock } from '@firn/runtime'
import type { Configuration, Upstream } from './Configuration.ts'
import { createPChain, type PChain } from './PChain.ts'

const PUBLIC_APIS = { mainnet: 'https://api.avax.network', fuji: 'https://api.avax-test.network' } as const
const LOCAL_API = 'http://127.0.0.1:9650'
/**
 * Number of times that a call tries all APIs before it fails.
 */
const ROUNDS = 2

/** The options that configure the node APIs. */
export type NodeApisOptions = Pick<Configuration, 'network' | 'pChainApi' | 'infoApi' | 'upstreamTimeout'>

/** Creates a client for the configured node APIs. An API that fails is skipped for a while. */
export function createNodeApis(options: NodeApisOptions, clock: Clock = systemClock): PChain {
  const platform = options.pChainApi.length > 0 ? options.pChainApi : [defaultApi(options.network)]
  const info = options.infoApi.length > 0 ? options.infoApi : platform
  const timeoutMs = options.upstreamTimeout
  return createPChain(
    upstreams(platform, timeoutMs, clock).client(PlatformMethods, '/ext/bc/P'),
    upstreams(info, timeoutMs, clock).client(InfoMethods, '/ext/info'),
  )
}

function defaultApi(network: Configuration['network']): Upstream {
  const baseUrl = network === 'mainnet' || network === 'fuji' ? PUBLIC_APIS[network] : LOCAL_API
  return { baseUrl, queryParameters: {}, httpHeaders: {} }
}

function upstreams(apis: readonly Upstream[], timeoutMs: number, clock: Clock): Upstreams {
  return createUpstreams({
    endpoints: apis.map(({ baseUrl, queryParameters, httpHeaders }) => ({
      url: baseUrl,
      query: queryParameters,
      headers: httpHeaders,
    })),
    timeoutMs,
    rounds: ROUNDS,
    clock,
    random: Math.random,
  })
}
