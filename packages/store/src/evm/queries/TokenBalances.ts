import { type RawBuilder, sql } from 'kysely'
import { fetchRows } from '../../internal/database.ts'
import { prepared } from '../../internal/prepared.ts'
import type { EvmStore } from '../EvmStore.ts'
import type { TokenKey } from '../TokenQueue.ts'

/** The balance that an address has of one token. The token id is 0 for ERC-20 tokens. */
export interface Held extends TokenKey {
  /** Balance of the address, always above 0. */
  readonly balance: bigint
}

/**
 * Parameters of a page of an address's balances at a block. If contracts are given, only their tokens are
 * included.
 */
export interface Query {
  readonly address: Uint8Array
  /** Height of a block. The page contains the balances after this block. */
  readonly height: bigint
  readonly contracts: readonly Uint8Array[] | undefined
  readonly after: TokenKey | undefined
  readonly limit: number
}

/**
 * Returns an address's balances in tokens of a standard, sorted by contract and id. Balances of 0 are left
 * out.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTokenBalances } from '@firn/store/evm'
 *
 * declare const store: EvmStore
 * const account = Hex.decode('0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc')
 * const { height } = await store.snapshot()
 * const query = { address: account, height, contracts: undefined, after: undefined, limit: 25 }
 * const balances = await EvmTokenBalances.ofAddress(store, 20, query)
 * ```
 */
export async function ofAddress(
  store: EvmStore,
  standard: 20 | 1155,
  query: Query,
): Promise<readonly Held[]> {
  const { address, height, contracts, after, limit } = query
  const own = sql`b.address = ${address} and b.standard = ${sql.lit(standard)}`
  const condition =
    contracts === undefined ? own : sql`${own} and b.contract = any(${sql.val([...contracts])}::bytea[])`
  // Without `order by`, the tokens come in their index order, and no more tokens are read than the page
  // needs.
  return fetchRows(
    store,
    sql<Held>`${prepared} ${tokens(condition, after)} select held.contract, held.token_id as "tokenId", n.balance
    from held cross join lateral (select b.balance from token_balance as b
      where ${own} and b.contract = held.contract and b.token_id = held.token_id and b.since <= ${height}
      order by b.since desc limit 1) as n
    where n.balance > 0 limit ${limit}`,
  )
}

/** Selects tokens with one index lookup per token, because an address may have many rows for few tokens. */
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
