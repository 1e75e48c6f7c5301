import { Hex } from '@firn/codec'
import {
  EvmBalanceChecks,
  EvmBlocks,
  EvmContracts,
  EvmRetention,
  type EvmSnapshot,
  type EvmStore,
  EvmTokenHolders,
  TOKEN_CLASSES,
} from '@firn/evm-store'
import { addressText } from '../evm/chain/addressText.ts'
import { chainId, chainOf, type EvmChainSource, type EvmContext } from '../evm/chain/EvmContext.ts'
import { evmSnapshots } from '../evm/chain/evmSnapshots.ts'
import { address, threshold } from '../evm/chain/parameters.ts'
import type { ConcurrencyLimit } from '../http/admission/ConcurrencyLimit.ts'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Field from '../http/endpoint/Field.ts'
import { latestOf } from '../http/endpoint/List.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { expensive } from './expensive.ts'
import * as HolderTokens from './HolderTokens.ts'
import { nextPageToken, pageToken } from './parameters.ts'
import type { UuidTokens } from './UuidTokens.ts'

/** Filters of a list of holders. */
interface Filters {
  readonly address: Uint8Array
  readonly threshold: bigint
  readonly startTimestamp: bigint | undefined
  readonly endTimestamp: bigint | undefined
  /** Maximum number of rows that the caller may have read. */
  readonly mostRows: number
}

/**
 * `GET /v2/chains/{chainId}/contracts/{address}/balances`: addresses whose token balance was above a
 * threshold at some time in the range. A page token points to the block of the list and the last listed
 * address. If a reorg replaced the block, if the filters differ, or if the token is older than a day,
 * the list starts again. A replica that has not indexed the block yet responds with 503.
 */
export function listHolders(context: EvmContext, tokens: UuidTokens, limit: ConcurrencyLimit): Endpoint {
  const endpoint = define({
    method: 'GET',
    path: '/v2/chains/{chainId}/contracts/{address}/balances',
    operationId: 'listHolders',
    summary:
      'Addresses whose token balance exceeded a threshold within the time range, highest balance first',
    tag: 'Metrics',
    scope: 'metrics',
    units: 1_000,
    extraUnits: ({ query }) => extraUnits(query, context.now()),
    rows: ({ query }) => FEW_HOLDERS + query.pageSize,
    pathParameters: { chainId: chainId(context), address },
    queryParameters: {
      threshold,
      startTimestamp: Parameter.optional(Parameter.timestamp),
      endTimestamp: Parameter.optional(Parameter.timestamp),
      pageSize: Parameter.integer(1, 5_000, 1_000),
      pageToken,
    },
    response: Schema.object('ListHoldersResponse', 'A page of holders of a token', {
      nextPageToken,
      addresses: Schema.list(
        Schema.object('Holder', 'A holder of a token', {
          address: Field.evmAddress('Address of the holder'),
          sortKey: Schema.number('Balance, in the smallest unit of the token and rounded', 1_500_000),
        }),
        'Holders of the page, highest balance first',
      ),
      tokenClass: Schema.optional(
        Schema.choice(
          TOKEN_CLASSES,
          'Class of the contract, absent if its balances were not checked; unless it is `wellBehaved`, the sums of transfers in `sortKey` may differ from the balances',
        ),
      ),
    }),
    handle: async ({ path, query, signal, mostRows }) => {
      const source = chainOf(context, path.chainId)
      const filters = { ...query, address: path.address, mostRows }
      const name = nameOf(source.chain.chainId, filters)
      const begun = await HolderTokens.open(
        tokens,
        name,
        source.store,
        query.pageToken,
        async (range, at) => {
          const { standard, to: height } = await boundsOf(source, filters, at)
          return EvmTokenHolders.within(source.store, { contract: path.address, standard, height, ...range })
        },
      )
      const snapshots = evmSnapshots(source.store)
      const latest = begun === undefined ? snapshots.latest : async () => begun.at
      return latestOf({ ...snapshots, latest }, signal, async (at) => {
        const { last, ...answer } = await page(source, filters, at, begun?.after, query.pageSize)
        const nextPageToken = last && HolderTokens.seal(tokens, name, { at, after: last })
        return { ...answer, body: { nextPageToken, ...answer.body } }
      })
    },
    version: async ({ path }) => (await chainOf(context, path.chainId).store.snapshot()).key,
  })
  return expensive(limit, endpoint)
}

/**
 * Extra compute units of a request: `perDay` for each day in its time range, `perAddress` for each address of the
 * page beyond 1,000, and at most `most` in total.
 */
const FRAME_UNITS = { perDay: 10, perAddress: 0.2, most: 2_000 }
const USUAL_PAGE = 1_000
const DAY = 86_400

interface Frame {
  readonly startTimestamp: bigint | undefined
  readonly endTimestamp: bigint | undefined
  readonly pageSize: number
}

/**
 * Returns the additional cost of a list that has a time range or a large page. With a time range, holders are
 * searched in all transfers of the range.
 */
function extraUnits({ startTimestamp, endTimestamp, pageSize }: Frame, now: number): number {
  const isFramed = startTimestamp !== undefined || endTimestamp !== undefined
  const end = endTimestamp === undefined ? now / 1_000 : Number(endTimestamp)
  const seconds = isFramed ? end - Number(startTimestamp ?? 0n) : 0
  const days = Math.max(seconds, 0) / DAY
  const addresses = Math.max(pageSize - USUAL_PAGE, 0)
  return Math.ceil(Math.min(days * FRAME_UNITS.perDay + addresses * FRAME_UNITS.perAddress, FRAME_UNITS.most))
}

