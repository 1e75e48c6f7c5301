import { fetchFirst, fetchRows } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { EvmStore } from '../EvmStore.ts'
import { ALL_BALANCES } from '../internal/allBalances.ts'

/** An address that held more than a threshold. */
export interface Holder {
  readonly address: Uint8Array
  /** Balance after the last block of the range. */
  readonly balance: bigint
}

/** Parameters of {@link page}. */
export interface Query {
  readonly contract: Uint8Array
  /** Token standard. For 721, the balance is the number of tokens. */
  readonly standard: 20 | 721
  /** Not negative. */
  readonly threshold: bigint
  /**
   * Height of the first block. A balance from an earlier block counts if it had not changed before this block.
   */
  readonly from: bigint
  /** Height of the last block. */
  readonly to: bigint
  /** Last holder of the previous page; undefined for the first page. */
  readonly after: Holder | undefined
  readonly limit: number
  /**
   * Maximum number of former holders that are read and sorted for a page, 10,000 by default. If there are more, they
   * are read in the order of the balances.
   */
  readonly few?: number
}

/**
 * Returns the token standard (20 or 721) of a contract's balances, or undefined if there are none. If balances of
 * both standards exist, returns `likely`.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTokenHolders } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const standard = await EvmTokenHolders.standardOf(store, contract, 20)
 * ```
 */
export async function standardOf(
  store: EvmStore,
  contract: Uint8Array,
  likely: 20 | 721 | undefined,
): Promise<20 | 721 | undefined> {
  const found = [...new Set([likely ?? 20, 20, 721])].map(
    (standard) => sql`(select h.standard from token_holder as h
      where h.contract = ${contract} and h.standard = ${sql.lit(standard)} limit 1)`,
  )
  const rows = await fetchRows(
    store,
    sql<{
      standard: 20 | 721 | null
    }>`select coalesce(${sql.join(found)}) as standard`,
  )
  return rows[0]?.standard ?? undefined
}

/**
 * Returns the addresses that held more than a threshold at any time within the range. They are sorted by the
 * balance at the end of the range, highest first, and then by address.
 *
 * The query reads the page from an index in the order of the balances. Below the threshold, it skips the entries of
 * holders that never exceeded it; if only a few did, it reads these instead. With a start, it reads the transfers
 * within the range. It always reads the transfers after the range; see {@link countTransfers}.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTokenHolders } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const range = { from: 0n, to: 42n, after: undefined, limit: 25 }
 * const holders = await EvmTokenHolders.page(store, { contract, standard: 20, threshold: 0n, ...range })
 * ```
 */
export async function page(store: EvmStore, query: Query): Promise<readonly Holder[]> {
  const { from, limit } = query
  const below = from === 0n ? everAbove(query, await haveFewExceeded(store, query)) : nowBelow(query)
  const above = isAfterAbove(query) ? [] : [stillAbove(query)]
  return union(store, [...above, below, changedLater(query)], limit)
}

/** Returns the first holders among those that statements select. */
async function union(
  store: EvmStore,
  parts: readonly RawBuilder<unknown>[],
  limit: number,
): Promise<readonly Holder[]> {
  const all = parts.map((part) => sql`(${part} limit ${limit})`)
  return fetchRows(
    store,
    sql<Holder>`select p.address, p.balance from (${sql.join(all, sql` union all `)}) as p
    order by - p.balance, p.address limit ${limit}`,
  )
}

/** Parameters of {@link at}. */
export interface QueryAt extends Pick<Query, 'contract' | 'standard' | 'threshold' | 'after' | 'limit'> {
  /** Height of a block. The page contains the balances after this block. */
  readonly height: bigint
}

/**
 * Returns the addresses that hold more than a threshold after a block. They are sorted by balance, highest first, and
 * then by address. The query reads the page from an index, and the transfers after the block; see
 * {@link countTransfers}.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTokenHolders } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const query = { contract, standard: 721, threshold: 0n, height: 42n, after: undefined, limit: 25 } as const
 * const holders = await EvmTokenHolders.at(store, query)
 * ```
 */
export async function at(store: EvmStore, { height, ...rest }: QueryAt): Promise<readonly Holder[]> {
  const query = { ...rest, from: height + 1n, to: height }
  return union(store, [stillAbove(query), changedLater(query)], rest.limit)
}

