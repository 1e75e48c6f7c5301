import { EvmAirdrops, EvmContracts, EvmCreations } from '@firn/store/evm'
import { DataApiError } from '../DataApiError.ts'
import { define, type Endpoint } from '../front/Endpoint.ts'
import { chainOf, type EvmContext } from './EvmContext.ts'
import { steady } from './evmSnapshots.ts'
import { ofChain, perBlock } from './inChain.ts'
import { address } from './parameters.ts'
import { Contract, contract } from './shapes/Contract.ts'
import { spamReasons } from './spam/spamReasons.ts'

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
      const { chain, store, metadata } = chainOf(context, path.chainId)
      return steady(store, signal, async (at) => {
        const [[known], creation, [reach]] = await Promise.all([
          EvmContracts.byAddresses(store, at, [path.address]),
          EvmCreations.ofContract(store, at, path.address),
          EvmAirdrops.ofContracts(store, [path.address]),
        ])
        const about = metadata?.address(chain.chainId, path.address)
        const suspect = { contract: known, native: chain.token, reach, reputation: about?.reputation }
        if (known !== undefined) return contract(path.address, known, creation, spamReasons(suspect), about)
        throw new DataApiError('DATA_NOT_FOUND', 'address: no contract is known at this address')
      })
    },
  })
}
