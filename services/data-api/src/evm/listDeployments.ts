import { EvmCreations } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Endpoint } from '../front/Endpoint.ts'
import { chainList } from './chainList.ts'
import type { EvmContext } from './EvmContext.ts'
import { address } from './parameters.ts'
import { callKey, callPlace } from './places.ts'
import { Contract, contract } from './shapes/Contract.ts'
import { contractsAt } from './shapes/RichAddress.ts'

/** `GET …/contracts/{address}/deployments`: contracts created by transactions of an address, newest first. */
export function listDeployments(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/contracts/{address}/deployments',
    summary: 'Contracts created by transactions of an address, newest first',
    isPerBlock: true,
    pathParameters: { address },
    response: { contracts: Type.Array(Contract) },
    read: ({ source, path, at, after, limit }) =>
      EvmCreations.ofDeployer(source.store, at, path.address, {
        after: callPlace(after),
        limit,
      }),
    keyOf: callKey,
    body: async (page, { source, at }) => {
      const contracts = await contractsAt(
        source.store,
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
