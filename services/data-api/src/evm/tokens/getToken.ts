import { EvmTokens } from '@firn/evm-store'
import { define, type Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainOf, type EvmContext } from '../chain/EvmContext.ts'
import { steady } from '../chain/evmSnapshots.ts'
import { ofChain } from '../chain/inChain.ts'
import { address, tokenId } from '../chain/parameters.ts'
import { tokenOf } from '../chain/tokenOf.ts'
import { NftToken, nftToken } from '../shapes/NftToken.ts'
import { contractsAt } from '../shapes/RichAddress.ts'

const PATH = '/v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}'

/** `GET …/nfts/collections/{address}/tokens/{tokenId}`: a token of an ERC-721 or ERC-1155 contract. */
export function getToken(context: EvmContext): Endpoint {
  return define({
    method: 'GET',
    path: PATH,
    operationId: 'getTokenDetails',
    summary: 'A token of an ERC-721 or ERC-1155 contract',
    tag: 'EVM',
    scope: 'data',
    units: 20,
    pathParameters: { ...ofChain(context), address, tokenId },
    queryParameters: {},
    response: NftToken,
    handle: ({ path, signal }) => {
      const source = chainOf(context, path.chainId)
      const { store } = source
      return steady(store, signal, async (at) => {
        const [token, contracts] = await Promise.all([
          tokenOf(store, at, { contract: path.address, tokenId: path.tokenId }),
          contractsAt(source, at, [path.address]),
        ])
        return nftToken(token, contracts)
      })
    },
  })
}

/**
 * `POST …/nfts/collections/{address}/tokens/{tokenId}:reindex`: schedules a refresh of a token's metadata.
 */
export function reindexToken(context: EvmContext): Endpoint {
  return define({
    method: 'POST',
    path: `${PATH}:reindex`,
    operationId: 'reindexNft',
    summary: 'Request an early refresh of a token’s metadata',
    tag: 'EVM',
    scope: 'data',
    units: 20,
    pathParameters: { ...ofChain(context), address, tokenId },
    queryParameters: {},
    status: 201,
    response: Schema.nothing('The token is queued for a refresh'),
    handle: async ({ path }) => {
      const { store } = chainOf(context, path.chainId)
      const at = await store.snapshot()
      const token = await tokenOf(store, at, { contract: path.address, tokenId: path.tokenId })
      await EvmTokens.makeDue(store, token, BigInt(Math.floor(context.now() / 1_000)))
      return { body: null, height: at.height, time: at.time }
    },
  })
}
