import { type RawBuilder, sql } from 'kysely'
import { prepared } from '../../internal/prepared.ts'
import type { EvmSnapshot } from '../EvmSnapshot.ts'
import type { EvmStore } from '../EvmStore.ts'
import { within } from './Range.ts'

/** A block of a list. */
export interface Listed {
  readonly height: bigint
  readonly hash: Uint8Array
  readonly parentHash: Uint8Array
  /** Unix seconds. */
  readonly time: bigint
  /** Unix milliseconds. */
  readonly timeMilliseconds: bigint | null
  readonly minDelayExcess: bigint | null
  readonly baseFee: bigint | null
  readonly gasLimit: bigint
  /** The header's. */
  readonly gasUsed: bigint
  readonly blockGasCost: bigint | null
  readonly transactions: number
  readonly feesSpent: bigint
  /** From the first stored block through this one. */
  readonly cumulativeTransactions: bigint
}

/** Blocks by height, the newest first; those below `until` alone where it is given. */
export async function page(
  store: EvmStore,
  at: EvmSnapshot,
  { until, limit }: { readonly until: bigint | undefined; readonly limit: number },
): Promise<readonly Listed[]> {
  return select(store, sql`${within(sql`height`, at, { until })} order by height desc limit ${limit}`)
}

/** The height of the first block with a time of at least `time`; undefined where the chain has none yet. */
export async function firstSince(store: EvmStore, time: bigint): Promise<bigint | undefined> {
  const { rows } = await sql<{
    height: bigint
  }>`select height from ${sql.table('block')} where time >= ${time}
    order by time, height limit 1`.execute(store.db)
  return rows[0]?.height
}

/** The block at a height. */
export async function byHeight(
  store: EvmStore,
  at: EvmSnapshot,
  height: bigint,
): Promise<Listed | undefined> {
  if (height > at.height) return undefined
  const [found] = await select(store, sql`height = ${height}`, prepared)
  return found
}

/** The block with a hash. */
export async function byHash(
  store: EvmStore,
  at: EvmSnapshot,
  hash: Uint8Array,
): Promise<Listed | undefined> {
  const [found] = await select(store, sql`hash = ${hash} and height <= ${at.height}`, prepared)
  return found
}

async function select(store: EvmStore, rest: RawBuilder<unknown>, mark = sql``): Promise<readonly Listed[]> {
  const { rows } = await sql<Listed>`${mark}
    select height, hash, parent_hash as "parentHash", time, time_milliseconds as "timeMilliseconds",
      min_delay_excess as "minDelayExcess", base_fee as "baseFee", gas_limit as "gasLimit", gas_used as "gasUsed",
      block_gas_cost as "blockGasCost", transactions, fees_spent as "feesSpent",
      cumulative_transactions as "cumulativeTransactions"
    from ${sql.table('block')} where ${rest}`.execute(store.db)
  return rows
}
