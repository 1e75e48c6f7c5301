import { formatArray, type Session } from '@firn/sql'
import { LAST_HOURS, type LastActivityRow, PERIODS, type Period } from '../EvmSchema.ts'
import { type RollupSums, startOf } from './Rollups.ts'

/**
 * The kinds of activity. Each has a column of `last_activity`, the columns of `rollup` that count the addresses, and the
 * member of a block's activity that lists them.
 */
export const KINDS = [
  { of: 'addresses', last: 'last', isNew: 'new_addresses' },
  { of: 'senders', last: 'sender_last', isNew: undefined },
  { of: 'deployers', last: 'deployer_last', isNew: 'new_deployers' },
] as const satisfies readonly {
  readonly of: string
  readonly last: keyof LastActivityRow
  readonly isNew: 'new_addresses' | 'new_deployers' | undefined
}[]
export type Kind = (typeof KINDS)[number]

/** Number of addresses that are active in an hour and were previously active in another hour. */
export interface Arrivals {
  readonly kind: Kind
  /** Start of the hour in Unix seconds. */
  readonly hour: bigint
  /** Start of the previous hour with this kind of activity; null if there is none. */
  readonly previous: bigint | null
  /** Number of addresses; negative if an undo removes them. */
  readonly count: bigint
}

/** The periods for which last activity is counted. */
const COUNTED: readonly Period[] = ['hour', 'day']
const HOUR = 3_600n

/** Collects the changes of the counts of addresses. */
export class ActivityCounts {
  readonly #rollups: RollupSums
  readonly #starts = new Map<bigint, readonly bigint[]>()
  readonly #lasts = new Map<string, LastCount>()

  /** @param rollups receives the counts of addresses per period */
  constructor(rollups: RollupSums) {
    this.#rollups = rollups
  }

  add({ kind, hour, previous, count }: Arrivals): void {
    const starts = this.#startsOf(hour)
    const before = previous === null ? undefined : this.#startsOf(previous)
    for (const [i, period] of PERIODS.entries()) {
      const start = starts[i] ?? 0n
      const row = this.#rollups.row(period, start)
      if (kind.isNew !== undefined && before === undefined) row[kind.isNew] += count
      if (before?.[i] === start) continue
      row[kind.of] += count
      if (!COUNTED.includes(period)) continue
      this.#last(period, start)[kind.of] += count
      const isRecent = period !== 'hour' || hour - (previous ?? hour) < LAST_HOURS * HOUR
      if (before !== undefined && isRecent) this.#last(period, before[i] ?? 0n)[kind.of] -= count
    }
  }

  #startsOf(hour: bigint): readonly bigint[] {
    let starts = this.#starts.get(hour)
    if (starts === undefined) {
      starts = PERIODS.map((period) => startOf(period, hour))
      this.#starts.set(hour, starts)
    }
    return starts
  }

  #last(period: Period, start: bigint): LastCount {
    const key = `${period} ${start}`
    let count = this.#lasts.get(key)
    if (count === undefined) {
      count = { period, start, addresses: 0n, senders: 0n, deployers: 0n }
      this.#lasts.set(key, count)
    }
    return count
  }

  /** Adds the collected changes to the stored counts of last activity. */
  async write(session: Session): Promise<void> {
    const all = [...this.#lasts.values()].filter((one) => KINDS.some(({ of }) => one[of] !== 0n))
    if (all.length === 0) return
    const keys = [formatArray(all.map(({ period }) => period)), formatArray(all.map(({ start }) => start))]
    const counts = KINDS.map(({ of }) => formatArray(all.map((one) => one[of])))
    await session.query(ADD, [...keys, ...counts])
    if (all.some((one) => KINDS.some(({ of }) => one[of] < 0n))) await session.query(REMOVE_EMPTY, keys)
  }
}

/** A change of the counts of last activity in a period. */
interface LastCount extends Record<Kind['of'], bigint> {
  readonly period: Period
  readonly start: bigint
}

const COUNTS = KINDS.map(({ of }) => of)
const ADD = `insert into last_activity_count as c (period, start, ${COUNTS.join(', ')})
  select * from unnest($1::text[], $2::int8[], $3::int8[], $4::int8[], $5::int8[])
  on conflict (period, start) do update set ${COUNTS.map((name) => `${name} = c.${name} + excluded.${name}`).join(', ')}`

/** Periods without last activity have no row, so that the rows do not depend on undone blocks. */
const REMOVE_EMPTY = `delete from last_activity_count c using unnest($1::text[], $2::int8[]) as k (period, start)
  where c.period = k.period and c.start = k.start and ${COUNTS.map((name) => `c.${name} = 0`).join(' and ')}`