/** Maximum number of transfers that a request may read besides the holders of its page. */
const MOST_TRANSFERS = 1_000_000
/** Maximum number of former holders that are read and sorted for a page. */
const FEW_HOLDERS = 10_000

async function page(
  source: EvmChainSource,
  filters: Filters,
  at: EvmSnapshot,
  after: EvmTokenHolders.Holder | undefined,
  size: number,
) {
  const { store } = source
  const { isEmpty, ...bounds } = await boundsOf(source, filters, at)
  const { address: contract, threshold } = filters
  const query = { ...bounds, contract, threshold, after, limit: size + 1, few: FEW_HOLDERS }
  if (!isEmpty) await assertAffordable(store, query, filters.mostRows)
  const found = isEmpty ? [] : await EvmTokenHolders.page(store, query)
  // Transfers may be pruned while they are read, so this is checked last.
  if (!isEmpty) await assertKept(store, searchedAfter(query))
  const [check] = await EvmBalanceChecks.ofContracts(store, [contract], query.to)
  const holders = found.slice(0, size)
  return {
    body: {
      addresses: holders.map(({ address, balance }) => ({ address: addressText(address), sortKey: balance })),
      tokenClass: check?.class,
    },
    /** The last holder of the page; undefined if there are no others. */
    last: found.length > size ? holders.at(-1) : undefined,
    height: at.height,
    time: at.time,
  }
}

/** Returns the token standard of the contract, and the heights of the first and last block of the time range. */
async function boundsOf({ chain, store }: EvmChainSource, filters: Filters, at: EvmSnapshot) {
  const standard = await standardOf(store, at, filters.address)
  const { startTimestamp, endTimestamp } = filters
  const isEmpty = startTimestamp !== undefined && endTimestamp !== undefined && endTimestamp <= startTimestamp
  const start = startTimestamp === undefined ? 0n : await firstSince(startTimestamp)
  return {
    ...{ standard, isEmpty },
    from: start <= chain.firstHeight ? 0n : start,
    to: endTimestamp === undefined ? at.height : (await firstSince(endTimestamp)) - 1n,
  }

  /**
   * Returns the lowest height whose block is not before `time`. If there is no such block, returns the height
   * after the snapshot's height.
   */
  async function firstSince(time: bigint): Promise<bigint> {
    const height = await EvmBlocks.firstSince(store, time)
    const kept = (await EvmRetention.keptFrom(store, 'blocks')) ?? 0n
    // The block before the first kept one may not be before the time.
    if (height !== undefined && height > chain.firstHeight && height <= kept) throw notKept(kept)
    return height === undefined || height > at.height ? at.height + 1n : height
  }
}

/** Returns the height after which a list reads the contract's transfers. */
function searchedAfter({ from, to }: Pick<EvmTokenHolders.Query, 'from' | 'to'>): bigint {
  return from === 0n || to < from ? to : from - 1n
}

/** @throws DataApiError `DATA_NOT_FOUND` if transfers after a height, or earlier balances, were pruned */
async function assertKept(store: EvmStore, after: bigint): Promise<void> {
  const kinds = ['transfers', 'balances'] as const
  const kept = await Promise.all(kinds.map((kind) => EvmRetention.keptFrom(store, kind)))
  const first = kept.reduce<bigint>((most, one = 0n) => (one > most ? one : most), 0n)
  if (after + 1n < first) throw notKept(first)
}

function notKept(first: bigint): DataApiError {
  return new DataApiError(
    'DATA_NOT_FOUND',
    `startTimestamp, endTimestamp: holders at these times are not known, because token transfers or balances before block ${first} are not kept; pass later times, or none`,
  )
}

/**
 * Throws if a list would read too many transfers: those after the range, and those within it if it has a start.
 * @throws DataApiError `DATA_PARAMETER`
 */
async function assertAffordable(
  store: EvmStore,
  query: Pick<EvmTokenHolders.Query, 'contract' | 'from' | 'to'>,
  mostRows: number,
): Promise<void> {
  const { contract } = query
  const after = searchedAfter(query)
  const most = Math.min(MOST_TRANSFERS, mostRows)
  const transfers = await EvmTokenHolders.countTransfers(store, contract, { after, most })
  if (transfers < most) return
  const advice = most < MOST_TRANSFERS ? 'use an API key, pass later times' : 'pass later times'
  throw new DataApiError(
    'DATA_PARAMETER',
    `startTimestamp, endTimestamp: the contract has ${most} transfers or more since block ${after}, too many to search; ${advice}, or none`,
  )
}

/**
 * Returns the token standard of a contract's transfers. If the contract has transfers of both standards, its
 * indexed standard decides.
 * @throws DataApiError `DATA_NOT_FOUND`
 */
async function standardOf(store: EvmStore, at: EvmSnapshot, address: Uint8Array): Promise<20 | 721> {
  const [contract] = await EvmContracts.byAddresses(store, at, [address])
  const indexed = contract?.standard
  const likely = indexed === 20 || indexed === 721 ? indexed : undefined
  const standard = (await EvmTokenHolders.standardOf(store, address, likely)) ?? likely
  if (standard !== undefined) return standard
  throw new DataApiError('DATA_NOT_FOUND', 'address: no ERC-20 or ERC-721 contract is known at this address')
}

/** Returns the list's filters for page tokens. */
function nameOf(chainId: bigint, filters: Filters): string {
  const { address, threshold, startTimestamp = '', endTimestamp = '' } = filters
  return ['holders', chainId, Hex.encode(address), threshold, startTimestamp, endTimestamp].join(' ')
}
