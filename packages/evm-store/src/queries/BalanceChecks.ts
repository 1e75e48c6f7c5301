import { fetchFirst, fetchRows, toKey } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { EvmStore } from '../EvmStore.ts'
import { ALL_BALANCES } from '../internal/allBalances.ts'
import { given } from '../internal/givenHoldings.ts'

import type {
  ChangedBalances,
  ContractCheck,
  CreatedToken,
  Heights,
  Holding,
  KnownContract,
  QuietCall,
  Summed,
  Touched,
} from './checkedBalances.ts'

export type {
  ChangedBalances,
  ContractCheck,
  CreatedToken,
  Creator,
  Holding,
  KnownContract,
  QuietCall,
  Summed,
  Touched,
} from './checkedBalances.ts'
export { creators } from './contractCreators.ts'

const ZERO = sql`'\\x0000000000000000000000000000000000000000'::bytea`
/** Maximum number of calls whose inputs are searched for addresses. */
const MAX_CALLS = 64

/**
 * Returns the last range of heights whose balances were checked; undefined if no block was checked yet.
 *
 * @example
 * ```ts
 * import { EvmBalanceChecks, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const range = await EvmBalanceChecks.checkedRange(store)
 * ```
 */
export async function checkedRange(store: EvmStore): Promise<Heights | undefined> {
  return fetchFirst(store, sql<Heights>`select first, last from checked_range order by first desc limit 1`)
}

/**
 * Returns the balances that changed in a range of blocks with their sums at its end, and the token contracts that
 * were called or created in it.
 *
 * @example
 * ```ts
 * import { EvmBalanceChecks, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const { changed } = await EvmBalanceChecks.changedIn(store, { first: 1n, last: 5n })
 * ```
 */
export async function changedIn(store: EvmStore, { first, last }: Heights): Promise<ChangedBalances> {
  const within = (table: string) =>
    sql`${sql.ref(`${table}.height`)} >= ${first} and ${sql.ref(`${table}.height`)} <= ${last}`
  const withTransfers = (
    contract: RawBuilder<unknown>,
  ) => sql`left join (select distinct t.height, t.transaction_index,
      t.contract from transfer as t where ${within('t')}) as t
    on t.height = c.height and t.transaction_index = c.transaction_index and t.contract = ${contract}`
  // A proxy that is initialized later has no standard before, so it is not asked for balances there.
  const withVersions = sql`left join (select distinct on (v.contract) v.contract, v.standard from contract_version as v
    where v.height > ${last} order by v.contract, v.height) as v on v.contract = k.address`
  const standard = sql`coalesce(v.standard, k.standard)`
  const holdings = sql`select distinct t.contract, t.standard,
      case when t.standard = 1155 then coalesce(t.token_id, 0) else 0 end as token_id, side.address
    from transfer as t cross join lateral (values (t.sender), (t.recipient)) as side (address)
    where ${within('t')} and side.address <> ${ZERO}
    union select w.contract, 20, 0, w.address from wrapping as w where ${within('w')} and w.address <> ${ZERO}`
  const [moved, touched, creations, calls] = await Promise.all([
    fetchRows(
      store,
      sql<Holding>`select contract, standard, token_id as "tokenId", address from (${holdings}) as k`,
    ),
    fetchRows(
      store,
      sql<Touched>`select c.contract, bool_or(t.height is null) as "isQuiet"
      from (select x.recipient as contract, x.height, x.transaction_index from transaction as x
          where ${within('x')} and x.succeeded and x.recipient is not null
        union select i.recipient, i.height, i.transaction_index from internal_call as i
          where ${within('i')} and i.succeeded and i.type = 'CALL' and i.recipient is not null) as c
      ${withTransfers(sql`c.contract`)}
      where exists (select from token_check as k where k.contract = c.contract)
        or exists (select from contract as k where k.address = c.contract and k.standard <> 0)
      group by c.contract`,
    ),
    fetchRows(
      store,
      sql<
        Omit<CreatedToken, 'isAgain'>
      >`select c.contract, ${standard} as standard, c.deployer, c.creator, c.height,
        substring(x.input from greatest(length(x.input) - 511, 1)) as input
      from creation as c join contract as k on k.address = c.contract ${withVersions}
      join transaction as x on x.height = c.height and x.transaction_index = c.transaction_index where ${within('c')} and c.succeeded`,
    ),
    fetchRows(
      store,
      sql<QuietCall>`select c.recipient as contract, k.standard, c.sender, substring(c.input from 1 for 516) as input
      from transaction as c join contract as k on k.address = c.recipient ${withVersions}
      ${withTransfers(sql`c.recipient`)} where ${within('c')} and c.succeeded and k.standard in (20, 721) and k.standard = ${standard}
        and length(c.input) > 4 and t.height is null limit ${MAX_CALLS}`,
    ),
  ])
  const [changed, created] = await Promise.all([sums(store, moved, last), withEarlier(store, creations)])
  return { changed, touched, created, calls }
}

