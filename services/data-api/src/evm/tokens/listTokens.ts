import { EvmTokens } from '@firn/evm-store'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainList } from '../chain/chainList.ts'
import type { EvmContext } from '../chain/EvmContext.ts'
import { address } from '../chain/parameters.ts'
import { collectionStandard } from '../chain/tokenOf.ts'
import { NftToken, nftToken } from '../shapes/NftToken.ts'
import { contractsAt } from '../shapes/RichAddress.ts'

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
      await collectionStandard(source.store, at, path.address)
      return page
    },
    keyOf: ({ tokenId }) => [String(tokenId)],
    body: async (page, { source, path, at }) => {
      const contracts = await contractsAt(source, at, [path.address])
      return { tokens: page.map((token) => nftToken(token, contracts)) }
    },
  })
}
