import { EvmTokenBalances } from '@firn/evm-store'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { currency } from '../../metadata/Currency.ts'
import { assertWhole } from '../chain/assertWhole.ts'
import { chainList } from '../chain/chainList.ts'
import type { EvmContext } from '../chain/EvmContext.ts'
import { heightOf } from '../chain/heightOf.ts'
import { address, addresses, blockNumber } from '../chain/parameters.ts'
import { tokenKey, tokenPlace } from '../chain/places.ts'
import { Erc20TokenBalance, erc20TokenBalance } from '../shapes/Erc20TokenBalance.ts'
import { contractsAt } from '../shapes/RichAddress.ts'
import { spamAt } from '../spam/spamAt.ts'
import { withoutSpam } from '../spam/withoutSpam.ts'
import { assertBalancesKept } from './assertBalancesKept.ts'
import { NativeMember, nativeMember } from './nativeBalance.ts'
import { settleBalances } from './settleBalances.ts'

/**
 * `GET …/addresses/{address}/balances:listErc20`: ERC-20 balances of an address, sorted by contract, at the
 * newest or at an earlier block.
 */
export function listErc20Balances(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/addresses/{address}/balances:listErc20',
    operationId: 'listErc20Balances',
    summary: 'ERC-20 balances of an address, sorted by contract',
    isPerBlock: false,
    rowsPerElement: () => 10,
    pathParameters: { address },
    queryParameters: {
      blockNumber: Parameter.optional(blockNumber),
      contractAddresses: Parameter.optional(addresses),
      filterSpamTokens: Parameter.flag(true),
      currency,
    },
    pageSize: { fallback: 10, maximum: 500 },
    responseName: 'ListErc20BalancesResponse',
    response: {
      nativeTokenBalance: NativeMember,
      erc20TokenBalances: Schema.list(Erc20TokenBalance, 'Balances of the page'),
    },
    read: async ({ source, path, query, at, after, limit }) => {
      assertWhole(source)
      return withoutSpam(source, at, {
        ...{ isFiltered: query.filterSpamTokens, after: tokenPlace(after), limit },
        read: (behind, most) =>
          EvmTokenBalances.ofAddress(source.store, 20, {
            address: path.address,
            height: heightOf(source, at, query.blockNumber),
            contracts: query.contractAddresses,
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
      const [native, contracts, known] = await Promise.all([
        nativeMember(context, source, path.address, height, signal, query.currency),
        contractsAt(
          source,
          at,
          page.map(({ contract }) => contract),
        ),
        settleBalances(context, source, page, { address: path.address, standard: 20, height, signal }),
      ])
      const spamOf = await spamAt(
        source,
        contracts,
        page.map(({ contract }) => contract),
      )
      const balances = known.map((held) =>
        erc20TokenBalance(source.chain, held, contracts, spamOf, query.currency),
      )
      return { ...native, erc20TokenBalances: balances }
    },
  })
}
