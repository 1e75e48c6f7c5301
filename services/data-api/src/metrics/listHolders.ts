import { Hex } from '@firn/codec'
import { EvmBlocks, EvmContracts, type EvmSnapshot, type EvmStore, EvmTokenHolders } from '@firn/store/evm'
import { Type } from 'typebox'
import { DataApiError } from '../DataApiError.ts'
import { chainId, chainOf, type EvmChainSource, type EvmContext } from '../evm/EvmContext.ts'
import { evmSnapshots } from '../evm/evmSnapshots.ts'
import { address } from '../evm/parameters.ts'
import { addressText } from '../evm/shapes/RichAddress.ts'
import { behind } from '../front/behind.ts'
import type { ConcurrencyLimit } from '../front/ConcurrencyLimit.ts'
import { define, type Endpoint } from '../front/Endpoint.ts'
import { latestOf } from '../front/List.ts'
import * as Parameter from '../front/Parameter.ts'
import { expensive } from './expensive.ts'
import { pageToken } from './parameters.ts'
import type { UuidTokens } from './UuidTokens.ts'

const MOST = 2n ** 256n - 1n

const threshold = Parameter.text('a decimal balance in the smallest unit of the token', (text) => {
  if (!/^[0-9]{1,78}$/.test(text)) return undefined
  const value = BigInt(text)
  return value <= MOST ? value : undefined
})

/** Filters of a list of holders. */
interface Filters {
  readonly address: Uint8Array
  readonly threshold: bigint
  readonly startTimestamp: bigint | undefined
  readonly endTimestamp: bigint | undefined
}

/**
 * `GET /v2/chains/{chainId}/contracts/{address}/balances`: addresses whose token balance was above a
 * threshold at some time in the range. A page token contains the block of the list and the number of listed
 * addresses. If a reorg replaced the block, or if the filters differ, the list starts again. A replica that
 * has not indexed the block yet responds with 503.
 */
export function listHolders(context: EvmContext, tokens: UuidTokens, limit: ConcurrencyLimit): Endpoint {
  const endpoint = define({
    method: 'GET',
    path: '/v2/chains/{chainId}/contracts/{address}/balances',
    summary:
      'Addresses whose token balance exceeded a threshold within the time range, highest balance first',
    tag: 'Metrics',
    scope: 'metrics',
    units: 1_000,
    extraUnits: ({ query }) => extraUnits(query, context.now()),
    pathParameters: { chainId: chainId(context), address },
    queryParameters: {
      threshold,
      startTimestamp: Parameter.optional(Parameter.timestamp),
      endTimestamp: Parameter.optional(Parameter.timestamp),
      pageSize: Parameter.integer(1, 5_000, 1_000),
      pageToken,
    },
    response: Type.Object({
      nextPageToken: Type.Optional(Type.String()),
      addresses: Type.Array(Type.Object({ address: Type.String(), sortKey: Type.Number() })),
    }),
    handle: async ({ path, query, signal }) => {
      const source = chainOf(context, path.chainId)
      const filters = { ...query, address: path.address }
      const begun = await begin(source, tokens, filters, query.pageToken)
      const read = (at: EvmSnapshot) => page(source, tokens, filters, at, begun?.offset ?? 0, query.pageSize)
      const snapshots = evmSnapshots(source.store)
      return begun === undefined
        ? latestOf(snapshots, signal, read)
        : latestOf({ ...snapshots, latest: async () => begun.at }, signal, read)
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

const OFFSET_BITS = 24n
const HEIGHT_BITS = 36n

/** Returns the position from which a page token continues, or undefined for the first page. */
async function begin(
  { chain, store }: EvmChainSource,
  tokens: UuidTokens,
  filters: Filters,
  text: string | undefined,
): Promise<{ readonly at: EvmSnapshot; readonly offset: number } | undefined> {
  if (text === undefined || text === '') return undefined
  const opened = tokens.open(text)
  const name = nameOf(chain.chainId, filters)
  if (!opened.isOfAny(name)) return undefined
  const height = opened.state >> OFFSET_BITS
  const latest = await store.snapshot()
  const at = await store.snapshotAt(height)
  if (at === undefined && height > latest.height) {
    throw behind('pageToken', `block ${height}`, `block ${latest.height}`)
  }
  if (at === undefined || !opened.isOf(name, Hex.encode(at.hash))) return undefined
  return { at, offset: Number(BigInt.asUintN(Number(OFFSET_BITS), opened.state)) }
}

async function page(
  { chain, store }: EvmChainSource,
  tokens: UuidTokens,
  filters: Filters,
  at: EvmSnapshot,
  offset: number,
  size: number,
) {
  const standard = await standardOf(store, at, filters.address)
  const { threshold, startTimestamp, endTimestamp } = filters
  const isEmpty = startTimestamp !== undefined && endTimestamp !== undefined && endTimestamp <= startTimestamp
  const from = startTimestamp === undefined ? 0n : await firstSince(startTimestamp)
  const to = endTimestamp === undefined ? at.height : (await firstSince(endTimestamp)) - 1n
  const query = { contract: filters.address, standard, threshold, from, to, offset, limit: size + 1 } as const
  const found = isEmpty ? [] : await EvmTokenHolders.page(store, query)
  const holders = found.slice(0, size)
  const next = offset + size
  const hasNext = found.length > size && next < 2 ** Number(OFFSET_BITS) && at.height < 1n << HEIGHT_BITS
  const state = (at.height << OFFSET_BITS) | BigInt(next)
  return {
    body: {
      nextPageToken: hasNext
        ? tokens.seal(nameOf(chain.chainId, filters), state, Hex.encode(at.hash))
        : undefined,
      addresses: holders.map(({ address, balance }) => ({ address: addressText(address), sortKey: balance })),
    },
    height: at.height,
    time: at.time,
  }

  /**
   * Returns the lowest height whose block is not before `time`. If there is no such block, returns the height
   * after the snapshot's height.
   */
  async function firstSince(time: bigint): Promise<bigint> {
    const height = await EvmBlocks.firstSince(store, time)
    return height === undefined || height > at.height ? at.height + 1n : height
  }
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

/**
 * Returns the list's name for page tokens. The name does not contain the version of the list, which is the hash of
 * the block at which the list is read.
 */
function nameOf(chainId: bigint, filters: Filters): string {
  const { address, threshold, startTimestamp = '', endTimestamp = '' } = filters
  return ['holders', chainId, Hex.encode(address), threshold, startTimestamp, endTimestamp].join(' ')
}
