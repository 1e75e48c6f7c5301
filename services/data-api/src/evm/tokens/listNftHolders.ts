import { Hex } from '@firn/codec'
import {
  EvmItemHolders,
  EvmRetention,
  type EvmSnapshot,
  type EvmStore,
  EvmTokenHolders,
  EvmTokens,
  TOKEN_CLASSES,
} from '@firn/evm-store'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { assertBalancesKept } from '../balances/assertBalancesKept.ts'
import { addressText, ZERO_ADDRESS } from '../chain/addressText.ts'
import { assertWhole } from '../chain/assertWhole.ts'
import { chainList } from '../chain/chainList.ts'
import type { EvmChainSource, EvmContext } from '../chain/EvmContext.ts'
import { heightOf } from '../chain/heightOf.ts'
import { address, blockNumber, threshold, tokenId } from '../chain/parameters.ts'
import { collectionStandard, tokenOf } from '../chain/tokenOf.ts'
import { type Held, settleHolders } from './settleHolders.ts'

type Holder = EvmTokenHolders.Holder

const NftHolder = Schema.object('NftHolder', 'A holder of NFTs', {
  address: Field.evmAddress('Address of the holder'),
  balance: Schema.text('Number of tokens, as decimal text', '5'),
  basis: Schema.choice(
    ['logs', 'chain'],
    '`logs`: sum of the logs of the contract; `chain`: answer of the contract, which is asked if its logs do not add up to its balances',
  ),
})

/** `GET …/nfts/collections/{address}/holders`: addresses that hold tokens of an ERC-721 or ERC-1155 contract. */
export function listCollectionHolders(context: EvmContext): Endpoint {
  return holderList(context, {
    path: '/nfts/collections/{address}/holders',
    operationId: 'listNftCollectionHolders',
    summary: 'Addresses that hold tokens of an ERC-721 or ERC-1155 contract after a block, most tokens first',
    responseName: 'ListNftCollectionHoldersResponse',
    pathParameters: { address },
    heldOf: async (store, at, { address: contract }) => {
      const standard = await collectionStandard(store, at, contract)
      return { contract, standard, tokenId: undefined }
    },
  })
}

/**
 * `GET …/nfts/collections/{address}/tokens/{tokenId}/holders`: the owner of an ERC-721 token, or the addresses that hold
 * an ERC-1155 token.
 */
export function listTokenHolders(context: EvmContext): Endpoint {
  return holderList(context, {
    path: '/nfts/collections/{address}/tokens/{tokenId}/holders',
    operationId: 'listNftHolders',
    summary:
      'The owner of an ERC-721 token, or the holders of an ERC-1155 token, after a block, most tokens first',
    responseName: 'ListNftHoldersResponse',
    pathParameters: { address, tokenId },
    heldOf: async (store, at, { address: contract, tokenId: id }) => {
      const { standard } = await tokenOf(store, at, { contract, tokenId: id })
      return { contract, standard: standard === 721 ? 721 : 1155, tokenId: id }
    },
  })
}

interface HolderList<Path extends Parameter.Specification> extends Pick<Endpoint, 'operationId' | 'summary'> {
  readonly path: `/${string}`
  readonly responseName: string
  readonly pathParameters: Path
  /** Returns whose holders are listed. */
  readonly heldOf: (store: EvmStore, at: EvmSnapshot, path: Parameter.Values<Path>) => Promise<Held>
}

