import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { anyChainOf, type EvmContext } from './chain/EvmContext.ts'
import { headIfServed, headOf, isOf, newestOf } from './chain/heads.ts'
import { ofChain } from './chain/inChain.ts'
import { network } from './chain/parameters.ts'
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
