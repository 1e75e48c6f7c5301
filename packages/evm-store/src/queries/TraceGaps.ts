import { fetchFirst, fetchRows, prepared, shareReadsPerStore } from '@firn/sql'
import { sql } from 'kysely'
import type { TraceGapRow } from '../EvmSchema.ts'
import type { EvmStore } from '../EvmStore.ts'

/** The blocks of a chain that are stored without their traces. */
export interface Gaps {
  /** Number of such blocks. */
  readonly blocks: number
  /** Height of the first such block. Internal calls are complete up to the block before it. */
  readonly first: bigint
}

/**
 * Returns the blocks that are stored without their traces, because no node returned them in time; undefined if there are
 * none.
 *
 * @example
 * ```ts
 * import { EvmTraceGaps, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const gaps = await EvmTraceGaps.summary(store)
 * if (gaps !== undefined) console.log(`internal calls are complete up to block ${gaps.first - 1n}`)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function summary(store: EvmStore): Promise<Gaps | undefined> {
  return readSummary(store)
}

/** Answers with internal calls need it, so all waiting requests share a read. */
const readSummary = shareReadsPerStore(async (store: EvmStore): Promise<Gaps | undefined> => {
  const text = sql<{
    blocks: number
    first: bigint | null
  }>`${prepared} select count(*)::int4 as blocks, min(height) as first from trace_gap`
  const { blocks = 0, first = null } = (await fetchFirst(store, text)) ?? {}
  return first === null ? undefined : { blocks, first }
})

/**
 * Returns which of the given heights have a block that is stored without its traces.
 *
 * @example
 * ```ts
 * import { EvmTraceGaps, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const isMissing = (await EvmTraceGaps.among(store, [42n])).has(42n)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function among(store: EvmStore, heights: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  if (heights.length === 0 || (await summary(store)) === undefined) return new Set()
  const rows = await fetchRows(
    store,
    sql<Pick<TraceGapRow, 'height'>>`${prepared} select height from trace_gap
      where height = any(${sql.val(heights.map(String))}::bigint[])`,
  )
  return new Set(rows.map(({ height }) => height))
}

/**
 * Returns the block whose traces are to be requested next: the first one to request again; undefined if there is none.
 *
 * @example
 * ```ts
 * import { EvmTraceGaps, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const next = await EvmTraceGaps.next(store)
 * if (next !== undefined) console.log(next.height, next.due)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function next(store: EvmStore): Promise<TraceGapRow | undefined> {
  return fetchFirst(store, sql<TraceGapRow>`select * from trace_gap order by due, height limit 1`)
}
