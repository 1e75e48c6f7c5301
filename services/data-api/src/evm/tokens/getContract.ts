import { EvmAirdrops, EvmCreations } from '@firn/evm-store'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import { define, type Endpoint } from '../../http/endpoint/Endpoint.ts'
import { chainOf, type EvmContext } from '../chain/EvmContext.ts'
import { steady } from '../chain/evmSnapshots.ts'
import { ofChain, perBlock } from '../chain/inChain.ts'
import { address } from '../chain/parameters.ts'
import { Contract, contract } from '../shapes/Contract.ts'
import { contractsAt } from '../shapes/RichAddress.ts'
import { spamReasons } from '../shapes/spamReasons.ts'

/** `GET …/addresses/{address}`: a contract, its metadata and its creator. */
export function getContract(context: EvmContext): Endpoint {
  return define({
    method: 'GET',
    path: '/v1/chains/{chainId}/addresses/{address}',
    operationId: 'getContractMetadata',
    summary: 'A contract, its metadata and its creator',
    tag: 'EVM',
    scope: 'data',
    units: 20,
    version: perBlock(context),
    pathParameters: { ...ofChain(context), address },
    queryParameters: {},
    response: Contract,
    handle: ({ path, signal }) => {
      const source = chainOf(context, path.chainId)
      const { chain, store } = source
      return steady(store, signal, async (at) => {
        const [contracts, creation, [reach]] = await Promise.all([
          contractsAt(source, at, [path.address]),
          EvmCreations.ofContract(store, at, path.address),
          EvmAirdrops.ofContracts(store, [path.address]),
        ])
        const known = contracts.get(path.address)
        const { reputation } = contracts.about(path.address) ?? {}
        const suspect = { contract: known, native: chain.token, reach, reputation }
        if (known !== undefined) return contract(path.address, contracts, creation, spamReasons(suspect))
        throw new DataApiError('DATA_NOT_FOUND', 'address: no contract is known at this address')
      })
    },
  })
}
