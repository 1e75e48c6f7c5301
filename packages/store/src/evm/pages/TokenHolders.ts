import { sql } from 'kysely'
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

/** By which standards balances of a contract are known. */
export async function standardsOf(store: EvmStore, contract: Uint8Array): Promise<readonly (20 | 721)[]> {
  const { rows } = await sql<{ standard: 20 | 721 }>`
    select s.standard from (values (20), (721)) as s (standard)
    where exists (select from token_balance as b where b.contract = ${contract} and b.standard = s.standard)
    order by s.standard`.execute(store.db)
  return rows.map(({ standard }) => standard)
}

/**
 * Who held more than a threshold at the end of any of some blocks, or before the first of them and still then; those who have most
 * at their end first, then by address.
 */
export async function page(store: EvmStore, query: Query): Promise<readonly Holder[]> {
  const { contract, standard, threshold, from, to, offset, limit } = query
  const balances = sql`token_balance as b where b.contract = ${contract} and b.standard = ${sql.lit(standard)}
    and b.token_id = 0`
  const above = sql`b.balance > ${String(threshold)}::numeric`
  const { rows } = await sql<Holder>`
    select one.address, latest.balance
    from (select distinct b.address from ${balances} and ${above} and b.since <= ${to}) as one
    cross join lateral (select b.balance from ${balances} and b.address = one.address and b.since <= ${to}
      order by b.since desc limit 1) as latest
    where exists (select from ${balances} and b.address = one.address and ${above} and b.since >= ${from} and b.since <= ${to})
      or exists (select from (select b.balance from ${balances} and b.address = one.address and b.since < ${from}
        and b.since <= ${to} order by b.since desc limit 1) as b where ${above})
    order by latest.balance desc, one.address limit ${limit} offset ${offset}`.execute(store.db)
  return rows
}
