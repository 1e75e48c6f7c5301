import { type RawBuilder, sql } from 'kysely'
import { keyOf } from '../../internal/arrays.ts'
import { fetchRows } from '../../internal/database.ts'
import { prepared } from '../../internal/prepared.ts'
import type { BalanceBasis, TokenClass } from '../EvmSchema.ts'
import type { EvmStore } from '../EvmStore.ts'
import { given } from '../internal/givenHoldings.ts'
import type { TokenKey } from '../TokenQueue.ts'
import type { Holding } from './BalanceChecks.ts'

/** What a balance rests on. */
export interface BalanceSource {
  /**
   * `logs` if the balance is a sum of the contract's logs, `chain` if the contract returned it. It is `chain` for
   * contracts whose logs do not add up to their balances.
   */
  readonly basis: BalanceBasis
  /** Height of the block after which the balance is valid; undefined if the balance is unknown. */
  readonly height: bigint | undefined
  /** Whether the balance is known to be what the contract returns at the height. */
  readonly isChecked: boolean
  /** Class of the contract; undefined if it was never checked. */
  readonly class: TokenClass | undefined
}

/** The balance that an address has of one token. The token id is 0 for ERC-20 tokens. */
export interface Held extends TokenKey {
  /**
   * Balance of the address, always above 0. Undefined if it rests on the chain and the contract was not asked yet;
   * see {@link Query.withUnknown}.
   */
  readonly balance: bigint | undefined
  readonly source: BalanceSource
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
  /** Whether balances that rest on the chain are included if they are unknown; false by default. */
  readonly withUnknown?: boolean
  /**
   * Maximum number of tokens that are examined, because an address can have any number of balances of 0; 5,000 by
   * default.
   */
  readonly most?: number
}

/** Balances of an address. */
export interface HeldPage {
  readonly elements: readonly Held[]
  /** The last examined token, if {@link Query.most} was reached. The address may have more tokens behind it. */
  readonly stoppedAt: TokenKey | undefined
}

const MOST = 5_000

/**
 * Returns an address's balances in tokens of a standard, sorted by contract and id. Balances of 0 are left
 * out. The query examines a limited number of tokens.
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
 * const { elements, stoppedAt } = await EvmTokenBalances.ofAddress(store, 20, query)
 * ```
 */
export async function ofAddress(store: EvmStore, standard: 20 | 1155, query: Query): Promise<HeldPage> {
  const { address, height, contracts, after, limit, withUnknown = false, most = MOST } = query
  const condition = sql`b.address = ${address} and b.standard = ${sql.lit(standard)}`
  const keys = sql`(select contract, ${sql.lit(standard)}::int as standard, token_id, ${address}::bytea as address, place from held)`
  // Without `order by`, the tokens come in their index order, and no more tokens are read than the page
  // needs.
  const rows = await fetchRows(
    store,
    sql<Row & { readonly place: number; readonly isShown: boolean }>`
    ${prepared} ${tokens(standard, condition, { contracts, after, most })}
    select * from (select *, coalesce(balance > 0, ${withUnknown}::boolean) as "isShown"
      from (${valued(sql`${keys} as k`, address, height, sql`k.place,`)}) as held) as held
    where "isShown" or place = ${most} limit ${limit}`,
  )
  const last = rows.at(-1)
  return {
    elements: rows.filter(({ isShown }) => isShown).map(heldOf),
    stoppedAt: last?.place === most ? { contract: last.contract, tokenId: last.tokenId } : undefined,
  }
}

interface Row extends Holding {
  readonly balance: bigint | null
  readonly basis: BalanceBasis
  readonly height: bigint | null
  readonly isChecked: boolean
  readonly class: TokenClass | null
}

function heldOf({ contract, tokenId, balance, basis, height, isChecked, ...row }: Row): Held {
  const source = { basis, height: height ?? undefined, isChecked, class: row.class ?? undefined }
  return { contract, tokenId, balance: balance ?? undefined, source }
}

/**
 * Returns balances at a height, in the order of `holdings`. A balance that rests on logs is 0 if there are none of
 * the address.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTokenBalances } from '@firn/store/evm'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const address = Hex.decode('0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc')
 * const [held] = await EvmTokenBalances.ofHoldings(store, [{ contract, standard: 20, tokenId: 0n, address }], 7n)
 * console.log(held?.balance, held?.source.basis)
 * ```
 */
export async function ofHoldings(
  store: EvmStore,
  holdings: readonly Holding[],
  height: bigint,
): Promise<readonly Held[]> {
  const groups = Map.groupBy(holdings, ({ address }) => keyOf(address))
  const held = new Map<Holding, Held>()
  await Promise.all(
    [...groups.values()].map(async (own) => {
      const { address } = own[0] as Holding
      const rows = await fetchRows(
        store,
        sql<Row>`${valued(given(own), address, height, sql`k.place,`)} order by k.place`,
      )
      for (const [i, one] of own.entries()) held.set(one, heldOf(rows[i] as Row))
    }),
  )
  return holdings.map((one) => held.get(one) as Held)
}

