import { type RawBuilder, sql } from 'kysely'
import type { EvmStore } from '../EvmStore.ts'

/** An address that held more than a threshold. */
export interface Holder {
  readonly address: Uint8Array
  /** What it held at the end of the last block that was asked for. */
  readonly balance: bigint
}

/** Of which contract, how much, and in which blocks. */
export interface Query {
  readonly contract: Uint8Array
  /** 721 counts tokens. */
  readonly standard: 20 | 721
  readonly threshold: bigint
  /** The first block; what was held before it and still was counts. */
  readonly from: bigint
  /** The last block. */
  readonly to: bigint
  readonly offset: number
  readonly limit: number
}

/**
 * By which standard balances of a contract are known: where by both, the one that is `likely`. That is looked for first, as one that
 * isn't there takes a look at all balances of the contract.
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
  const { rows } = await sql<{
    standard: 20 | 721 | null
  }>`select coalesce(${sql.join(found)}) as standard`.execute(store.db)
  return rows[0]?.standard ?? undefined
}

/**
 * Who held more than a threshold at the end of any of some blocks, or before the first of them and still then; those who have most
 * at their end first, then by address.
 */
export async function page(store: EvmStore, query: Query): Promise<readonly Holder[]> {
  const { offset, limit } = query
  const present = await stillAbove(store, query)
  if (present.length === limit) return present
  const before = present.length > 0 || offset === 0 ? offset + present.length : await countAbove(store, query)
  const rest = { ...query, offset: offset + present.length - before, limit: limit - present.length }
  return [...present, ...(await nowBelow(store, rest))]
}

/** Rows of the contract's balances, as `b`. */
function balances({ contract, standard }: Query): RawBuilder<unknown> {
  return sql`token_balance as b where b.contract = ${contract} and b.standard = ${sql.lit(standard)} and b.token_id = 0`
}

/** Those who have it still. They come as the index has balances, the highest first, so that no more are looked at than it takes. */
async function stillAbove(store: EvmStore, query: Query): Promise<readonly Holder[]> {
  const { rows } = await sql<Holder>`select h.address, h.balance from ${latestAbove(query)}
    order by h.balance desc, h.address limit ${query.limit} offset ${query.offset}`.execute(store.db)
  return rows
}

async function countAbove(store: EvmStore, query: Query): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from ${latestAbove(query)}`.execute(
    store.db,
  )
  return Number(rows[0]?.count ?? 0n)
}

/** The balances above the threshold that no later one follows, as `h`; looked up one by one, for which the offset is. */
function latestAbove(query: Query): RawBuilder<unknown> {
  const { threshold, to } = query
  const above = sql`b.balance > ${String(threshold)}::numeric and b.since <= ${to}`
  return sql`(select b.address, b.balance, b.since from ${balances(query)} and ${above}) as h
    where not exists (select from ${balances(query)} and b.address = h.address and b.since > h.since and b.since <= ${to}
      offset 0)`
}

/** Those who had it in the blocks, or when they began, and at their end no more. Looks at all who had it ever. */
async function nowBelow(store: EvmStore, query: Query): Promise<readonly Holder[]> {
  const { threshold, from, to, offset, limit } = query
  const own = balances(query)
  const above = sql`b.balance > ${String(threshold)}::numeric`
  const { rows } = await sql<Holder>`
    select one.address, latest.balance
    from (select distinct b.address from ${own} and ${above} and b.since <= ${to}) as one
    cross join lateral (select b.balance from ${own} and b.address = one.address and b.since <= ${to}
      order by b.since desc limit 1) as latest
    where latest.balance <= ${String(threshold)}::numeric
      and (exists (select from ${own} and b.address = one.address and ${above} and b.since >= ${from} and b.since <= ${to})
        or exists (select from (select b.balance from ${own} and b.address = one.address and b.since < ${from}
          and b.since <= ${to} order by b.since desc limit 1) as b where ${above}))
    order by latest.balance desc, one.address limit ${limit} offset ${offset}`.execute(store.db)
  return rows
}
