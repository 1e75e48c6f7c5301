import type { IncomingMessage } from 'node:http'
import { Bytes, Id } from '@firn/codec'
import {
  AvaxMethods,
  AvmMethods,
  IndexMethods,
  PlatformMethods,
  ProposerVmMethods,
  WalletMethods,
} from '@firn/rpc'
import type { AnswerCache } from './AnswerCache.ts'
import * as AvaxApi from './avax/AvaxApi.ts'
import * as EvmEndpoint from './avax/EvmEndpoint.ts'
import * as AvmApi from './avm/AvmApi.ts'
import * as Chains from './Chains.ts'
import type { Freshness, NodeContext } from './Context.ts'
import * as IndexApi from './containers/IndexApi.ts'
import type { Endpoint } from './Exchange.ts'
import * as Exchange from './Exchange.ts'
import * as HttpRules from './HttpRules.ts'
import * as PassThrough from './PassThrough.ts'
import * as PlatformApi from './platform/PlatformApi.ts'
import * as ProposerVmApi from './proposervm/ProposerVmApi.ts'
import * as RpcEndpoint from './RpcEndpoint.ts'
import { createService, type Handlers, type ResultMemory } from './Service.ts'
import * as Units from './Units.ts'

/** Dependencies of the functions in this module. */
export interface Mounting {
  readonly context: NodeContext
  /** Cache of method results; undefined disables caching. */
  readonly cache: AnswerCache | undefined
}

/**
 * Returns an endpoint that serves a method table. Caches results according to `freshness`, and logs
 * unexpected errors.
 * @example
 * ```ts
 * import { Apis } from '@firn/node-api'
 * import { PlatformMethods } from '@firn/rpc'
 *
 * declare const mounting: Apis.Mounting
 * const handlers = { 'platform.getHeight': () => ({ height: 85n }) }
 * const freshness = { 'platform.getHeight': 'snapshot' } as const
 * const endpoint = Apis.endpoint(mounting, 'P', PlatformMethods, handlers, freshness)
 * ```
 */
export function endpoint<const T extends Units.PricedTable<T>>(
  { context, cache }: Mounting,
  name: string,
  table: T,
  handlers: Partial<Handlers<T>>,
  freshness: Readonly<Record<string, Freshness>>,
): Endpoint {
  const { log } = context
  const onError = (err: unknown, method: string) => log.error({ err, method }, 'method failed')
  const memory: { memory?: ResultMemory } = cache === undefined ? {} : { memory: cache.of(name, freshness) }
  return RpcEndpoint.create(createService(table, handlers, { onError, units: Units.METHODS, ...memory }))
}

/**
 * Adds the APIs of the Primary Network's chains. Each chain's endpoints reject calls until the chain is
 * bootstrapped.
 * @example
 * ```ts
 * import { Apis, type NodeContext } from '@firn/node-api'
 *
 * declare const context: NodeContext
 * Apis.addChains({ context, cache: undefined }) // serves /ext/bc/P, /ext/bc/X, …
 * ```
 * @throws RpcError `RPC_REMOTE` if a path is already in use
 */
export function addChains(mounting: Mounting): void {
  const { context } = mounting
  const { P, X, C } = Chains.ids(context.genesis)
  Chains.addPaths(context.routes, context.genesis)
  const platform = PlatformApi.handlers(context)
  addEndpoint(mounting, P, '', endpoint(mounting, 'P', PlatformMethods, platform, PlatformApi.FRESHNESS))
  addEndpoint(
    mounting,
    X,
    '',
    endpoint(mounting, 'X', AvmMethods, AvmApi.handlers(context), AvmApi.FRESHNESS),
  )
  const wallet = AvmApi.walletHandlers(context)
  addEndpoint(mounting, X, '/wallet', endpoint(mounting, 'X/wallet', WalletMethods, wallet, {}))
  const avax = AvaxApi.handlers(context)
  addEndpoint(mounting, C, '/avax', endpoint(mounting, 'C/avax', AvaxMethods, avax, AvaxApi.FRESHNESS))
  // A node does not serve the API on the X-chain.
  for (const [chain, chainId] of [
    ['P', P],
    ['C', C],
  ] as const) {
    const proposer = ProposerVmApi.handlers(context, chain)
    const target = endpoint(
      mounting,
      `${chain}/proposervm`,
      ProposerVmMethods,
      proposer,
      ProposerVmApi.FRESHNESS,
    )
    addEndpoint(mounting, chainId, '/proposervm', target)
  }
  const evm = PassThrough.create('/ext/bc/C/rpc', context)
  addEndpoint(mounting, C, '/rpc', context.upstream === undefined ? EvmEndpoint.create(context) : evm)
  addEndpoint(mounting, C, '/ws', PassThrough.create('/ext/bc/C/ws', context))
}