/**
 * Selects the balances of an address at a height. The holdings `k` have the columns `contract`, `standard` and
 * `token_id`. With the address as a parameter, Citus runs the whole query on the worker of the address. A balance that
 * rests on logs is checked if it last changed in the range of heights whose changes were checked, or if the contract
 * returned it later. A balance without any log is checked only if the contract returned it, because tokens can be created
 * without a log. Both tables of balances are searched by their keys, because the planner would sort all earlier balances
 * of a holding.
 */
function valued(
  holdings: RawBuilder<unknown>,
  address: Uint8Array,
  height: bigint,
  columns = sql``,
): RawBuilder<unknown> {
  const same = (table: string) => sql`${sql.ref(`${table}.address`)} = ${address}
    and ${sql.ref(`${table}.standard`)} = k.standard and ${sql.ref(`${table}.contract`)} = k.contract
    and ${sql.ref(`${table}.token_id`)} = k.token_id`
  return sql`select ${columns} k.contract, k.token_id as "tokenId", coalesce(c.basis, 'logs') as basis, c.class,
      case when c.basis = 'chain' then r.balance when c.class = 'wrappedNative' then coalesce(n.balance + n.wrapped, 0)
        else coalesce(n.balance, 0) end as balance,
      case when c.basis = 'chain' then r.height else ${height}::bigint end as height,
      case when c.basis = 'chain' then r.height is not null
        else c.basis is not null and w.first is not null and u.since is null
          and coalesce(n.since >= w.first or r.height >= n.since, r.height is not null)
        end as "isChecked"
    from ${holdings}
    left join lateral (select n.balance, n.wrapped, n.since from (
      (select n.balance, n.wrapped, n.since from token_balance as n where ${same('n')} and n.since <= ${height}
        order by n.since desc limit 1)
      union all select n.balance, n.wrapped, n.since from ${HOLDERS} as n where ${same('n')} and n.since <= ${height}
    ) as n order by n.since desc limit 1) as n on true
    left join lateral (select c.basis, c.class, c.since from token_check as c
      where c.contract = k.contract and c.since <= ${height} order by c.since desc limit 1) as c on true
    left join lateral (select r.balance, r.height from balance_reading as r
      where ${same('r')} and r.height <= ${height} order by r.height desc limit 1) as r on true
    left join lateral (select u.since from unchecked_balance as u where ${same('u')} and u.since <= ${height}
      limit 1) as u on true
    left join (select w.first from checked_range as w where w.first <= ${height} and w.last >= ${height} limit 1) as w
      on true`
}

const TABLES = [sql`token_balance`, sql`balance_reading`]
const HOLDERS = sql`(select address, standard, contract, 0::numeric as token_id, since, balance, wrapped from token_holder)`

/**
 * Selects at most `most` tokens with one index lookup per token and table, because an address may have many rows for few
 * tokens. Balances that changed without logs have only readings. If contracts are given, they are looked up one after
 * the other: the index would be read from its start if it were filtered by a list of contracts.
 */
function tokens(
  standard: 20 | 1155,
  where: RawBuilder<unknown>,
  { contracts, after, most }: Required<Pick<Query, 'contracts' | 'after' | 'most'>>,
): RawBuilder<unknown> {
  const first = (
    table: RawBuilder<unknown>,
    condition: RawBuilder<unknown>,
  ) => sql`(select b.contract, b.token_id
    from ${table} as b where ${where} and ${condition} order by b.contract, b.token_id limit 1)`
  const found = (table: RawBuilder<unknown>, place: Place | undefined) =>
    contracts === undefined
      ? first(
          table,
          place ? sql`(b.contract, b.token_id) > (${place.contract}, ${place.tokenId})` : sql`true`,
        )
      : sql`(select b.contract, b.token_id
        from (select unnest(${sql.val([...contracts])}::bytea[]) as contract order by contract) as g
        cross join lateral ${first(table, sql`b.contract = g.contract and ${place ? behindIn(place) : sql`true`}`)} as b limit 1)`
  const tables = standard === 20 ? [...TABLES, HOLDERS] : TABLES
  const step = (place: Place | undefined) => sql`(select b.contract, b.token_id from (
    ${sql.join(
      tables.map((table) => found(table, place)),
      sql` union all `,
    )}) as b
    order by b.contract, b.token_id limit 1)`
  return sql`with recursive held (contract, token_id, place) as (
    (select b.contract, b.token_id, 1 from ${step(placeOf(after))} as b) union all
    select n.contract, n.token_id, held.place + 1 from held cross join lateral
      ${step({ contract: sql`held.contract`, tokenId: sql`held.token_id` })} as n where held.place < ${most})`
}

/** The SQL of a token's key. */
interface Place {
  readonly contract: RawBuilder<unknown>
  readonly tokenId: RawBuilder<unknown>
}

function placeOf(after: TokenKey | undefined): Place | undefined {
  return after && { contract: sql`${after.contract}::bytea`, tokenId: sql`${String(after.tokenId)}::numeric` }
}

/**
 * Condition that a token of the contract `g` comes after a token. An index can find the first one; by a comparison of both
 * columns, it would read all later tokens of the address.
 */
function behindIn({ contract, tokenId }: Place): RawBuilder<unknown> {
  return sql`b.token_id > case when g.contract > ${contract} then -1 when g.contract = ${contract} then ${tokenId} end`
}
