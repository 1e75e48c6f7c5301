import { EvmTokenBalances, EvmTokens } from '@firn/store/evm'
import { Type } from 'typebox'
import type { Endpoint } from '../front/Endpoint.ts'
import * as Parameter from '../front/Parameter.ts'
import { assertWhole } from './assertWhole.ts'
import { chainList } from './chainList.ts'
import type { EvmContext } from './EvmContext.ts'
import { tokensOf } from './named.ts'
import { address } from './parameters.ts'
import { compareTokens, tokenKey, tokenPlace } from './places.ts'
import {
  Erc721TokenBalance,
  Erc1155TokenBalance,
  erc721TokenBalance,
  erc1155TokenBalance,
} from './shapes/NftTokenBalance.ts'
import { contractsAt } from './shapes/RichAddress.ts'

/**
 * `GET …/addresses/{address}/balances:listCollectibles`: ERC-721 and ERC-1155 tokens of an address, sorted by
 * contract and id.
 */
export function listCollectibleBalances(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/addresses/{address}/balances:listCollectibles',
    summary: 'ERC-721 and ERC-1155 tokens of an address, sorted by contract and id',
    isPerBlock: false,
    pathParameters: { address },
    queryParameters: { contractAddress: Parameter.optional(address) },
    pageSize: { fallback: 10, maximum: 500 },
    response: { collectibleBalances: Type.Array(Type.Union([Erc721TokenBalance, Erc1155TokenBalance])) },
    read: async ({ source, path, query, at, after, limit }) => {
      assertWhole(source)
      const { contractAddress: contract } = query
      const rest = { after: tokenPlace(after), limit }
      const [owned, held] = await Promise.all([
        EvmTokens.ofOwner(source.store, at, path.address, { contract, ...rest }),
        EvmTokenBalances.ofAddress(source.store, 1155, {
          address: path.address,
          height: at.height,
          contracts: contract && [contract],
          ...rest,
        }),
      ])
      const all = [...owned.map((token) => ({ ...token, balance: undefined })), ...held]
      return all.sort(compareTokens).slice(0, limit)
    },
    keyOf: tokenKey,
    body: async (page, { source, at }) => {
      const [contracts, tokens] = await Promise.all([
        contractsAt(
          source.store,
          at,
          page.map(({ contract }) => contract),
        ),
        tokensOf(source.store, at, page),
      ])
      return {
        collectibleBalances: page.map((one) =>
          one.balance === undefined
            ? erc721TokenBalance(source.chain, tokens.get(one), contracts)
            : erc1155TokenBalance(source.chain, tokens.get(one), one.balance),
        ),
      }
    },
  })
}