function addEndpoint({ context }: Mounting, chainId: Uint8Array, name: string, target: Endpoint): void {
  context.routes.add(Chains.baseOf(chainId), name, gated(context, chainId, target))
}

const SHUT: HttpRules.Refusal = {
  status: 503,
  body: 'API call rejected because chain is not done bootstrapping\n',
}

function gated(
  { genesis, followsCChain, isBootstrapped }: NodeContext,
  chainId: Uint8Array,
  target: Endpoint,
): Endpoint {
  // A C-chain that is not followed never finishes bootstrapping. Its methods give the reason.
  const isOpen = !followsCChain && Bytes.equals(chainId, Chains.ids(genesis).C)
  return {
    ...target,
    handle: (exchange) => {
      if (isOpen || isBootstrapped(chainId)) target.handle(exchange)
      else Exchange.refuse(exchange, SHUT)
    },
  }
}

/**
 * Adds the endpoints of the Index API.
 * @example
 * ```ts
 * import { Apis, type NodeContext } from '@firn/node-api'
 *
 * declare const context: NodeContext
 * const spans = () => [{ first: 0n, last: undefined }]
 * Apis.addIndices({ context, cache: undefined }, spans) // serves /ext/index/P/block, …
 * ```
 * @throws RpcError `RPC_REMOTE` if a path is already in use
 */
export function addIndices(mounting: Mounting, spans: Parameters<typeof IndexApi.handlers>[2]): void {
  for (const place of IndexApi.ENDPOINTS) {
    const { base, endpoint: name } = place
    const handlers = IndexApi.handlers(mounting.context, place, spans)
    const target = endpoint(mounting, `${base}${name}`, IndexMethods, handlers, IndexApi.FRESHNESS)
    mounting.context.routes.add(base, name, target)
  }
}

/** The endpoints of an EVM chain on an Avalanche L1. */
const L1_ENDPOINTS = ['', '/rpc', '/ws', '/validators', '/proposervm', '/admin'] as const

/**
 * Forwards the paths of a chain that the upstream runs, and registers the chain's id as an alias of the
 * chain.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Apis } from '@firn/node-api'
 *
 * declare const mounting: Apis.Mounting
 * const chainId = Id.parse('2D8RG4UpSXbPbvPCAWppNJyqTG2i2CAXSkTgmTBBvs7GKNZjsY')
 * Apis.addForeignChain(mounting, chainId)
 * ```
 * @throws CodecError `CODEC_ID` if the chain id is not 32 bytes long; RpcError `RPC_REMOTE` if a path is
 * already in use
 */
export function addForeignChain({ context }: Mounting, chainId: Uint8Array): void {
  const base = Chains.baseOf(chainId)
  const text = Id.format(chainId)
  if (context.chains.lookup(text) !== undefined) return
  context.chains.add(chainId, text)
  for (const name of L1_ENDPOINTS)
    context.routes.add(base, name, PassThrough.create(`/ext/${base}${name}`, context))
}

/**
 * Returns a fallback that forwards requests for unknown chains to the upstream. It accepts only chain ids,
 * because aliases differ between nodes.
 * @example
 * ```ts
 * import { Apis, type NodeContext } from '@firn/node-api'
 *
 * declare const context: NodeContext
 * const fallback = Apis.createFallback(context)
 * fallback('/ext/bc/unknown') // undefined
 * ```
 */
export function createFallback(context: NodeContext): (path: string) => Endpoint | undefined {
  return (path) => {
    const id = /^\/ext\/bc\/([1-9A-HJ-NP-Za-km-z]{40,60})(?:\/|$)/.exec(path)?.[1]
    if (id === undefined || context.upstream === undefined || context.chains.lookup(id) !== undefined)
      return undefined
    return PassThrough.create(encodeURI(path), context)
  }
}

/**
 * Returns an endpoint that serves operators only. Other callers get the 404 response of an unknown path.
 * @example
 * ```ts
 * import { Operators } from '@firn/operate'
 * import { Apis, type Endpoint } from '@firn/node-api'
 *
 * declare const target: Endpoint
 * declare const operators: Operators.Operators
 * const endpoint = Apis.operatorsOnly(target, (request) => Operators.isOperator(request, operators))
 * ```
 */
export function operatorsOnly(
  target: Endpoint,
  isOperator: (request: IncomingMessage) => Promise<boolean>,
): Endpoint {
  return {
    ...target,
    handle(exchange) {
      isOperator(exchange.request).then(
        (isAdmitted) =>
          isAdmitted ? target.handle(exchange) : Exchange.refuse(exchange, HttpRules.NOT_FOUND),
        // The keys cannot be read now.
        () => Exchange.refuse(exchange, HttpRules.NOT_FOUND),
      )
    },
  }
}
