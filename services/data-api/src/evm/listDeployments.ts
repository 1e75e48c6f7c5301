import { EvmCreations } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Endpoint } from '../front/Endpoint.ts'
import { list } from '../front/List.ts'
import { chainOf, type EvmContext } from './EvmContext.ts'
import { inChain, ofChain, perBlock } from './inChain.ts'
import { address } from './parameters.ts'
import { callKey, callPlace } from './places.ts'
import { Contract, contract } from './shapes/Contract.ts'
import { contractsAt } from './shapes/RichAddress.ts'

/** `GET …/contracts/{address}/deployments`: contracts created by transactions of an address, newest first. */
export function listDeployments(context: EvmContext): Endpoint {
  return list({
    ...inChain(context),
    version: perBlock(context),
    path: '/v1/chains/{chainId}/contracts/{address}/deployments',
    summary: 'Contracts created by transactions of an address, newest first',
    pathParameters: { ...ofChain(context), address },
    queryParameters: {},
    pageSize: { fallback: 10, maximum: 100 },
    response: { contracts: Type.Array(Contract) },
    read: ({ path, at, after, limit }) =>
      EvmCreations.ofDeployer(chainOf(context, path.chainId).store, at, path.address, {
        after: callPlace(after),
        limit,
      }),
    keyOf: callKey,
    body: async (page, { path, at }) => {
      const { store } = chainOf(context, path.chainId)
      const contracts = await contractsAt(
        store,
        at,
        page.map((creation) => creation.contract),
      )
      return {
        contracts: page.map((creation) =>
          contract(creation.contract, contracts.get(creation.contract), creation),
        ),
      }
    },
  })
}
