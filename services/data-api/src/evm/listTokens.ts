import { EvmContracts, EvmTokens } from '@firn/store/evm'
import { DataApiError } from '../DataApiError.ts'
import type { Endpoint } from '../front/Endpoint.ts'
import * as Schema from '../front/Schema.ts'
import { chainList } from './chainList.ts'
import type { EvmContext } from './EvmContext.ts'
import { address } from './parameters.ts'
import { NftToken, nftToken } from './shapes/NftToken.ts'
import { contractsAt } from './shapes/RichAddress.ts'

/** `GET …/nfts/collections/{address}/tokens`: tokens of an ERC-721 or ERC-1155 contract, lowest id first. */
export function listTokens(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/nfts/collections/{address}/tokens',
    operationId: 'listTokens',
    summary: 'Tokens of an ERC-721 or ERC-1155 contract, lowest id first',
    isPerBlock: false,
    pathParameters: { address },
    responseName: 'ListNftTokensResponse',
    response: { tokens: Schema.list(NftToken, 'Tokens of the page') },
    read: async ({ source, path, at, after: [after] = [], limit }) => {
      const page = await EvmTokens.ofContract(source.store, at, path.address, {
        after: after === undefined ? undefined : BigInt(after),
        limit,
      })
      if (page.length > 0 || after !== undefined) return page
      const [known] = await EvmContracts.byAddresses(source.store, at, [path.address])
      if (known?.standard === 721 || known?.standard === 1155) return page
      const found =
        known === undefined
          ? 'but no contract is known at this address'
          : 'but the contract has a different type'
      throw new DataApiError('DATA_NOT_FOUND', `address: expected an ERC-721 or ERC-1155 contract, ${found}`)
    },
    keyOf: ({ tokenId }) => [String(tokenId)],
    body: async (page, { source, path, at }) => {
      const contracts = await contractsAt(source, at, [path.address])
      return { tokens: page.map((token) => nftToken(token, contracts)) }
    },
  })
}
