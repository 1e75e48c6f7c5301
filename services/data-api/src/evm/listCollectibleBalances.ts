import type { TokenKey } from '@firn/store'
import { EvmTokenBalances, EvmTokens } from '@firn/store/evm'
import type { Endpoint } from '../front/Endpoint.ts'
import * as Parameter from '../front/Parameter.ts'
import * as Schema from '../front/Schema.ts'
import { assertBalancesKept } from './assertBalancesKept.ts'
import { assertWhole } from './assertWhole.ts'
import { chainList } from './chainList.ts'
import type { EvmContext } from './EvmContext.ts'
import { tokensOf } from './named.ts'
import { address } from './parameters.ts'
import { compareTokens, tokenKey, tokenPlace } from './places.ts'
import { settleBalances, settleOwners } from './settleBalances.ts'
import {
  Erc721TokenBalance,
  Erc1155TokenBalance,
  erc721TokenBalance,
  erc1155TokenBalance,
} from './shapes/NftTokenBalance.ts'
import { contractsAt } from './shapes/RichAddress.ts'

const CollectibleBalance = Schema.union(
  'CollectibleBalance',
  'An ERC-721 token or an ERC-1155 balance of an address, distinguished by `ercType`',
  [Erc721TokenBalance, Erc1155TokenBalance],
)

/**
 * `GET …/addresses/{address}/balances:listCollectibles`: ERC-721 and ERC-1155 tokens of an address, sorted by
 * contract and id.
 */
export function listCollectibleBalances(context: EvmContext): Endpoint {
  return chainList(context, {
    path: '/addresses/{address}/balances:listCollectibles',
    operationId: 'listCollectibleBalances',
    summary: 'ERC-721 and ERC-1155 tokens of an address, sorted by contract and id',
    isPerBlock: false,
    rowsPerElement: () => 10,
    pathParameters: { address },
    queryParameters: { contractAddress: Parameter.optional(address) },
    pageSize: { fallback: 10, maximum: 500 },
    responseName: 'ListCollectibleBalancesResponse',
    response: { collectibleBalances: Schema.list(CollectibleBalance, 'Tokens of the page') },
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
          withUnknown: context.callContracts !== undefined,
        }),
      ])
      const all: (TokenKey & { readonly held?: EvmTokenBalances.Held })[] = [
        ...owned,
        ...held.elements.map((one) => ({ contract: one.contract, tokenId: one.tokenId, held: one })),
      ]
      const { stoppedAt } = held
      const elements = all
        .filter((token) => stoppedAt === undefined || compareTokens(token, stoppedAt) <= 0)
        .sort(compareTokens)
        .slice(0, limit)
      return { elements, stoppedAt: stoppedAt && tokenKey(stoppedAt) }
    },
    keyOf: tokenKey,
    body: async (page, { source, path, at, signal }) => {
      const { address } = path
      const { height } = at
      await assertBalancesKept(source.store, height)
      const held = page.flatMap((one) => (one.held === undefined ? [] : [one.held]))
      const owned = page.filter((one) => one.held === undefined)
      const [contracts, tokens, balances, owners] = await Promise.all([
        contractsAt(
          source,
          at,
          page.map(({ contract }) => contract),
        ),
        tokensOf(source.store, at, page),
        settleBalances(context, source, held, { address, standard: 1155, height, signal }),
        settleOwners(context, source, owned, { address, height, signal }),
      ])
      const shown = [
        ...owners.map(({ token, source: rests }) => ({
          ...token,
          body: erc721TokenBalance(source.chain, tokens.get(token), contracts, rests),
        })),
        ...balances.map((one) => ({ ...one, body: erc1155TokenBalance(source.chain, tokens.get(one), one) })),
      ]
      return { collectibleBalances: shown.sort(compareTokens).map(({ body }) => body) }
    },
  })
}