function holderList<const Path extends Parameter.Specification>(
  context: EvmContext,
  { heldOf, ...list }: HolderList<Path>,
): Endpoint {
  return chainList<Holder, Path, typeof queryParameters>(context, {
    ...list,
    isPerBlock: false,
    units: 100,
    rowsPerElement: () => 20,
    queryParameters,
    response: {
      holders: Schema.list(NftHolder, 'Holders of the page, most tokens first by the logs of the contract'),
      blockNumber: Field.height('Block after which the balances are valid'),
      tokenClass: Schema.optional(
        Schema.choice(
          TOKEN_CLASSES,
          'Class of the contract, absent if its balances were not checked; unless it is `wellBehaved`, holders without transfers may be missing',
        ),
      ),
    },
    read: async ({ source, path, query, at, after, limit }) => {
      const held = await heldOf(source.store, at, path)
      const height = heightOf(source, at, query.blockNumber)
      const page = { height, threshold: query.threshold ?? 0n, after: holderOf(after), limit }
      return readHolders(source, held, page)
    },
    keyOf: ({ address: holder, balance }) => [String(balance), Hex.encodeBare(holder)],
    body: async (page, { source, path, query, at, signal }) => {
      const height = heightOf(source, at, query.blockNumber)
      const held = await heldOf(source.store, at, path)
      const request = { height, threshold: query.threshold ?? 0n, signal }
      const { holders, tokenClass } = await settleHolders(context, source, page, held, request)
      return {
        holders: holders.map(({ address: holder, balance, basis }) => ({
          address: addressText(holder),
          balance: String(balance),
          basis,
        })),
        blockNumber: String(height),
        tokenClass,
      }
    },
  })
}

const queryParameters = {
  blockNumber: Parameter.optional(blockNumber),
  threshold: Parameter.optional(threshold),
}

/** A page of holders after the block at a height. */
interface Page {
  readonly height: bigint
  readonly threshold: bigint
  readonly after: Holder | undefined
  readonly limit: number
}

/**
 * Returns a page of holders of a collection or a token, by the logs of the contract.
 * @throws DataApiError `DATA_NOT_FOUND`, `DATA_PARAMETER`, `DATA_UNAVAILABLE`
 */
export async function readHolders(
  source: EvmChainSource,
  held: Held,
  page: Page,
): Promise<readonly Holder[]> {
  const { store } = source
  const { contract, standard, tokenId: id } = held
  if (standard === 721 && id !== undefined) {
    const owner = await EvmTokens.ownerAt(store, { contract, tokenId: id }, page.height)
    await assertBalancesKept(store, page.height)
    const isOwned = owner !== undefined && Hex.encode(owner) !== NOBODY
    return isOwned && page.threshold === 0n && page.after === undefined
      ? [{ address: owner, balance: 1n }]
      : []
  }
  assertWhole(source)
  await assertAffordable(store, held, page.height)
  const found =
    standard === 721
      ? await EvmTokenHolders.at(store, { contract, standard, ...page })
      : await EvmItemHolders.at(store, { contract, tokenId: id, ...page })
  // Rows may be pruned while they are read, so this is checked last.
  await assertTransfersKept(store, page.height)
  if (standard === 721) await assertBalancesKept(store, page.height)
  return found
}

const NOBODY = Hex.encode(ZERO_ADDRESS)

function holderOf(after: readonly string[] | undefined): Holder | undefined {
  if (after === undefined) return undefined
  const [balance = '0', holder = ''] = after
  return { address: Hex.decodeBare(holder), balance: BigInt(balance) }
}

/**
 * Throws if too many transfers after the block would be read.
 * @throws DataApiError `DATA_PARAMETER`
 */
export async function assertAffordable(
  store: EvmStore,
  { contract, standard, tokenId: id }: Held,
  after: bigint,
): Promise<void> {
  const most = EvmItemHolders.MOST_LATER
  const of = standard === 1155 ? id : undefined
  if ((await EvmTokenHolders.countTransfers(store, contract, { tokenId: of, after, most })) < most) return
  throw new DataApiError(
    'DATA_PARAMETER',
    `blockNumber: ${most} transfers or more since block ${after} are too many to search; pass a later block, or start again without a page token`,
  )
}

/**
 * Throws if transfers after a block, from which its holders follow, were removed.
 * @throws DataApiError `DATA_NOT_FOUND`
 */
async function assertTransfersKept(store: EvmStore, height: bigint): Promise<void> {
  const first = await EvmRetention.keptFrom(store, 'transfers')
  if (first === undefined || height + 1n >= first) return
  const message = `blockNumber: holders after block ${height} are not known, because token transfers before block ${first} are not kept; pass a later block`
  throw new DataApiError('DATA_NOT_FOUND', message)
}