/**
 * Returns the number of transfers of a contract, or of one of its tokens, after a height, or `most` if there are more. {@link page} reads the
 * transfers after the range, and those within it if it has a start.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTokenHolders } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const transfers = await EvmTokenHolders.countTransfers(store, contract, { after: 42n, most: 1_000 })
 * ```
 */
export async function countTransfers(
  store: EvmStore,
  contract: Uint8Array,
  query: { readonly tokenId?: bigint | undefined; readonly after: bigint; readonly most: number },
): Promise<number> {
  const { tokenId, after, most } = query
  const ofToken = tokenId === undefined ? sql`true` : sql`t.token_id = ${amount(tokenId)}`
  const rows = await fetchRows(
    store,
    sql<{ count: bigint }>`select count(*) as count
    from (select 1 from transfer as t where t.contract = ${contract} and ${ofToken} and t.height > ${after} limit ${most}) as t`,
  )
  return Number(rows[0]?.count ?? 0n)
}

/** A range of addresses, both inclusive, and the height of a block. */
export interface RangeQuery extends Pick<Query, 'contract' | 'standard'> {
  readonly first: Uint8Array
  readonly last: Uint8Array
  readonly height: bigint
}

/**
 * Returns the holders of a contract whose addresses are in a range, also former ones, with their balances after a block.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTokenHolders } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const range = { first: new Uint8Array(20), last: new Uint8Array(20).fill(1) }
 * const holders = await EvmTokenHolders.within(store, { contract, standard: 20, height: 42n, ...range })
 * ```
 */
export function within(store: EvmStore, query: RangeQuery): Promise<readonly Holder[]> {
  const { first, last, height } = query
  return fetchRows(
    store,
    sql<Holder>`select h.address, b.balance from token_holder as h
    cross join lateral (select b.balance from ${balances(query)} and b.since <= ${height} order by b.since desc limit 1) as b
    where ${isOf(query)} and h.address >= ${first} and h.address <= ${last}`,
  )
}

/** The number of holders, and what they hold together. */
export interface Totals {
  readonly holders: bigint
  readonly tokens: bigint
}

/**
 * Returns the number of holders of a contract after the newest block, and the sum of their balances.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTokenHolders } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const { holders } = await EvmTokenHolders.totals(store, { contract, standard: 721 })
 * ```
 */
export async function totals(store: EvmStore, query: Pick<Query, 'contract' | 'standard'>): Promise<Totals> {
  const row = await fetchFirst(
    store,
    sql<Totals>`select count(*) as holders, coalesce(sum(h.balance), 0) as tokens from token_holder as h
    where ${isOf(query)} and - h.balance < 0`,
  )
  return row ?? { holders: 0n, tokens: 0n }
}

const ORDER = sql`order by - h.balance, h.address`

const FEW = 10_000

/** Returns whether at most `few` holders have less than they had when they exceeded the threshold. */
async function haveFewExceeded(store: EvmStore, query: Query): Promise<boolean> {
  const { few = FEW } = query
  const rows = await fetchRows(
    store,
    sql<{ count: bigint }>`select count(*) as count
    from (select 1 from token_holder as h where ${isOf(query)} and ${hasExceeded(query)} and h.peak > h.balance
      limit ${few + 1}) as h`,
  )
  return (rows[0]?.count ?? 0n) <= BigInt(few)
}

/** Condition that `h` exceeded the threshold before its newest balance. */
function hasExceeded({ threshold }: Query): RawBuilder<unknown> {
  return sql`h.peak > ${amount(threshold)}`
}

/** Returns whether the page starts after all holders above the threshold. */
function isAfterAbove({ after, threshold }: Query): boolean {
  return after !== undefined && after.balance <= threshold
}

/**
 * Selects the holders that exceeded the threshold at any time, but no longer do, and whose balance has not changed
 * after the range. If they are few, `OFFSET 0` forces reading them by the index of the highest balances. Otherwise a
 * single condition gives the place in the index at which the page starts.
 */
