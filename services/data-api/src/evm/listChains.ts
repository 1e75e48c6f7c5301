import { isFirnError } from '@firn/codec'
import type { EvmSnapshot } from '@firn/store/evm'
import { define, type Endpoint } from '../front/Endpoint.ts'
import * as Parameter from '../front/Parameter.ts'
import * as Schema from '../front/Schema.ts'
import { isUnserved } from '../isUnserved.ts'
import { anyChainOf, type EvmChainSource, type EvmContext, type NetworkKind } from './EvmContext.ts'
import { ofChain } from './inChain.ts'
import { network } from './parameters.ts'
import { ChainInfo, chainInfo, featuresOf } from './shapes/ChainInfo.ts'

/** `GET /v1/chains`: the chains that the service serves. */
export function listChains(context: EvmContext): Endpoint {
  return define({
    method: 'GET',
    path: '/v1/chains',
    operationId: 'supportedChains',
    summary: 'The served EVM chains',
    tag: 'EVM',
    scope: 'data',
    units: 1,
    pathParameters: {},
    queryParameters: {
      network: network(context),
      feature: Parameter.optional(Parameter.choice(['nftIndexing', 'webhooks', 'teleporter'])),
    },
    response: Schema.object('ListChainsResponse', 'The served EVM chains', {
      chains: Schema.list(ChainInfo, 'Chains'),
    }),
    handle: async ({ query: { network, feature } }) => {
      const chains = context.chains.filter(
        (source) =>
          isOf(source, network) &&
          (feature === undefined || featuresOf(source).some((one) => one === feature)),
      )
      const heads = await Promise.all(chains.map(headIfServed))
      const body = chains.map((source, index) => chainInfo(source, heads[index] !== undefined))
      return { body: { chains: body }, ...newestOf(heads) }
    },
  })
}

/** `GET /v1/chains/{chainId}`: a chain that the service serves. */
export function getChain(context: EvmContext): Endpoint {
  return define({
    method: 'GET',
    path: '/v1/chains/{chainId}',
    operationId: 'getChainInfo',
    summary: 'A served EVM chain',
    tag: 'EVM',
    scope: 'data',
    units: 1,
    pathParameters: ofChain(context),
    queryParameters: {},
    response: ChainInfo,
    handle: async ({ path }) => {
      const source = anyChainOf(context, path.chainId)
      const head = await headOf(source)
      return { body: chainInfo(source, head !== undefined), ...newestOf([head]) }
    },
  })
}

/** Returns the network kind of a chain. */
export function kindOf({ chain }: Pick<EvmChainSource, 'chain'>): NetworkKind {
  return chain.network === 'mainnet' ? 'mainnet' : 'testnet'
}

/** Returns whether a chain has the given network kind; true for every chain if `network` is undefined. */
export function isOf({ chain }: EvmChainSource, network: NetworkKind | undefined): boolean {
  return network === undefined || kindOf({ chain }) === network
}

/** Returns the newest block of a chain, or undefined if no block is indexed yet. */
export async function headOf({ store }: EvmChainSource): Promise<EvmSnapshot | undefined> {
  try {
    return await store.snapshot()
  } catch (error) {
    if (isFirnError(error) && error.code === 'STORE_EMPTY') return undefined
    throw error
  }
}

/**
 * Returns the newest block of a chain like {@link headOf}, but undefined if the chain is not served. Answers over
 * all chains omit such chains.
 */
export async function headIfServed(source: EvmChainSource): Promise<EvmSnapshot | undefined> {
  try {
    return await headOf(source)
  } catch (error) {
    if (isUnserved(error)) return undefined
    throw error
  }
}

/**
 * Returns the height and time of the newest of the given blocks, for the response headers of an answer over
 * several chains.
 */
export function newestOf(heads: readonly (EvmSnapshot | undefined)[]) {
  const newest = heads.reduce(
    (a, b) => (a === undefined || (b !== undefined && b.time > a.time) ? b : a),
    undefined,
  )
  return { height: newest?.height ?? 0n, time: newest?.time ?? 0n }
}
