import { Network } from '@firn/codec'
import {
  createUpstreams,
  type Endpoint,
  InfoMethods,
  type Observe,
  PlatformMethods,
  resolve,
  type Upstreams,
  type UpstreamsOptions,
} from '@firn/rpc'
import { type Clock, type Logger, silentLogger, systemClock } from '@firn/runtime'
import { Registry } from 'prom-client'
import type { Configuration } from '../configuration/Configuration.ts'
import type { Upstream } from '../configuration/UpstreamOptions.ts'
import { createAgreement } from './Agreement.ts'
import { createPChain, isUnknown, type PChain } from './PChain.ts'

const PUBLIC_APIS = [
  [Network.MAINNET, 'https://api.avax.network'],
  [Network.FUJI, 'https://api.avax-test.network'],
] as const
const LOCAL_API = 'http://127.0.0.1:9650'
/**
 * Number of times that a call tries all APIs before it fails.
 */
const ROUNDS = 2

/** The options that configure the node APIs. */
export type NodeApisOptions = Pick<
  Configuration,
  'network' | 'pChainApi' | 'infoApi' | 'upstreamTimeout' | 'agree'
>

/** Dependencies of {@link createNodeApis}; all are optional. */
export interface NodeApisDependencies {
  /** Observes each request. */
  readonly observe?: Observe
  readonly clock?: Clock
  readonly register?: Registry
  readonly log?: Logger
}

/**
 * Creates a client for the configured node APIs. An API that failed is tried last for a while. If several APIs must
 * agree, validator sets and subnets are requested from all of them and compared.
 */
export function createNodeApis(
  options: NodeApisOptions,
  { observe, clock = systemClock, register = new Registry(), log = silentLogger }: NodeApisDependencies = {},
): PChain {
  const platform = platformApis(options)
  const info = options.infoApi.length > 0 ? options.infoApi : platform
  const transport = { timeoutMs: options.upstreamTimeout, clock, observe }
  const infoClient = upstreams(info, transport).client(InfoMethods, '/ext/info')
  const create = (apis: readonly Upstream[]) =>
    createPChain(upstreams(apis, transport).client(PlatformMethods, '/ext/bc/P'), infoClient)
  const any = create(platform)
  if (options.agree === 1) return any
  const apis = platform.map((api) => ({ name: resolve({ url: api.baseUrl }).name, pChain: create([api]) }))
  return createAgreement({ any, apis, agree: options.agree, register, log })
}

function platformApis({
  pChainApi,
  network,
}: Pick<Configuration, 'network' | 'pChainApi'>): readonly Upstream[] {
  return pChainApi.length > 0 ? pChainApi : [defaultApi(network)]
}

/** Returns the node APIs of the P-chain. */
export function platformEndpoints(
  options: Pick<Configuration, 'network' | 'pChainApi'>,
): readonly Endpoint[] {
  return platformApis(options).map(toEndpoint)
}

function toEndpoint({ baseUrl, queryParameters, httpHeaders }: Upstream): Endpoint {
  return { url: baseUrl, query: queryParameters, headers: httpHeaders }
}

function defaultApi(network: Configuration['network']): Upstream {
  const networkId = network === 'auto' ? undefined : Network.parseName(network)
  const baseUrl = PUBLIC_APIS.find(([id]) => id === networkId)?.[1] ?? LOCAL_API
  return { baseUrl, queryParameters: {}, httpHeaders: {} }
}

function upstreams(
  apis: readonly Upstream[],
  transport: Pick<UpstreamsOptions, 'timeoutMs' | 'clock' | 'observe'>,
): Upstreams {
  return createUpstreams({
    ...transport,
    endpoints: apis.map(toEndpoint),
    rounds: ROUNDS,
    isAnswer: isUnknown,
    random: Math.random,
  })
}
