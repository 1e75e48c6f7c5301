import { fetchRows, prepared, toKey } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { BalanceBasis, TokenClass } from '../EvmSchema.ts'
import type { EvmStore } from '../EvmStore.ts'
import { given } from '../internal/givenHoldings.ts'
import { heldTokens } from '../internal/heldTokens.ts'
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
   * Maximum number of tokens that are examined, because an address can have any number of balances of 0; by default 20
   * for each balance of the page.
   */
  readonly most?: number
}

/** Balances of an address. */
export interface HeldPage {
  readonly elements: readonly Held[]
  /** The last examined token, if {@link Query.most} was reached. The address may have more tokens behind it. */
  readonly stoppedAt: TokenKey | undefined
}

const EXAMINED_PER_BALANCE = 20

/**
 * Returns an address's balances in tokens of a standard, sorted by contract and id. Balances of 0 are left
 * out. The query examines a limited number of tokens.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTokenBalances } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const account = Hex.decode('0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc')
 * const { height } = await store.snapshot()
 * const query = { address: account, height, contracts: undefined, after: undefined, limit: 25 }
 * const { elements, stoppedAt } = await EvmTokenBalances.ofAddress(store, 20, query)
 * ```
 */
export async function ofAddress(store: EvmStore, standard: 20 | 1155, query: Query): Promise<HeldPage> {
  const { address, height, contracts, after, limit, withUnknown = false } = query
  const { most = EXAMINED_PER_BALANCE * limit } = query
  const tokens = heldTokens(standard, { address, contracts, after, most })
  const keys = sql`(select *, ${sql.lit(standard)}::int as standard from (${tokens}) as k) as k`
  // Without `order by`, no more tokens are read than the page needs. They come in the order of their places.
  const shown = sql`(select * from (select *, coalesce(balance > 0, ${withUnknown}::boolean) as is_shown
      from (${balances(keys, address, height)}) as k) as k
    where is_shown or place = ${most} limit ${limit})`
  const rows = await fetchRows(
    store,
    sql<Row & { readonly place: number; readonly isShown: boolean }>`
    ${prepared} ${checked(shown, address, height, sql`k.place, k.is_shown as "isShown",`)}`,
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
 * import { type EvmStore, EvmTokenBalances } from '@firn/evm-store'
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
  const groups = Map.groupBy(holdings, ({ address }) => toKey(address))
  const held = new Map<Holding, Held>()
  await Promise.all(
    [...groups.values()].map(async (own) => {
      const { address } = own[0] as Holding
      const keys = sql`(select *, ${height}::bigint as holder_since from ${given(own)}) as k`
      const known = sql`(${balances(keys, address, height)})`
      const rows = await fetchRows(store, sql<Row>`${checked(known, address, height)}`)
      for (const [i, one] of own.entries()) held.set(one, heldOf(rows[i] as Row))
    }),
  )
  return holdings.map((one) => held.get(one) as Held)
}

/**
 * Selects the balances of an address at a height. The holdings `k` have the columns `contract`, `standard`, `token_id`,
 * `place` and `holder_since`; their rows in `token_holder` are looked up only if this is at most the height. With the
 * address as a parameter, Citus runs the whole query on the worker of the address. Both tables of balances are searched
 * by their keys, because the planner would sort all earlier balances of a holding.
 */
function balances(holdings: RawBuilder<unknown>, address: Uint8Array, height: bigint): RawBuilder<unknown> {
  const own = (table: string) => sameHolding(table, address)
  return sql`select k.place, k.standard, k.contract, k.token_id, c.basis, c.class, n.since as changed, r.height as reading,
      case when c.basis = 'chain' then r.balance when c.class = 'wrappedNative' then coalesce(n.balance + n.wrapped, 0)
        else coalesce(n.balance, 0) end as balance
    from ${holdings}
    left join lateral (select n.balance, n.wrapped, n.since from (
      (select n.balance, n.wrapped, n.since from token_balance as n where ${own('n')} and n.since <= ${height}
        order by n.since desc limit 1)
      union all select n.balance, n.wrapped, n.since from ${HOLDERS} as n
        where ${own('n')} and n.since <= ${height} and k.holder_since <= ${height}
    ) as n order by n.since desc limit 1) as n on true
    left join lateral (select c.basis, c.class, c.since from token_check as c
      where c.contract = k.contract and c.since <= ${height} order by c.since desc limit 1) as c on true
    left join lateral (select r.balance, r.height from balance_reading as r
      where ${own('r')} and r.height <= ${height} order by r.height desc limit 1) as r on true`
}

/**
 * Selects balances with what they rest on. A balance that rests on logs is checked if it last changed in the range of
 * heights whose changes were checked, or if the contract returned it later. A balance without any log is checked only if
 * the contract returned it, because tokens can be created without a log.
 */
function checked(
  known: RawBuilder<unknown>,
  address: Uint8Array,
  height: bigint,
  columns = sql``,
): RawBuilder<unknown> {
  return sql`select ${columns} k.contract, k.token_id as "tokenId", coalesce(k.basis, 'logs') as basis, k.class, k.balance,
      case when k.basis = 'chain' then k.reading else ${height}::bigint end as height,
      case when k.basis = 'chain' then k.reading is not null
        else k.basis is not null and w.first is not null and u.since is null
          and coalesce(k.changed >= w.first or k.reading >= k.changed, k.reading is not null)
        end as "isChecked"
    from ${known} as k
    left join lateral (select u.since from unchecked_balance as u where ${sameHolding('u', address)} and u.since <= ${height}
      limit 1) as u on true
    left join (select w.first from checked_range as w where w.first <= ${height} and w.last >= ${height} limit 1) as w
      on true
    order by k.place`
}

/** Condition that a row of a table belongs to the holding `k` of an address. */
function sameHolding(table: string, address: Uint8Array): RawBuilder<unknown> {
  return sql`${sql.ref(`${table}.address`)} = ${address} and ${sql.ref(`${table}.standard`)} = k.standard
    and ${sql.ref(`${table}.contract`)} = k.contract and ${sql.ref(`${table}.token_id`)} = k.token_id`
}

const HOLDERS = sql`(select address, standard, contract, 0::numeric as token_id, since, balance, wrapped from token_holder)`