/** Adds to creations whether another contract existed at the same address before. */
async function withEarlier(
  store: EvmStore,
  created: readonly Omit<CreatedToken, 'isAgain'>[],
): Promise<readonly CreatedToken[]> {
  if (created.length === 0) return []
  const contracts = created.map(({ contract }) => contract)
  const rows = await fetchRows(
    store,
    sql<{
      contract: Uint8Array
      height: bigint
    }>`select o.contract, min(o.height) as height from creation as o
      where o.contract = any(${sql.val(contracts)}::bytea[]) and o.succeeded group by o.contract`,
  )
  const first = new Map(rows.map(({ contract, height }) => [toKey(contract), height]))
  return created.map((one) => ({
    ...one,
    isAgain: (first.get(toKey(one.contract)) ?? one.height) < one.height,
  }))
}

/**
 * Returns the sums of balances at a height.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { EvmBalanceChecks, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const address = Hex.decode('0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc')
 * const [sum] = await EvmBalanceChecks.sums(store, [{ contract, standard: 20, tokenId: 0n, address }], 7n)
 * ```
 */
export async function sums(
  store: EvmStore,
  holdings: readonly Holding[],
  height: bigint,
): Promise<readonly Summed[]> {
  const found = new Map<Holding, Sum>()
  // Every address that took part in a transfer is in `last_activity`. Citus allows a limit in a subquery that refers to
  // rows of a table, but not to the keys themselves. `distinct` keeps the two apart.
  await find(
    holdings,
    (keys) => sql`select k.place, b.balance, b.wrapped, b.since
      from (select distinct k.place, k.contract, k.standard, k.token_id, a.address
        from ${keys} join last_activity as a on a.address = k.address) as k
      cross join lateral (select b.balance, b.wrapped, b.since from ${sql.raw(ALL_BALANCES)} as b where ${IS_SAME}
        and b.since <= ${height} order by b.since desc limit 1) as b`,
  )
  // Addresses that only deposited or withdrew may lack activity. They have few balances, which are all read.
  await find(
    holdings.filter((one) => one.standard === 20 && !found.has(one)),
    (keys) => sql`select distinct on (b.address, k.place) k.place, b.balance, b.wrapped, b.since
      from ${keys} join ${sql.raw(ALL_BALANCES)} as b on ${IS_SAME} where b.since <= ${height}
      order by b.address, k.place, b.since desc`,
  )
  return holdings.map(({ contract, standard, tokenId, address }, i) => {
    const none = { balance: 0n, wrapped: 0n, since: null }
    return { contract, standard, tokenId, address, ...(found.get(holdings[i] as Holding) ?? none) }
  })

  async function find(keys: readonly Holding[], select: (keys: RawBuilder<unknown>) => RawBuilder<unknown>) {
    if (keys.length === 0) return
    const rows = (await fetchRows(store, select(given(keys)))) as readonly (Sum & {
      readonly place: bigint
    })[]
    for (const { place, ...sum } of rows) found.set(keys[Number(place) - 1] as Holding, sum)
  }
}

type Sum = Pick<Summed, 'balance' | 'wrapped' | 'since'>

const IS_SAME = sql`b.contract = k.contract and b.standard = k.standard and b.token_id = k.token_id
  and b.address = k.address`

/**
 * Returns holders of contracts with their sums at a height: those with the largest balances, some others, and those
 * whose balances the contract returned. At most `limit` of each are returned per contract.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { EvmBalanceChecks, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const holders = await EvmBalanceChecks.holders(store, [contract], { height: 7n, limit: 4 })
 * ```
 */
export async function holders(
  store: EvmStore,
  contracts: readonly Uint8Array[],
  { height, limit }: { readonly height: bigint; readonly limit: number },
): Promise<readonly Summed[]> {
  const found = await Promise.all(contracts.map((contract) => holdersOf(store, contract, limit)))
  return sums(store, found.flat(), height)
}

