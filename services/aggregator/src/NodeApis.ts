import {
  createUpstreams,
  InfoMethods,
  type Observe,
  PlatformMethods,
  type Upstreams,
  type UpstreamsOptions,
} from '@firn/rpc'
import { type Clock, systemClock } from '@firn/runtime'
import type { Configuration, Upstream } from './Configuration.ts'
import { createPChain, isUnknown, type PChain } from './PChain.ts'

const PUBLIC_APIS = { mainnet: 'https://api.avax.network', fuji: 'https://api.avax-test.network' } as const
const LOCAL_API = 'http://127.0.0.1:9650'
/**
 * Number of times that a call tries all APIs before it fails.
 */
const ROUNDS = 2

/** The options that configure the node APIs. */
export type NodeApisOptions = Pick<Configuration, 'network' | 'pChainApi' | 'infoApi' | 'upstreamTimeout'>

/**
 * Creates a client for the configured node APIs. An API that failed is tried last for a while. `observe` receives the
 * outcome of each request.
 */
export function createNodeApis(
  options: NodeApisOptions,
  observe?: Observe,
  clock: Clock = systemClock,
): PChain {
  const platform = options.pChainApi.length > 0 ? options.pChainApi : [defaultApi(options.network)]
  const info = options.infoApi.length > 0 ? options.infoApi : platform
  const transport = { timeoutMs: options.upstreamTimeout, clock, observe }
  return createPChain(
    upstreams(platform, transport).client(PlatformMethods, '/ext/bc/P'),
    upstreams(info, transport).client(InfoMethods, '/ext/info'),
  )
}

function defaultApi(network: Configuration['network']): Upstream {
  const baseUrl = network === 'mainnet' || network === 'fuji' ? PUBLIC_APIS[network] : LOCAL_API
  return { baseUrl, queryParameters: {}, httpHeaders: {} }
}

function upstreams(
  apis: readonly Upstream[],
  transport: Pick<UpstreamsOptions, 'timeoutMs' | 'clock' | 'observe'>,
): Upstreams {
  return createUpstreams({
    ...transport,
    endpoints: apis.map(({ baseUrl, queryParameters, httpHeaders }) => ({
      url: baseUrl,
      query: queryParameters,
      headers: httpHeaders,
    })),
    rounds: ROUNDS,
    isAnswer: isUnknown,
    random: Math.random,
  })
}
