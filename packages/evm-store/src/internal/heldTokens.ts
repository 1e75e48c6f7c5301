import { type RawBuilder, sql } from 'kysely'
import type { TokenKey } from '../TokenQueue.ts'

/** Selects tokens of an address, at most `most`. */
interface Selection {
  readonly address: Uint8Array
  /** Contracts of the tokens; all contracts if undefined. */
  readonly contracts: readonly Uint8Array[] | undefined
  readonly after: TokenKey | undefined
  readonly most: number
}

/** The SQL of a token's key. */
interface Place {
  readonly contract: RawBuilder<unknown>
  readonly tokenId: RawBuilder<unknown>
}

/** Condition on a row `b` that its token is in a range and comes after a place. */
type Behind = (place: Place) => RawBuilder<unknown>

/** Precedes and follows the addresses of all contracts. */
const START = sql`'\\x'::bytea`
const END = sql`'\\xffffffffffffffffffffffffffffffffffffffffff'::bytea`

/**
 * Selects the tokens of an address of which anything is stored, sorted by contract and id, with the columns `contract`,
 * `token_id`, `place` (1 for the first token) and `holder_since` (height of the token's row in `token_holder`; null if it
 * has none). No more tokens are read than the statement fetches.
 *
 * ERC-20 tokens are read from `token_holder`, which has one row of each. Only balances that changed without a transfer
 * have none: wrapped native coins and answers of contracts.
 */
export function heldTokens(standard: 20 | 1155, selection: Selection): RawBuilder<unknown> {
  const tokens = standard === 20 ? fungible(selection) : others(1155, selection)
  return sql`select *, (row_number() over ())::int as place from (${tokens}) as k limit ${selection.most}`
}

function fungible({ address, contracts, after, most }: Selection): RawBuilder<unknown> {
  const own = sql`h.address = ${address} and h.standard = 20`
  const first = after === undefined ? START : sql`${after.contract}::bytea`
  if (contracts !== undefined)
    return sql`select g.contract, 0::numeric as token_id, h.since as holder_since from ${given(contracts)}
      left join lateral (select h.since from token_holder as h where ${own} and h.contract = g.contract limit 1) as h on true
      left join lateral ${nextOther(20, address, sql`b.contract = g.contract`)} as o on h.since is null
      where g.contract > ${first} and (h.since is not null or o.contract is not null)`
  const holders = (
    columns: RawBuilder<unknown>,
    limit: number,
  ) => sql`(select ${columns} from token_holder as h
    where ${own} and h.contract > ${first} order by h.contract limit ${limit})`
  const between = (low: RawBuilder<unknown>, high: RawBuilder<unknown>) =>
    sql`select o.contract, o.token_id, null::bigint as holder_since from ${othersBehind(
      20,
      address,
      { contract: low, tokenId: sql`0` },
      ({ contract }) => sql`b.contract > ${contract} and b.contract < ${high}`,
    )} as o`
  return sql`select * from (${between(first, sql`coalesce(${holders(sql`h.contract`, 1)}, ${END})`)}) as k
    union all select k.* from
      ${holders(sql`h.contract, h.since, lead(h.contract, 1, ${END}) over (order by h.contract) as next`, most)} as h
      cross join lateral (select h.contract, 0::numeric as token_id, h.since as holder_since
        union all ${between(sql`h.contract`, sql`h.next`)}) as k`
}

/** Selects tokens by their rows in `token_balance` and `balance_reading`. */
function others(standard: 1155, { address, contracts, after }: Selection): RawBuilder<unknown> {
  const place = placeOf(after ?? { contract: new Uint8Array(), tokenId: -1n })
  if (contracts === undefined) {
    const tokens = othersBehind(
      standard,
      address,
      place,
      ({ contract, tokenId }) => sql`(b.contract, b.token_id) > (${contract}, ${tokenId})`,
    )
    return sql`select o.*, null::bigint as holder_since from ${tokens} as o`
  }
  // An index can find the first token of a contract after the place. By a comparison of both columns, it would read all
  // later tokens of the address.
  const start = sql`case when g.contract > ${place.contract} then -1 when g.contract = ${place.contract} then ${place.tokenId} end`
  const tokens = othersBehind(
    standard,
    address,
    { contract: sql`g.contract`, tokenId: start },
    ({ tokenId }) => sql`b.contract = g.contract and b.token_id > ${tokenId}`,
  )
  return sql`select o.*, null::bigint as holder_since from ${given(contracts)} cross join lateral ${tokens} as o`
}

/**
 * Selects tokens with one index lookup per token and table, because an address may have many rows for few tokens.
 */
function othersBehind(
  standard: 20 | 1155,
  address: Uint8Array,
  place: Place,
  behind: Behind,
): RawBuilder<unknown> {
  return sql`(with recursive o (contract, token_id) as (${nextOther(standard, address, behind(place))} union all
    select n.* from o cross join lateral
      ${nextOther(standard, address, behind({ contract: sql`o.contract`, tokenId: sql`o.token_id` }))} as n)
    select * from o)`
}

/** Selects the first token in `token_balance` or `balance_reading` that meets a condition. */
function nextOther(
  standard: 20 | 1155,
  address: Uint8Array,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const order = standard === 20 ? sql`b.contract` : sql`b.contract, b.token_id`
  const first = (table: RawBuilder<unknown>) => sql`(select b.contract, b.token_id from ${table} as b
    where b.address = ${address} and b.standard = ${sql.lit(standard)} and ${condition} order by ${order} limit 1)`
  return sql`(select b.contract, b.token_id from (${first(sql`token_balance`)} union all ${first(sql`balance_reading`)}) as b
    order by ${order} limit 1)`
}

/** Contracts as an SQL table `g`, each once. */
function given(contracts: readonly Uint8Array[]): RawBuilder<unknown> {
  return sql`(select distinct unnest(${sql.val([...contracts])}::bytea[]) as contract order by contract) as g`
}

function placeOf({ contract, tokenId }: TokenKey): Place {
  return { contract: sql`${contract}::bytea`, tokenId: sql`${String(tokenId)}::numeric` }
}