async function holdersOf(store: EvmStore, contract: Uint8Array, limit: number): Promise<readonly Holding[]> {
  const own = [20, 721].map((standard) => {
    const rows = sql`token_holder as h where h.contract = ${contract} and h.standard = ${sql.lit(standard)}`
    const columns = sql`${contract}::bytea as contract, h.standard, 0::numeric as "tokenId", h.address`
    const order = sql`order by - h.balance, h.address`
    const start = sql`(select - h.balance * (random() ^ 4)::numeric from ${rows} ${order} limit 1)`
    return sql`(select ${columns} from ${rows} ${order} limit ${limit})
      union (select ${columns} from ${rows} and - h.balance >= ${start} ${order} limit ${limit})`
  })
  // `token_holder` lacks holders of ERC-1155 tokens, and of wrapped tokens only. Each of these has a row per change, so
  // the query reads more rows than the limit.
  const balances = sql`token_balance as b where b.contract = ${contract} and (b.standard = 1155 or b.wrapped <> 0)`
  const others = sql`select ${contract}::bytea as contract, b.standard, b.token_id as "tokenId", b.address from ${balances}`
  const rows = 4 * limit
  return fetchRows(
    store,
    sql<Holding>`${sql.join(own, sql` union `)}
      union (${others} order by b.balance desc limit ${rows})
      union (${others} and b.balance >= (select (random() ^ 4)::numeric * max(b.balance) from ${balances})
        order by b.balance limit ${rows})
      union (select ${contract}::bytea, r.standard, r.token_id, r.address from balance_reading as r
        where r.contract = ${contract} order by r.height desc limit ${rows})`,
  )
}

/**
 * Returns the checks of contracts at a height. Contracts that were never checked are left out.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { EvmBalanceChecks, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const [check] = await EvmBalanceChecks.ofContracts(store, [contract], 7n)
 * console.log(check?.basis, check?.class)
 * ```
 */
export async function ofContracts(
  store: EvmStore,
  contracts: readonly Uint8Array[],
  height: bigint,
): Promise<readonly KnownContract[]> {
  if (contracts.length === 0) return []
  const checks = await fetchRows(
    store,
    sql<ContractCheck>`select c.contract, c.since, c.basis, c.class, c.agreements, c.agreed_from as "agreedFrom",
      c.checked_to as "checkedTo", c.due
    from (select distinct contract from unnest(${sql.val([...contracts])}::bytea[]) as k (contract)) as k
    cross join lateral (select * from token_check as c where c.contract = k.contract and c.since <= ${height}
      order by c.since desc limit 1) as c`,
  )
  const readings = checks
    .filter(({ basis }) => basis === 'chain')
    .map(({ contract }) => sql`(select contract from balance_reading where contract = ${contract} limit 1)`)
  const rows =
    readings.length === 0
      ? []
      : await fetchRows(store, sql<{ contract: Uint8Array }>`${sql.join(readings, sql` union all `)}`)
  const read = new Set(rows.map(({ contract }) => toKey(contract)))
  return checks.map((check) => ({ ...check, hasReadings: read.has(toKey(check.contract)) }))
}

/**
 * Returns contracts whose holders are due for a check at a block time in Unix seconds, the longest due first.
 *
 * @example
 * ```ts
 * import { EvmBalanceChecks, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const contracts = await EvmBalanceChecks.due(store, 1_767_225_600n, 20)
 * ```
 */
export async function due(store: EvmStore, time: bigint, limit: number): Promise<readonly Uint8Array[]> {
  const rows = await fetchRows(
    store,
    sql<{
      contract: Uint8Array
    }>`select contract from token_check where due <= ${time} order by due limit ${limit}`,
  )
  return rows.map(({ contract }) => contract)
}

/**
 * Returns balances that changed and were not checked yet, with their sums at a height, the oldest first.
 *
 * @example
 * ```ts
 * import { EvmBalanceChecks, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const balances = await EvmBalanceChecks.unchecked(store, { height: 7n, limit: 100 })
 * ```
 */
export async function unchecked(
  store: EvmStore,
  { height, limit }: { readonly height: bigint; readonly limit: number },
): Promise<readonly Summed[]> {
  // Balances of contracts on chain basis wait only so that earlier sums of their logs do not count as checked.
  const waiting = await fetchRows(
    store,
    sql<Holding>`select u.contract, u.standard, u.token_id as "tokenId", u.address from unchecked_balance as u
      left join lateral (select c.basis from token_check as c where c.contract = u.contract order by c.since desc limit 1)
        as c on true
      where c.basis is distinct from 'chain' order by u.since limit ${limit}`,
  )
  return sums(store, waiting, height)
}
