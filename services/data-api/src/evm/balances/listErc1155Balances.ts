import { EvmTokenBalances } from '@firn/evm-store'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { assertWhole } from '../chain/assertWhole.ts'
import { chainList } from '../chain/chainList.ts'
import type { EvmContext } from '../chain/EvmContext.ts'
import { heightOf } from '../chain/heightOf.ts'
import { address, blockNumber } from '../chain/parameters.ts'
import { tokenKey, tokenPlace } from '../chain/places.ts'
import { Erc1155TokenBalance, erc1155TokenBalance } from '../shapes/NftTokenBalance.ts'
import { tokensOf } from '../shapes/named.ts'
import { spamOfTokens } from '../spam/spamAt.ts'
import { withoutSpam } from '../spam/withoutSpam.ts'
import { assertBalancesKept } from './assertBalancesKept.ts'
import { NativeMember, nativeMember } from './nativeBalance.ts'
import { settleBalances } from './settleBalances.ts'

/**
 * `GET …/addresses/{address}/balances:listErc1155`: ERC-1155 balances of an address, at the newest or at an
 * earlier block.
 */
export function listErc1155Balances(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/addresses/{address}/balances:listErc1155',
    operationId: 'listErc1155Balances',
    summary: 'ERC-1155 balances of an address, sorted by contract and id',
    isPerBlock: false,
    rowsPerElement: () => 10,
    pathParameters: { address },
    queryParameters: {
      blockNumber: Parameter.optional(blockNumber),
      contractAddress: Parameter.optional(address),
      filterSpamTokens: Parameter.flag(false),
    },
    pageSize: { fallback: 10, maximum: 500 },
    responseName: 'ListErc1155BalancesResponse',
    response: {
      nativeTokenBalance: NativeMember,
      erc1155TokenBalances: Schema.list(Erc1155TokenBalance, 'Balances of the page'),
    },
    read: async ({ source, path, query, at, after, limit }) => {
      assertWhole(source)
      return withoutSpam(source, at, {
        ...{ isFiltered: query.filterSpamTokens, after: tokenPlace(after), limit },
        read: (behind, most) =>
          EvmTokenBalances.ofAddress(source.store, 1155, {
            address: path.address,
            height: heightOf(source, at, query.blockNumber),
            contracts: query.contractAddress && [query.contractAddress],
            after: behind,
            limit: most,
            withUnknown: context.callContracts !== undefined,
          }),
      })
    },
    keyOf: tokenKey,
    body: async (page, { source, path, query, at, signal }) => {
      const height = heightOf(source, at, query.blockNumber)
      await assertBalancesKept(source.store, height)
      const [native, tokens, known, spamOf] = await Promise.all([
        nativeMember(context, source, path.address, height, signal),
        tokensOf(source.store, at, page),
        settleBalances(context, source, page, { address: path.address, standard: 1155, height, signal }),
        spamOfTokens(source, at, page),
      ])
      const balances = known.map((held) => erc1155TokenBalance(source.chain, tokens.get(held), held, spamOf))
      return { ...native, erc1155TokenBalances: balances }
    },
  })
}
