import { fetchRows } from '@firn/sql'
import { sql } from 'kysely'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import { filters, type Query } from './l1Query.ts'

/**
 * Returns the fees that had accrued per active L1 validator after each of the given blocks.
 *
 * @example
 * ```ts
 * import { L1Validators, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const fees = await L1Validators.accruedFeesAt(store, [21_000_000n])
 * console.log(fees.get(21_000_000n))
 * ```
 */
export async function accruedFeesAt(
  store: Store,
  heights: readonly bigint[],
): Promise<ReadonlyMap<bigint, bigint>> {
  if (heights.length === 0) return new Map()
  const rows = await fetchRows(
    store,
    sql<{ height: bigint; state: Uint8Array | null }>`select height, state from block
      where chain = 'P' and height = any(${sql.val(heights.map(String))}::bigint[])`,
  )
  return new Map(
    rows.map(({ height, state }) => [
      height,
      state === null ? 0n : RecordCodec.platformState.decode(state).accruedFees,
    ]),
  )
}

/** L1 validators whose fees are read: one validation, all of a node or of a subnet, or all. */
export type FeeScope = Pick<Query, 'validationId' | 'nodeId' | 'subnetId'>

/** A period in which an L1 validator was charged, by the fees that had accrued per active validator. */
export interface Charge {
  readonly validationId: Uint8Array
  /** Accrued fees at the start of the period, in nAVAX. The validator paid `to` minus `from`. */
  readonly from: bigint
  readonly to: bigint
}

/**
 * Returns the periods in which L1 validators were charged after the block at height `after`, up to the snapshot, sorted by
 * validation id and time. Charges from before are cut off.
 *
 * @example
 * ```ts
 * import { L1Validators, type Store } from '@firn/store'
 *
 * declare const store: Store
 * declare const subnetId: Uint8Array
 * const at = await store.snapshot()
 * const scope = { subnetId, nodeId: undefined, validationId: undefined }
 * const charges = await L1Validators.charges(store, at, scope, 0n)
 * const paid = charges.reduce((sum, { from, to }) => sum + to - from, 0n) // in nAVAX
 * ```
 */
export async function charges(
  store: Store,
  { P }: Snapshot,
  scope: FeeScope,
  after: bigint,
): Promise<Charge[]> {
  const conditions = [sql`active`, sql`since <= ${P.height}`, ...filters({ ...scope, after: undefined })]
  const rows = await fetchRows(
    store,
    sql<{ key: Uint8Array; since: bigint; until: bigint | null; end: bigint }>`
      select key, since, until, end_accumulated_fee as "end" from l1_validator
      where ${sql.join(conditions, sql` and `)} and (until is null or until > ${after}) order by key, since`,
  )
  const ends = rows.map(({ since, until }) => ({
    first: since < after ? after : since,
    last: until === null || until > P.height ? P.height : until,
  }))
  const accrued = await accruedFeesAt(store, [...new Set(ends.flatMap(({ first, last }) => [first, last]))])
  return rows.map(({ key: validationId, end }, i) => {
    const { first = 0n, last = 0n } = ends[i] ?? {}
    const [from = 0n, to = 0n] = [accrued.get(first), accrued.get(last)]
    // A validator whose balance ends within a block pays no more than the balance.
    const isPaidUp = end > to
    return { validationId, from, to: isPaidUp ? to : end }
  })
}

/** The fees that had accrued per active L1 validator at the end of a day, in nAVAX. */
export interface DayEnd {
  /** Start of the day in UTC, in Unix seconds. */
  readonly day: bigint
  readonly accrued: bigint
}

/**
 * Returns the accrued fees at the end of each day, from the day that contains the time `from` to the one that contains `to`,
 * both in Unix seconds.
 *
 * @example
 * ```ts
 * import { L1Validators, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const days = await L1Validators.accruedByDay(store, await store.snapshot(), 1_734_375_600n, 1_735_000_000n)
 * console.log(days.at(-1)?.accrued)
 * ```
 */
export async function accruedByDay(
  store: Store,
  { P }: Snapshot,
  from: bigint,
  to: bigint,
): Promise<DayEnd[]> {
  const rows = await fetchRows(
    store,
    sql<{ day: bigint; state: Uint8Array | null }>`
      select day, (select state from block where chain = 'P' and time < day + 86400 and height <= ${P.height}
          order by time desc, height desc limit 1) as state
      from generate_series(${from - (from % 86_400n)}::bigint, ${to - (to % 86_400n)}::bigint, 86400) as day
      order by day`,
  )
  return rows.map(({ day, state }) => ({
    day,
    accrued: state === null ? 0n : RecordCodec.platformState.decode(state).accruedFees,
  }))
}