function everAbove(query: Query, isFew: boolean): RawBuilder<unknown> {
  const start = isAfterAbove(query) ? behind(query) : sql`- h.balance >= ${amount(-query.threshold)}`
  const own = isOf(query)
  const rows = isFew
    ? sql`(select * from token_holder as h where ${own} and ${hasExceeded(query)} and h.peak > h.balance offset 0) as h
      where ${start}`
    : sql`token_holder as h where ${own} and coalesce(h.peak, 0::numeric) > ${amount(query.threshold)} and ${start}`
  return sql`select h.address, h.balance from ${rows} and h.since <= ${query.to} ${ORDER}`
}

/** Selects the holders above the threshold whose balance has not changed after the range. */
function stillAbove(query: Query): RawBuilder<unknown> {
  return sql`select h.address, h.balance from token_holder as h where ${settled(query)}
    and - h.balance < ${amount(-query.threshold)} ${ORDER}`
}

/**
 * Selects the holders that exceeded the threshold within the range but not at its end, and whose balance has not
 * changed after the range. Each of them took part in a transfer of the range.
 */
function nowBelow(query: Query): RawBuilder<unknown> {
  const { threshold, from, to } = query
  return sql`select h.address, h.balance from (${movers(query, from, to)}) as m
    join token_holder as h on h.address = m.address
    where ${settled(query)} and h.balance <= ${amount(threshold)} and ${wasAbove(query)} ${ORDER}`
}

/** Selects the holders that exceeded the threshold within the range and whose balance has changed after it. */
function changedLater(query: Query): RawBuilder<unknown> {
  const { threshold, to } = query
  return sql`select h.address, h.balance
    from (select h.contract, h.standard, h.address, coalesce(h.peak, h.balance) as peak,
        coalesce(h.peak_since, h.since) as peak_since, b.balance
      from (${movers(query, to + 1n, undefined)}) as m
      join token_holder as h on h.address = m.address and ${isOf(query)} and h.since > ${to}
      cross join lateral (select b.balance from ${balances(query)} and b.since <= ${to} order by b.since desc limit 1) as b
    ) as h
    where ${behind(query)} and (h.balance > ${amount(threshold)} or ${wasAbove(query)}) ${ORDER}`
}

/** Condition that `h` is a holder after the previous page whose balance has not changed after the range. */
function settled(query: Query): RawBuilder<unknown> {
  return sql`${isOf(query)} and h.since <= ${query.to} and ${behind(query)}`
}

function isOf({ contract, standard }: Pick<Query, 'contract' | 'standard'>): RawBuilder<unknown> {
  return sql`h.contract = ${contract} and h.standard = ${sql.lit(standard)}`
}

function behind({ after }: Query): RawBuilder<unknown> {
  if (after === undefined) return sql`true`
  return sql`(- h.balance, h.address) > (${amount(-after.balance)}, ${after.address})`
}

/**
 * Condition that `h` exceeded the threshold at some height of the range. `OFFSET 0` forces one index lookup per holder.
 */
function wasAbove(query: Query): RawBuilder<unknown> {
  const { threshold, from, to } = query
  const own = balances(query)
  const above = sql`b.balance > ${amount(threshold)}`
  const within = sql`exists (select from ${own} and ${above} and b.since >= ${from} and b.since <= ${to} offset 0)`
  if (from === 0n) return sql`${hasExceeded(query)} and (h.peak_since <= ${to} or ${within})`
  return sql`${hasExceeded(query)} and (${within}
    or exists (select from (select b.balance from ${own} and b.since < ${from} order by b.since desc limit 1) as b where ${above} offset 0))`
}

/** Selects the balances of `h`. */
function balances({ contract, standard }: Pick<Query, 'contract' | 'standard'>): RawBuilder<unknown> {
  return sql`${sql.raw(ALL_BALANCES)} as b where b.contract = ${contract} and b.standard = ${sql.lit(standard)} and b.token_id = 0
    and b.address = h.address`
}

/** Selects the addresses that took part in a transfer from a height to another height, both inclusive. */
function movers({ contract, standard }: Query, from: bigint, to: bigint | undefined): RawBuilder<unknown> {
  const last = to === undefined ? sql`true` : sql`t.height <= ${to}`
  return sql`select distinct side.address from transfer as t
    cross join lateral (values (t.sender), (t.recipient)) as side (address)
    where t.contract = ${contract} and t.standard = ${sql.lit(standard)} and t.height >= ${from} and ${last}`
}

function amount(value: bigint): RawBuilder<unknown> {
  return sql`${String(value)}::numeric`
}
