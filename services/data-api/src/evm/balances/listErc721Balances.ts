import { EvmTokens } from '@firn/evm-store'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainList } from '../chain/chainList.ts'
import type { EvmContext } from '../chain/EvmContext.ts'
import { address } from '../chain/parameters.ts'
import { tokenKey, tokenPlace } from '../chain/places.ts'
import { Erc721TokenBalance, erc721TokenBalance } from '../shapes/NftTokenBalance.ts'
import { contractsAt } from '../shapes/RichAddress.ts'
import { spamOfTokens } from '../spam/spamAt.ts'
import { withoutSpam } from '../spam/withoutSpam.ts'
import { assertBalancesKept } from './assertBalancesKept.ts'
import { NativeMember, nativeMember } from './nativeBalance.ts'
import { settleOwners } from './settleBalances.ts'

/**
 * `GET …/addresses/{address}/balances:listErc721`: ERC-721 tokens of an address, sorted by contract and id.
 */
export function listErc721Balances(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/addresses/{address}/balances:listErc721',
    operationId: 'listErc721Balances',
    summary: 'ERC-721 tokens that an address owns, sorted by contract and id',
    isPerBlock: false,
    pathParameters: { address },
    queryParameters: {
      contractAddress: Parameter.optional(address),
      filterSpamTokens: Parameter.flag(false),
    },
    pageSize: { fallback: 10, maximum: 500 },
    responseName: 'ListErc721BalancesResponse',
    response: {
      nativeTokenBalance: NativeMember,
      erc721TokenBalances: Schema.list(Erc721TokenBalance, 'Balances of the page'),
    },
    read: ({ source, path, query, at, after, limit }) =>
      withoutSpam(source, at, {
        ...{ isFiltered: query.filterSpamTokens, after: tokenPlace(after), limit },
        read: async (behind, most) => ({
          elements: await EvmTokens.ofOwner(source.store, at, path.address, {
            contract: query.contractAddress,
            after: behind,
            limit: most,
          }),
          stoppedAt: undefined,
        }),
      }),
    keyOf: tokenKey,
    body: async (page, { source, path, at, signal }) => {
      await assertBalancesKept(source.store, at.height)
      const [native, contracts, owned, spamOf] = await Promise.all([
        nativeMember(context, source, path.address, at.height, signal),
        contractsAt(
          source,
          at,
          page.map(({ contract }) => contract),
        ),
        settleOwners(context, source, page, { address: path.address, height: at.height, signal }),
        spamOfTokens(source, at, page),
      ])
      const balances = owned.map(({ token, source: rests }) =>
        erc721TokenBalance(source.chain, token, contracts, spamOf, rests),
      )
      return { ...native, erc721TokenBalances: balances }
    },
  })
}
