import type { TokenKey } from '@firn/evm-store'
import { type EvmSnapshot, EvmTokenBalances, EvmTokens } from '@firn/evm-store'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { assertWhole } from '../chain/assertWhole.ts'
import { chainList } from '../chain/chainList.ts'
import type { EvmChainSource, EvmContext } from '../chain/EvmContext.ts'
import { address } from '../chain/parameters.ts'
import { compareTokens, tokenKey, tokenPlace } from '../chain/places.ts'
import {
  Erc721TokenBalance,
  Erc1155TokenBalance,
  erc721TokenBalance,
  erc1155TokenBalance,
} from '../shapes/NftTokenBalance.ts'
import { tokensOf } from '../shapes/named.ts'
import { contractsAt } from '../shapes/RichAddress.ts'
import { spamOfTokens } from '../spam/spamAt.ts'
import { withoutSpam } from '../spam/withoutSpam.ts'
import { assertBalancesKept } from './assertBalancesKept.ts'
import { settleBalances, settleOwners } from './settleBalances.ts'

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
    queryParameters: {
      contractAddress: Parameter.optional(address),
      filterSpamTokens: Parameter.flag(false),
    },
    pageSize: { fallback: 10, maximum: 500 },
    responseName: 'ListCollectibleBalancesResponse',
    response: { collectibleBalances: Schema.list(CollectibleBalance, 'Tokens of the page') },
    read: async ({ source, path, query, at, after, limit }) => {
      assertWhole(source)
      const { contractAddress: contract, filterSpamTokens: isFiltered } = query
      const read = (behind: TokenKey | undefined, most: number) =>
        collectibles(source, at, {
          ...{ address: path.address, contract, after: behind, limit: most },
          withUnknown: context.callContracts !== undefined,
        })
      return withoutSpam(source, at, { isFiltered, after: tokenPlace(after), limit, read })
    },
    keyOf: tokenKey,
    body: async (page, { source, path, at, signal }) => {
      const { address } = path
      const { height } = at
      await assertBalancesKept(source.store, height)
      const held = page.flatMap((one) => (one.held === undefined ? [] : [one.held]))
      const owned = page.filter((one) => one.held === undefined)
      const [contracts, tokens, balances, owners, spamOf] = await Promise.all([
        contractsAt(
          source,
          at,
          page.map(({ contract }) => contract),
        ),
        tokensOf(source.store, at, page),
        settleBalances(context, source, held, { address, standard: 1155, height, signal }),
        settleOwners(context, source, owned, { address, height, signal }),
        spamOfTokens(source, at, page),
      ])
      const shown = [
        ...owners.map(({ token, source: rests }) => ({
          ...token,
          body: erc721TokenBalance(source.chain, tokens.get(token), contracts, spamOf, rests),
        })),
        ...balances.map((one) => ({
          ...one,
          body: erc1155TokenBalance(source.chain, tokens.get(one), one, spamOf),
        })),
      ]
      return { collectibleBalances: shown.sort(compareTokens).map(({ body }) => body) }
    },
  })
}

/** An ERC-721 token, or the balance of an ERC-1155 token. */
type Collectible = TokenKey & { readonly held?: EvmTokenBalances.Held }

/** Reads the ERC-721 and ERC-1155 tokens of an address, sorted by contract and id. */
async function collectibles(
  { store }: EvmChainSource,
  at: EvmSnapshot,
  {
    address: owner,
    contract,
    after,
    limit,
    withUnknown,
  }: {
    readonly address: Uint8Array
    readonly contract: Uint8Array | undefined
    readonly after: TokenKey | undefined
    readonly limit: number
    readonly withUnknown: boolean
  },
): Promise<{ readonly elements: readonly Collectible[]; readonly stoppedAt: TokenKey | undefined }> {
  const [owned, held] = await Promise.all([
    EvmTokens.ofOwner(store, at, owner, { contract, after, limit }),
    EvmTokenBalances.ofAddress(store, 1155, {
      ...{ address: owner, height: at.height, contracts: contract && [contract], after, limit, withUnknown },
    }),
  ])
  const all: Collectible[] = [
    ...owned,
    ...held.elements.map((one) => ({ contract: one.contract, tokenId: one.tokenId, held: one })),
  ]
  const { stoppedAt } = held
  const elements = all
    .filter((token) => stoppedAt === undefined || compareTokens(token, stoppedAt) <= 0)
    .sort(compareTokens)
    .slice(0, limit)
  // A page that is full ends before the place at which the balances stopped.
  return { elements, stoppedAt: elements.length < limit ? stoppedAt : undefined }
}
