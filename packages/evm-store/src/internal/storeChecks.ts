import { formatArray, type Session } from '@firn/sql'
import type { ContractCheck, Holding } from '../queries/BalanceChecks.ts'

/** The results of checking the balances that changed in a range of blocks. */
export interface CheckResults {
  /** First height of the range. */
  readonly first: bigint
  /** Last height of the range, at whose block the contracts were asked. */
  readonly last: bigint
  /** Hash of the block at `last`. */
  readonly hash: Uint8Array
  /** Whether the range continues the last checked range. If not, the heights between them are not checked. */
  readonly continues: boolean
  /** Contracts about which something new is known. */
  readonly contracts: readonly ContractCheck[]
  /** Balances that changed in the range and were not checked. */
  readonly unchecked: readonly Holding[]
  /** Balances that were checked. */
  readonly checked: readonly Holding[]
  /** Balances that contracts returned and that have to be stored. */
  readonly readings: readonly (Holding & { readonly balance: bigint })[]
}

/** Stores results of checks. Returns false and stores nothing if the range no longer fits the stored chain. */
export async function storeChecks(session: Session, results: CheckResults): Promise<boolean> {
  const { first, last, hash, contracts, unchecked, checked, readings } = results
  const heights = [String(first), String(last)]
  const [block] = await session.query('select from block where height = $1 and hash = $2', [heights[1], hash])
  const [range] = await session.query('select first, last from checked_range order by first desc limit 1')
  const end = range?.['last'] as bigint | undefined
  const fits = results.continues ? end === first - 1n : end === undefined || end < first
  if (block === undefined || !fits) return false
  if (results.continues)
    await session.query('update checked_range set last = $2 where last = $1', [
      String(first - 1n),
      heights[1],
    ])
  else await session.query('insert into checked_range (first, last) values ($1, $2)', heights)
  if (contracts.length > 0) {
    const values = [
      heights[1],
      contracts.map(({ contract }) => contract),
      formatArray(contracts.map(({ since }) => since)),
      formatArray(contracts.map(({ basis }) => basis)),
      formatArray(contracts.map((one) => one.class)),
      formatArray(contracts.map(({ agreements }) => agreements)),
      formatArray(contracts.map(({ agreedFrom }) => agreedFrom ?? 'null')),
      formatArray(contracts.map(({ checkedTo }) => checkedTo)),
      formatArray(contracts.map(({ due }) => due ?? 'null')),
    ]
    await session.query(PUT_CONTRACTS, values)
    await session.query(END_EARLIER, [values[1], values[2]])
  }
  if (checked.length > 0)
    await session.query(`delete from unchecked_balance u using ${HOLDINGS} where ${SAME}`, keys(checked))
  if (unchecked.length > 0) {
    const put = `insert into unchecked_balance select k.*, $5 from ${HOLDINGS} on conflict do nothing`
    await session.query(put, [...keys(unchecked), heights[0]])
  }
  if (unchecked.length > 0) await limitUnchecked(session, first)
  if (readings.length > 0) {
    const put = `insert into balance_reading (contract, standard, token_id, address, height, balance)
      select contract, standard, token_id, address, $6, balance
      from unnest($1::bytea[], $2::int4[], $3::numeric[], $4::bytea[], $5::numeric[])
        as k (contract, standard, token_id, address, balance) on conflict do nothing`
    await session.query(put, [
      ...keys(readings),
      formatArray(readings.map(({ balance }) => balance)),
      heights[1],
    ])
  }
  return true
}

/** Maximum number of balances that are remembered as not checked. */
export const MAX_UNCHECKED = 100_000

/**
 * If too many balances were not checked, forgets them together with the checked ranges: the last one then starts at
 * `first`, unless it starts later already.
 */
export async function limitUnchecked(session: Session, first: bigint): Promise<void> {
  const [row] = await session.query(
    'select count(*) as count from (select 1 from unchecked_balance limit $1) as u',
    [MAX_UNCHECKED + 1],
  )
  if (Number(row?.['count']) <= MAX_UNCHECKED) return
  await session.query('delete from checked_range where first < (select max(first) from checked_range)')
  const [range] = await session.query(
    'update checked_range set first = greatest(first, $1::int8) returning first',
    [String(first)],
  )
  await session.query('delete from unchecked_balance where since < $1', [String(range?.['first'] ?? first)])
}

const PUT_CONTRACTS = `insert into token_check
    (contract, since, height, basis, class, agreements, agreed_from, checked_to, due)
  select k.contract, k.since, $1, k.basis, k.class, k.agreements, k.agreed_from, k.checked_to, k.due
  from unnest($2::bytea[], $3::int8[], $4::text[], $5::text[], $6::int4[], $7::int8[], $8::int8[], $9::int8[])
    as k (contract, since, basis, class, agreements, agreed_from, checked_to, due)
  on conflict (contract, since) do update set basis = excluded.basis, class = excluded.class,
    agreements = excluded.agreements, agreed_from = excluded.agreed_from, checked_to = excluded.checked_to,
    due = excluded.due`
const END_EARLIER = `update token_check c set due = null from unnest($1::bytea[], $2::int8[]) as k (contract, since)
  where c.contract = k.contract and c.since < k.since and c.due is not null`

const HOLDINGS =
  'unnest($1::bytea[], $2::int4[], $3::numeric[], $4::bytea[]) as k (contract, standard, token_id, address)'
const SAME =
  'u.contract = k.contract and u.standard = k.standard and u.token_id = k.token_id and u.address = k.address'

function keys(holdings: readonly Holding[]): unknown[] {
  return [
    holdings.map(({ contract }) => contract),
    formatArray(holdings.map(({ standard }) => standard)),
    formatArray(holdings.map(({ tokenId }) => tokenId)),
    holdings.map(({ address }) => address),
  ]
}
