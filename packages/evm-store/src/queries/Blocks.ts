import { fetchFirst, fetchRows, prepared } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { KindName } from '../DataKinds.ts'
import type { EvmSnapshot } from '../EvmSnapshot.ts'
import type { EvmStore } from '../EvmStore.ts'
import { within } from './Range.ts'

/** A block without its transactions. */
export interface Block {
  readonly height: bigint
  readonly hash: Uint8Array
  readonly parentHash: Uint8Array
  /** Time of the block in Unix seconds. */
  readonly time: bigint
  /** Time of the block in Unix milliseconds; null if the block header contains only seconds. */
  readonly timeMilliseconds: bigint | null
  readonly minDelayExcess: bigint | null
  readonly baseFee: bigint | null
  readonly gasLimit: bigint
  /** Gas used according to the block header. */
  readonly gasUsed: bigint
  readonly blockGasCost: bigint | null
  readonly transactions: number
  readonly feesSpent: bigint
  /** Number of transactions from the first stored block through this block. */
  readonly cumulativeTransactions: bigint
}

/**
 * Returns blocks by height, newest first. If `until` is given, only blocks below that height are returned. The first block
 * is left out while headers after it are removed; see `EvmRetention.keptFrom`.
 *
 * @example
 * ```ts
 * import { EvmBlocks, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const newest = await EvmBlocks.page(store, at, { until: undefined, limit: 25 })
 * ```
 */
export async function page(
  store: EvmStore,
  at: EvmSnapshot,
  { until, limit }: { readonly until: bigint | undefined; readonly limit: number },
): Promise<readonly Block[]> {
  const kept = sql`height >= coalesce((select below from pruned where kind = ${'blocks' satisfies KindName}), 0)`
  return select(
    store,
    sql`${within(sql`height`, at, { until })} and ${kept} order by height desc limit ${limit}`,
  )
}

/**
 * Returns the height of the first block at or after `time` (Unix seconds), or undefined if there is none yet.
 *
 * @example
 * ```ts
 * import { EvmBlocks, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const height = await EvmBlocks.firstSince(store, 1_767_225_600n)
 * ```
 */
export async function firstSince(store: EvmStore, time: bigint): Promise<bigint | undefined> {
  const rows = await fetchRows(
    store,
    sql<{
      height: bigint
    }>`${prepared} select height from block where time >= ${time}
    order by time, height limit 1`,
  )
  return rows[0]?.height
}

/**
 * Returns the height of the newest block, even of a halted chain, or undefined if no block is stored.
 *
 * @example
 * ```ts
 * import { EvmBlocks, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const height = await EvmBlocks.lastHeight(store)
 * ```
 */
export async function lastHeight(store: EvmStore): Promise<bigint | undefined> {
  const row = await fetchFirst(store, sql<{ height: bigint }>`select height from cursor`)
  return row?.height
}

/** A block's height and hash. */
export interface BlockHash {
  readonly height: bigint
  readonly hash: Uint8Array
  /** Time in Unix seconds. */
  readonly time: bigint
}

/**
 * Returns the hashes and times of the stored blocks at the given heights, sorted by height.
 *
 * @example
 * ```ts
 * import { EvmBlocks, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const [first] = await EvmBlocks.hashes(store, [1n, 2n])
 * ```
 */
export function hashes(store: EvmStore, heights: readonly bigint[]): Promise<BlockHash[]> {
  return fetchRows(
    store,
    sql<BlockHash>`select height, hash, time from block where height = any(${sql.val(heights.map(String))}::bigint[])
      order by height`,
  )
}

/**
 * Returns the block at a height, or undefined if the snapshot does not contain it.
 *
 * @example
 * ```ts
 * import { EvmBlocks, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const block = await EvmBlocks.byHeight(store, at, 42n)
 * console.log(block?.gasUsed)
 * ```
 */
export async function byHeight(store: EvmStore, at: EvmSnapshot, height: bigint): Promise<Block | undefined> {
  if (height > at.height) return undefined
  const [found] = await select(store, sql`height = ${height}`)
  return found
}

/**
 * Returns the block with the given hash, or undefined if the snapshot does not contain it.
 *
 * @example
 * ```ts
 * import { EvmBlocks, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * declare const hash: Uint8Array
 * const at = await store.snapshot()
 * const block = await EvmBlocks.byHash(store, at, hash)
 * ```
 */
export async function byHash(store: EvmStore, at: EvmSnapshot, hash: Uint8Array): Promise<Block | undefined> {
  const [found] = await select(store, sql`hash = ${hash} and height <= ${at.height}`)
  return found
}

async function select(store: EvmStore, rest: RawBuilder<unknown>): Promise<readonly Block[]> {
  return fetchRows(
    store,
    sql<Block>`${prepared}
    select height, hash, parent_hash as "parentHash", time, time_milliseconds as "timeMilliseconds",
      min_delay_excess as "minDelayExcess", base_fee as "baseFee", gas_limit as "gasLimit", gas_used as "gasUsed",
      block_gas_cost as "blockGasCost", transactions, fees_spent as "feesSpent",
      cumulative_transactions as "cumulativeTransactions"
    from block where ${rest}`,
  )
}
