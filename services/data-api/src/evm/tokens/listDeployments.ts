import { EvmCreations } from '@firn/evm-store'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainList } from '../chain/chainList.ts'
import type { EvmContext } from '../chain/EvmContext.ts'
import { address, tracedTo, tracedToBlock } from '../chain/parameters.ts'
import { callKey, callPlace } from '../chain/places.ts'
import { Contract, contract } from '../shapes/Contract.ts'
import { contractsAt } from '../shapes/RichAddress.ts'
import { spamAt } from '../spam/spamAt.ts'

/** `GET …/contracts/{address}/deployments`: contracts created by transactions of an address, newest first. */
export function listDeployments(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/contracts/{address}/deployments',
    operationId: 'listContractDeployments',
    summary: 'Contracts created by transactions of an address, newest first',
    isPerBlock: true,
    pathParameters: { address },
    responseName: 'ListContractsResponse',
    response: {
      completeToBlock: tracedToBlock('contracts that others created in that block are not listed'),
      contracts: Schema.list(Contract, 'Contracts of the page'),
    },
    read: ({ source, path, at, after, limit }) =>
      EvmCreations.ofDeployer(source.store, at, path.address, {
        after: callPlace(after),
        limit,
      }),
    keyOf: callKey,
    body: async (page, { source, at }) => {
      const addresses = page.map((creation) => creation.contract)
      const contracts = await contractsAt(source, at, addresses)
      const spamOf = await spamAt(source, contracts, addresses)
      return {
        completeToBlock: tracedTo(at),
        contracts: page.map((creation) =>
          contract(creation.contract, contracts, creation, spamOf(creation.contract)),
        ),
      }
    },
  })
}
