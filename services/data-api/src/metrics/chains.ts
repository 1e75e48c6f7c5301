import { Id } from '@firn/codec'
import {
  chainId,
  chainOf,
  type EvmChainSource,
  type EvmContext,
  wholeChains,
} from '../evm/chain/EvmContext.ts'
import { isOf, kindOf } from '../evm/chain/heads.ts'
import { network } from '../evm/chain/parameters.ts'
import { type Body, define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Field from '../http/endpoint/Field.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { pageToken } from './parameters.ts'

const Chain = Schema.object('EvmChain', 'An EVM chain with metrics', {
  evmChainId: Schema.integer('EVM chain id', 43_114),
  chainName: Schema.text('Name of the chain', 'Avalanche C-Chain'),
  blockchainId: Field.cb58('Blockchain id; empty for a chain outside of Avalanche'),
  subnetId: Field.cb58('Subnet that validates the chain; empty for a chain outside of Avalanche'),
  network: Schema.choice(['mainnet', 'testnet'], 'Kind of network of the chain'),
})

const common = { method: 'GET', tag: 'Metrics', scope: 'metrics', units: 1 } as const

/** `GET /v2/chains`: the chains with metrics. */
export function listChains(context: EvmContext): Endpoint {
  return define({
    ...common,
    path: '/v2/chains',
    operationId: 'listChains',
    summary: 'Chains with metrics',
    pathParameters: {},
    // All chains fit on one page, so there is never a next page.
    queryParameters: { network: network(context), pageToken },
    response: Schema.object('MetricsListChainsResponse', 'The chains with metrics', {
      chains: Schema.list(Chain, 'Chains'),
    }),
    handle: async ({ query }) => {
      const chains = wholeChains(context).filter((source) => isOf(source, query.network))
      return { body: { chains: chains.map(bodyOf) } }
    },
  })
}

/** `GET /v2/chains/{chainId}`: a chain with metrics. */
export function getChain(context: EvmContext): Endpoint {
  return define({
    ...common,
    path: '/v2/chains/{chainId}',
    operationId: 'getChain',
    summary: 'A chain with metrics',
    pathParameters: { chainId: chainId(context) },
    queryParameters: {},
    response: Chain,
    handle: async ({ path }) => ({ body: bodyOf(chainOf(context, path.chainId)) }),
  })
}

/**
 * Returns a chain in the Metrics API's format. A chain outside Avalanche has no blockchain id, but clients
 * require a string.
 */
function bodyOf(source: EvmChainSource): Body {
  const { chainId, name, blockchainId, subnetId } = source.chain
  return {
    evmChainId: chainId,
    chainName: name,
    blockchainId: blockchainId === undefined ? '' : Id.format(blockchainId),
    subnetId: subnetId === undefined ? '' : Id.format(subnetId),
    network: kindOf(source),
  }
}
