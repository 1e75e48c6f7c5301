import { type RawBuilder, sql } from 'kysely'
import { fetchRows } from '../../internal/database.ts'
import { prepared } from '../../internal/prepared.ts'
import type { EvmStore } from '../EvmStore.ts'
import type { TokenKey } from '../TokenQueue.ts'

/** The balance of an address in a token; the id is 0 where the standard has no ids. */
export interface Held extends TokenKey {
  /** Above 0. */
  readonly balance: bigint
}

/** A page of an address's balances at a block; only of some contracts if given. */
export interface Query {
  readonly address: Uint8Array
  /** The block after which balances are read. */
  readonly height: bigint
  readonly contracts: readonly Uint8Array[] | undefined
  readonly after: TokenKey | undefined
  readonly limit: number
}

/** Returns an address's balances in tokens of a standard, by contract and id, without balances of 0. */
export async function ofAddress(
  store: EvmStore,
  standard: 20 | 1155,
  query: Query,
): Promise<readonly Held[]> {
  const { address, height, contracts, after, limit } = query
  const own = sql`b.address = ${address} and b.standard = ${sql.lit(standard)}`
  const condition =
    contracts === undefined ? own : sql`${own} and b.contract = any(${sql.val([...contracts])}::bytea[])`
  // Without `order by` the tokens come in their index order, and no more are read than the page takes.
  return fetchRows(
    store,
    sql<Held>`${prepared} ${tokens(condition, after)} select held.contract, held.token_id as "tokenId", n.balance
    from held cross join lateral (select b.balance from token_balance as b
      where ${own} and b.contract = held.contract and b.token_id = held.token_id and b.since <= ${height}
      order by b.since desc limit 1) as n
    where n.balance > 0 limit ${limit}`,
  )
}

/** Each step looks up the next token: an address may have many rows of few tokens. */
function tokens(where: RawBuilder<unknown>, after: TokenKey | undefined): RawBuilder<unknown> {
  const step = (behind: RawBuilder<unknown>) => sql`(select b.contract, b.token_id from token_balance as b
    where ${where} and ${behind} order by b.contract, b.token_id limit 1)`
  return sql`with recursive held (contract, token_id) as (${step(behind(after))} union all
    select n.contract, n.token_id from held cross join lateral
      ${step(sql`(b.contract, b.token_id) > (held.contract, held.token_id)`)} as n)`
}

function behind(after: TokenKey | undefined): RawBuilder<unknown> {
  if (after === undefined) return sql`true`
  return sql`(b.contract, b.token_id) > (${after.contract}, ${String(after.tokenId)}::numeric)`
}
