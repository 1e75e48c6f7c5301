import { type RawBuilder, sql } from 'kysely'
import { fetchRows } from '../../internal/database.ts'
import type { EvmStore } from '../EvmStore.ts'

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
  readonly threshold: bigint
  /**
   * Height of the first block. A balance from an earlier block counts if it had not changed before this block.
   */
  readonly from: bigint
  /** Height of the last block. */
  readonly to: bigint
  readonly offset: number
  readonly limit: number
}

/**
 * Returns the token standard (20 or 721) of a contract's balances, or undefined if there are none. If balances of
 * both standards exist, returns `likely`. The likely standard is looked up first, because a search that finds nothing
 * reads all balances of the contract.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTokenHolders } from '@firn/store/evm'
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
    (standard) => sql`(select ${sql.lit(standard)} where exists (select from token_balance as b
      where b.contract = ${contract} and b.standard = ${sql.lit(standard)}))`,
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
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTokenHolders } from '@firn/store/evm'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const range = { from: 1n, to: 42n, offset: 0, limit: 25 }
 * const holders = await EvmTokenHolders.page(store, { contract, standard: 20, threshold: 0n, ...range })
 * ```
 */
export async function page(store: EvmStore, query: Query): Promise<readonly Holder[]> {
  const { offset, limit } = query
  const present = await stillAbove(store, query)
  if (present.length === limit) return present
  const before = present.length > 0 || offset === 0 ? offset + present.length : await countAbove(store, query)
  const rest = { ...query, offset: offset + present.length - before, limit: limit - present.length }
  return [...present, ...(await nowBelow(store, rest))]
}

/** Selects the rows of the contract's balances as `b`. */
function balances({ contract, standard }: Query): RawBuilder<unknown> {
  return sql`token_balance as b where b.contract = ${contract} and b.standard = ${sql.lit(standard)} and b.token_id = 0`
}

/**
 * Returns the holders above the threshold at the end of the range. The index is read in descending order of balance,
 * so no more rows are read than needed.
 */
async function stillAbove(store: EvmStore, query: Query): Promise<readonly Holder[]> {
  return fetchRows(
    store,
    sql<Holder>`select h.address, h.balance from ${latestAbove(query)}
    order by h.balance desc, h.address limit ${query.limit} offset ${query.offset}`,
  )
}

async function countAbove(store: EvmStore, query: Query): Promise<number> {
  const rows = await fetchRows(
    store,
    sql<{ count: bigint }>`select count(*) as count from ${latestAbove(query)}`,
  )
  return Number(rows[0]?.count ?? 0n)
}

/**
 * Selects, as `h`, the balances at the end of the range that are above the threshold. `OFFSET 0` forces one index
 * lookup per row.
 */
function latestAbove(query: Query): RawBuilder<unknown> {
  const { threshold, to } = query
  const above = sql`b.balance > ${String(threshold)}::numeric and b.since <= ${to}`
  return sql`(select b.address, b.balance, b.since from ${balances(query)} and ${above}) as h
    where not exists (select from ${balances(query)} and b.address = h.address and b.since > h.since and b.since <= ${to}
      offset 0)`
}

/**
 * Returns the holders that were above the threshold within the range but not at its end. The query reads every
 * address that ever held more than the threshold.
 */
async function nowBelow(store: EvmStore, query: Query): Promise<readonly Holder[]> {
  const { threshold, from, to, offset, limit } = query
  const own = balances(query)
  const above = sql`b.balance > ${String(threshold)}::numeric`
  return fetchRows(
    store,
    sql<Holder>`
    select one.address, latest.balance
    from (select distinct b.address from ${own} and ${above} and b.since <= ${to}) as one
    cross join lateral (select b.balance from ${own} and b.address = one.address and b.since <= ${to}
      order by b.since desc limit 1) as latest
    where latest.balance <= ${String(threshold)}::numeric
      and (exists (select from ${own} and b.address = one.address and ${above} and b.since >= ${from} and b.since <= ${to})
        or exists (select from (select b.balance from ${own} and b.address = one.address and b.since < ${from}
          and b.since <= ${to} order by b.since desc limit 1) as b where ${above}))
    order by latest.balance desc, one.address limit ${limit} offset ${offset}`,
  )
}
