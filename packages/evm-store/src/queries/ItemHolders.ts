import { fetchFirst, fetchRows } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { EvmStore } from '../EvmStore.ts'
import { ALL_ITEMS } from '../internal/ItemHolders.ts'
import { ZERO_ADDRESS } from '../internal/zeroAddress.ts'
import type { Holder, Totals } from './TokenHolders.ts'

/** Parameters of {@link at}. */
export interface Query {
  readonly contract: Uint8Array
  /** Id of the token. If undefined, the balances are the sums over all tokens of the contract. */
  readonly tokenId: bigint | undefined
  /** Not negative. */
  readonly threshold: bigint
  /** Height of a block. The page contains the balances after this block. */
  readonly height: bigint
  /** Last holder of the previous page; undefined for the first page. */
  readonly after: Holder | undefined
  readonly limit: number
}

/**
 * Maximum number of later transfers for which {@link at} finds holders fast. If there are more, the database may search
 * a list of their addresses for each holder that it reads.
 */
export const MOST_LATER = 50_000

/**
 * Returns the addresses that hold more of ERC-1155 tokens than a threshold after a block. They are sorted by balance,
 * highest first, and then by address.
 *
 * The query reads the page from an index of the newest balances, and all later transfers, which it takes away from
 * them; see `EvmTokenHolders.countTransfers` and {@link MOST_LATER}.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { EvmItemHolders, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const query = { contract, tokenId: 7n, threshold: 0n, height: 42n, after: undefined, limit: 25 }
 * const holders = await EvmItemHolders.at(store, query)
 * ```
 */
export async function at(store: EvmStore, query: Query): Promise<readonly Holder[]> {
  const { contract, tokenId = ALL_ITEMS, threshold, after, limit } = query
  const isOf = sql`h.contract = ${contract} and h.token_id = ${numeric(tokenId)}`
  const place =
    after === undefined
      ? sql`true`
      : sql`(- h.balance, h.address) > (${numeric(-after.balance)}, ${after.address})`
  const page = sql`- h.balance < ${numeric(-threshold)} and ${place} order by - h.balance, h.address limit ${limit}`
  // A hashed list keeps the order of the index, which a join would not.
  const unchanged = sql`select h.address, h.balance from item_holder as h
    where ${isOf} and h.address not in (select address from later) and ${page}`
  const changed = sql`select h.address, h.balance from (select m.address, sum(m.balance) as balance from (
      select h.address, h.balance from item_holder as h join later on later.address = h.address where ${isOf}
      union all select address, - amount from later) as m group by m.address) as h where ${page}`
  return fetchRows(
    store,
    sql<Holder>`with later as materialized (${laterChanges(query)})
      select h.address, h.balance from ((${unchanged}) union all (${changed})) as h
      order by - h.balance, h.address limit ${limit}`,
  )
}

/** Parameters of {@link within}: a range of addresses, both inclusive. */
export interface RangeQuery extends Pick<Query, 'contract' | 'tokenId' | 'height'> {
  readonly first: Uint8Array
  readonly last: Uint8Array
}

/**
 * Returns the holders of ERC-1155 tokens whose addresses are in a range, with their balances after a block. Former holders
 * may have a balance of 0.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { EvmItemHolders, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const range = { first: new Uint8Array(20), last: new Uint8Array(20).fill(1) }
 * const holders = await EvmItemHolders.within(store, { contract, tokenId: undefined, height: 42n, ...range })
 * ```
 */
export async function within(store: EvmStore, query: RangeQuery): Promise<readonly Holder[]> {
  const { contract, tokenId = ALL_ITEMS, first, last } = query
  return fetchRows(
    store,
    sql<Holder>`select m.address, sum(m.balance) as balance from (
      select h.address, h.balance from item_holder as h where h.contract = ${contract} and h.token_id = ${numeric(tokenId)}
      union all select l.address, - l.amount from (${laterChanges(query)}) as l) as m
    where m.address >= ${first} and m.address <= ${last} group by m.address`,
  )
}

/**
 * Returns the number of holders of an ERC-1155 contract after the newest block, and the sum of their balances.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { EvmItemHolders, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const { holders } = await EvmItemHolders.totals(store, contract)
 * ```
 */
export async function totals(store: EvmStore, contract: Uint8Array): Promise<Totals> {
  const row = await fetchFirst(
    store,
    sql<Totals>`select count(*) as holders, coalesce(sum(h.balance), 0) as tokens from item_holder as h
    where h.contract = ${contract} and h.token_id = ${numeric(ALL_ITEMS)} and - h.balance < 0`,
  )
  return row ?? { holders: 0n, tokens: 0n }
}

/** Selects by how much balances changed after the block. */
function laterChanges({
  contract,
  tokenId,
  height,
}: Pick<Query, 'contract' | 'tokenId' | 'height'>): RawBuilder<unknown> {
  const ofToken = tokenId === undefined ? sql`true` : sql`t.token_id = ${numeric(tokenId)}`
  return sql`select side.address, sum(side.amount) as amount from transfer as t
    cross join lateral (values (t.sender, - t.amount), (t.recipient, t.amount)) as side (address, amount)
    where t.contract = ${contract} and t.standard = 1155 and ${ofToken} and t.height > ${height}
      and side.address <> ${ZERO_ADDRESS} group by side.address`
}

function numeric(value: bigint): RawBuilder<unknown> {
  return sql`${String(value)}::numeric`
}
