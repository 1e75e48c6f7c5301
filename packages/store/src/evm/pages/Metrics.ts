import { sql } from 'kysely'
import { prepared } from '../../internal/prepared.ts'
import type { BlockRow, Period, RollupRow } from '../EvmSchema.ts'
import type { EvmStore } from '../EvmStore.ts'

/** What was before the first of some periods. */
export interface Before {
  readonly transactions: bigint
  readonly creations: bigint
  readonly addresses: bigint
  readonly deployers: bigint
  /** When the last block before them was, Unix milliseconds; null where there is none. */
  readonly lastMilliseconds: bigint | null
}

/** The sums of the periods that have blocks, the oldest first, among those that start from `from` to `to`. Unix seconds. */
export async function rollups(
  store: EvmStore,
  period: Period,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Promise<readonly RollupRow[]> {
  return store.db
    .selectFrom('rollup')
    .selectAll()
    .where('period', '=', period)
    .where('start', '>=', from)
    .where('start', '<=', to)
    .orderBy('start')
    .execute()
}

/** The sums of all that was before a day. Looks at one row for each day. */
export async function beforeDay(store: EvmStore, start: bigint): Promise<Before> {
  const { rows } = await sql<Before>`
    ${prepared} select coalesce(sum(transactions), 0) as transactions, coalesce(sum(creations), 0) as creations,
      coalesce(sum(new_addresses), 0) as addresses, coalesce(sum(new_deployers), 0) as deployers,
      max(last_milliseconds) as "lastMilliseconds"
    from rollup where period = 'day' and start < ${start}`.execute(store.db)
  const [row] = rows
  return row ?? { transactions: 0n, creations: 0n, addresses: 0n, deployers: 0n, lastMilliseconds: null }
}

/** The first block that is stored; undefined while there is none. */
export async function firstBlock(
  store: EvmStore,
): Promise<Pick<BlockRow, 'time' | 'time_milliseconds' | 'transactions' | 'gas_executed'> | undefined> {
  return store.db
    .selectFrom('block')
    .select(['time', 'time_milliseconds', 'transactions', 'gas_executed'])
    .orderBy('height')
    .limit(1)
    .executeTakeFirst()
}

/** By what an address is active, and the column that says so. */
const MEANINGS = { addresses: 'since', senders: 'sender_since', deployers: 'deployer_since' } as const
export type Meaning = keyof typeof MEANINGS

/** Addresses that were active in a period, and in none after it. */
export interface LastActive {
  /** Unix seconds. */
  readonly start: bigint
  readonly count: bigint
}

/**
 * How many addresses were last active in each of the periods that start from `from` on: all from one of them on are those that
 * were active since, each counted once. Looks at a row for each address and period.
 */
export async function lastActive(
  store: EvmStore,
  period: Period,
  meaning: Meaning,
  from: bigint,
): Promise<readonly LastActive[]> {
  const { rows } = await sql<LastActive>`select start, count(*) as count
    from (select max(start) as start from active_address
      where period = ${sql.lit(period)} and start >= ${from} and ${sql.ref(MEANINGS[meaning])} is not null
      group by address) as one
    group by start`.execute(store.db)
  return rows
}

/** What some periods sum up to together. */
export type Together = Omit<RollupRow, 'period' | 'start' | 'blocks' | 'new_addresses' | 'new_deployers'> & {
  /** When the last block before them was, Unix milliseconds; null where there is none. */
  readonly before: bigint | null
}

/** The sums of all periods that start from `from` on; addresses are counted once a period. Undefined where none has a block. */
export async function together(store: EvmStore, period: Period, from: bigint): Promise<Together | undefined> {
  const { rows } = await sql<Together & { readonly blocks: bigint }>`
    ${prepared} select count(*) as blocks, sum(transactions) as transactions, sum(gas) as gas, sum(fees) as fees,
      sum(gas_price_sum) as gas_price_sum, max(gas_price_max) as gas_price_max, sum(creations) as creations,
      sum(addresses) as addresses, sum(senders) as senders, sum(deployers) as deployers,
      max(last_milliseconds) as last_milliseconds, max(max_gas_per_second) as max_gas_per_second,
      max(max_transactions_per_second) as max_transactions_per_second,
      (select max(last_milliseconds) from rollup where period = ${period} and start < ${from}) as before
    from rollup where period = ${period} and start >= ${from}`.execute(store.db)
  const [row] = rows
  return row === undefined || row.blocks === 0n ? undefined : row
}
