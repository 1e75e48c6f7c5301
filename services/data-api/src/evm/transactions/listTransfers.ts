import { EvmRetention, EvmTransfers } from '@firn/evm-store'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainList } from '../chain/chainList.ts'
import type { EvmContext } from '../chain/EvmContext.ts'
import { address, blockRange, keptFromBlock, later, tokenId } from '../chain/parameters.ts'
import { transferKey, transferPlace } from '../chain/places.ts'
import { tokenOf } from '../chain/tokenOf.ts'
import { namedIn } from '../shapes/named.ts'
import { Erc20Transfer, Erc721Transfer, Erc1155Transfer, transfer } from '../shapes/Transfer.ts'

const AnyTransfer = Schema.union('ErcTransfer', 'A transfer of an ERC-20, ERC-721 or ERC-1155 token', [
  Erc20Transfer,
  Erc1155Transfer,
  Erc721Transfer,
])
const NftTransfer = Schema.union('NftTransfer', 'A transfer of an ERC-721 or ERC-1155 token', [
  Erc1155Transfer,
  Erc721Transfer,
])
const completeFromBlock = keptFromBlock('token transfers')

/**
 * `GET …/addresses/{address}/transactions:listErc20`, `:listErc721` and `:listErc1155`: token transfers of an
 * address, newest first.
 */
export function listTransfersOfAddress(context: EvmContext): readonly Endpoint[] {
  return [
    ofStandard(context, 20, Erc20Transfer),
    ofStandard(context, 721, Erc721Transfer),
    ofStandard(context, 1155, Erc1155Transfer),
  ]
}

function ofStandard(context: EvmContext, standard: 20 | 721 | 1155, shape: Schema.Schema): Endpoint {
  return chainList(context, {
    path: `/addresses/{address}/transactions:listErc${standard}`,
    operationId: `listErc${standard}Transactions`,
    summary: `Transfers of ERC-${standard} tokens from or to an address, newest first`,
    isPerBlock: false,
    pathParameters: { address },
    queryParameters: blockRange,
    responseName: `ListErc${standard}TransactionsResponse`,
    response: { completeFromBlock, transactions: Schema.list(shape, 'Transfers of the page') },
    read: async ({ source, path, query, at, after, limit }) =>
      EvmTransfers.ofAddress(source.store, at, standard, path.address, {
        from: later(query.startBlock, await EvmRetention.keptFrom(source.store, 'transfers')),
        until: query.endBlock,
        after: transferPlace(after),
        limit,
      }),
    keyOf: transferKey,
    body: async (page, { source, at }) => {
      const named = await namedIn(source, at, page)
      return {
        completeFromBlock: (await EvmRetention.keptFrom(source.store, 'transfers'))?.toString(),
        transactions: page.map((listed) => transfer(listed, named)),
      }
    },
  })
}

/**
 * `GET …/nfts/collections/{address}/tokens/{tokenId}/transfers`: transfers of one ERC-721 or ERC-1155 token, newest
 * first. Of an ERC-1155 batch, only the transfers of this token are listed.
 */
export function listTransfersOfToken(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/nfts/collections/{address}/tokens/{tokenId}/transfers',
    operationId: 'listNftTransfers',
    summary: 'Transfers of one ERC-721 or ERC-1155 token, newest first',
    isPerBlock: false,
    pathParameters: { address, tokenId },
    queryParameters: blockRange,
    responseName: 'ListNftTransfersResponse',
    response: { completeFromBlock, transfers: Schema.list(NftTransfer, 'Transfers of the page') },
    read: async ({ source, path, query, at, after, limit }) => {
      const key = { contract: path.address, tokenId: path.tokenId }
      const page = await EvmTransfers.ofToken(source.store, at, key, {
        from: later(query.startBlock, await EvmRetention.keptFrom(source.store, 'transfers')),
        until: query.endBlock,
        after: transferPlace(after),
        limit,
      })
      if (page.length === 0 && after === undefined) await tokenOf(source.store, at, key)
      return page
    },
    keyOf: transferKey,
    body: async (page, { source, at }) => {
      const named = await namedIn(source, at, page)
      return {
        completeFromBlock: (await EvmRetention.keptFrom(source.store, 'transfers'))?.toString(),
        transfers: page.map((listed) => transfer(listed, named)),
      }
    },
  })
}

/**
 * `GET …/tokens/{address}/transfers`: transfers of a contract's tokens, newest first. The contract can have
 * any token standard.
 */
export function listTransfersOfContract(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/tokens/{address}/transfers',
    operationId: 'listTransfers',
    summary: 'Transfers of a contract’s tokens, newest first',
    isPerBlock: false,
    pathParameters: { address },
    queryParameters: blockRange,
    responseName: 'ListTransfersResponse',
    response: {
      completeFromBlock,
      transfers: Schema.list(AnyTransfer, 'Transfers of the page'),
    },
    read: async ({ source, path, query, at, after, limit }) =>
      EvmTransfers.ofContract(source.store, at, path.address, {
        from: later(query.startBlock, await EvmRetention.keptFrom(source.store, 'transfers')),
        until: query.endBlock,
        after: transferPlace(after),
        limit,
      }),
    keyOf: transferKey,
    body: async (page, { source, at }) => {
      const named = await namedIn(source, at, page)
      return {
        completeFromBlock: (await EvmRetention.keptFrom(source.store, 'transfers'))?.toString(),
        transfers: page.map((listed) => transfer(listed, named)),
      }
    },
  })
}
