import { Hex } from '@firn/codec'
import { EvmContracts, EvmItemHolders, type EvmSnapshot, EvmTokenHolders } from '@firn/evm-store'
import { addressText } from '../evm/chain/addressText.ts'
import { chainId, chainOf, type EvmChainSource, type EvmContext } from '../evm/chain/EvmContext.ts'
import { evmSnapshots } from '../evm/chain/evmSnapshots.ts'
import { address } from '../evm/chain/parameters.ts'
import { textOf } from '../evm/chain/Text.ts'
import { collectionStandard } from '../evm/chain/tokenOf.ts'
import { assertAffordable, readHolders } from '../evm/tokens/listNftHolders.ts'
import type { Held } from '../evm/tokens/settleHolders.ts'
import type { ConcurrencyLimit } from '../http/admission/ConcurrencyLimit.ts'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Field from '../http/endpoint/Field.ts'
import { latestOf } from '../http/endpoint/List.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { expensive } from './expensive.ts'
import * as HolderTokens from './HolderTokens.ts'
import { nextPageToken, pageToken } from './parameters.ts'
import type { UuidTokens } from './UuidTokens.ts'

const Response = Schema.object('NftHoldersResponse', 'A page of holders of a collection', {
  nextPageToken,
  addresses: Schema.list(
    Schema.object('AddressDetails', 'A holder of tokens', {
      address: Field.evmAddress('Address of the holder'),
      sortKey: Schema.text('Number of tokens, as decimal text', '5'),
    }),
    'Holders of the page, most tokens first',
  ),
  nftCollectionName: Schema.optional(Schema.list(Schema.text('Name', 'Dokyo'), 'Name of the contract')),
  nftSymbol: Schema.optional(Schema.list(Schema.text('Symbol', 'DOKYO'), 'Symbol of the contract')),
  totalHolders: Schema.integer('Number of holders after the newest block', 120),
  totalTokens: Schema.integer('Number of tokens that they hold together', 1_000),
})

/** `GET /v2/chains/{chainId}/contracts/{address}/nfts:listHolders`: holders of an ERC-721 or ERC-1155 contract. */
export function listCollectionHolders(
  context: EvmContext,
  tokens: UuidTokens,
  limit: ConcurrencyLimit,
): Endpoint {
  const endpoint = define({
    method: 'GET',
    path: '/v2/chains/{chainId}/contracts/{address}/nfts:listHolders',
    operationId: 'getNftHoldersByContractAddress',
    summary: 'Addresses that hold tokens of an ERC-721 or ERC-1155 contract, most tokens first',
    tag: 'Metrics',
    scope: 'metrics',
    units: 1_000,
    rows: ({ query }) => query.pageSize,
    pathParameters: { chainId: chainId(context), address },
    queryParameters: { pageSize: Parameter.integer(1, 5_000, 1_000), pageToken },
    response: Response,
    handle: async ({ path, query, signal }) => {
      const source = chainOf(context, path.chainId)
      const { store } = source
      const name = `collection ${path.chainId} ${Hex.encode(path.address)}`
      const begun = await HolderTokens.open(tokens, name, store, query.pageToken, async (range, at) =>
        holdersIn(source, await heldOf(source, at, path.address), at, range),
      )
      const snapshots = evmSnapshots(store)
      const latest = begun === undefined ? snapshots.latest : async () => begun.at
      return latestOf({ ...snapshots, latest }, signal, async (at) => {
        const held = await heldOf(source, at, path.address)
        const page = { height: at.height, threshold: 0n, after: begun?.after, limit: query.pageSize + 1 }
        const found = await readHolders(source, held, page)
        const holders = found.slice(0, query.pageSize)
        const after = found.length > query.pageSize ? holders.at(-1) : undefined
        return {
          body: {
            nextPageToken: after && HolderTokens.seal(tokens, name, { at, after }),
            addresses: holders.map((one) => ({
              address: addressText(one.address),
              sortKey: String(one.balance),
            })),
            ...(await describe(source, at, held)),
          },
          ...snapshots.head(at),
        }
      })
    },
    version: async ({ path }) => (await chainOf(context, path.chainId).store.snapshot()).key,
  })
  return expensive(limit, endpoint)
}

async function heldOf({ store }: EvmChainSource, at: EvmSnapshot, contract: Uint8Array): Promise<Held> {
  return { contract, standard: await collectionStandard(store, at, contract), tokenId: undefined }
}

async function holdersIn(
  { store }: EvmChainSource,
  held: Held,
  { height }: EvmSnapshot,
  range: HolderTokens.AddressRange,
): Promise<readonly EvmTokenHolders.Holder[]> {
  const { contract, standard } = held
  await assertAffordable(store, held, height)
  return standard === 721
    ? EvmTokenHolders.within(store, { contract, standard, height, ...range })
    : EvmItemHolders.within(store, { contract, tokenId: undefined, height, ...range })
}

async function describe({ store }: EvmChainSource, at: EvmSnapshot, { contract, standard }: Held) {
  const [totals, [known]] = await Promise.all([
    standard === 721
      ? EvmTokenHolders.totals(store, { contract, standard })
      : EvmItemHolders.totals(store, contract),
    EvmContracts.byAddresses(store, at, [contract]),
  ])
  const [name, symbol] = [textOf(known?.name), textOf(known?.symbol)]
  return {
    ...(name === undefined ? {} : { nftCollectionName: [name] }),
    ...(symbol === undefined ? {} : { nftSymbol: [symbol] }),
    totalHolders: totals.holders,
    totalTokens: totals.tokens,
  }
}
