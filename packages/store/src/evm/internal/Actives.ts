import { Hex } from '@firn/codec'
import { Activity } from '@firn/evm'
import { list } from '../../internal/arrays.ts'
import type { Session } from '../../internal/Driver.ts'
import { TableRows } from '../../internal/rows.ts'
import { EVM_TABLES, type HourlyActivityRow, type LastActivityRow } from '../EvmSchema.ts'
import { ActivityCounts, KINDS } from './Activity.ts'
import type { Added } from './Added.ts'
import { Recent } from './Recent.ts'
import { type RollupSums, startOf } from './Rollups.ts'

/** The last hours of an address's activity, one for each of {@link KINDS}; null without such activity. */
type Lasts = (bigint | null)[]

/** The activity of a block. */
interface Active {
  readonly height: bigint
  /** Start of the block's hour in Unix seconds. */
  readonly hour: bigint
  readonly activity: Activity.Activity
}

/** Tracks the hours in which each address was active. */
export class Actives {
  /** The last hours by address, in lowercase hex. */
  readonly #recent: Recent<Lasts>

  constructor(remembered: number) {
    this.#recent = new Recent(remembered)
  }

  /** Stores the activity of blocks, and adds the numbers of addresses to `sums`. */
  async write(session: Session, blocks: readonly Added[], sums: RollupSums): Promise<void> {
    const active = blocks.map(({ block, transfers, row }): Active => {
      return { height: row.height, hour: startOf('hour', row.time), activity: Activity.of(block, transfers) }
    })
    const { lasts, missing } = await this.#lastsOf(session, active)
    const counts = new ActivityCounts(sums)
    const batch = new Batch(lasts, counts)
    for (const one of active) batch.add(one)
    await batch.write(session)
    await counts.write(session)
    for (const address of missing) this.#recent.set(address, lasts.get(address) as Lasts)
  }

  /**
   * Returns the last hours of all active addresses before the blocks, and the addresses that were not in memory.
   */
  async #lastsOf(
    session: Session,
    active: readonly Active[],
  ): Promise<{ readonly lasts: Map<string, Lasts>; readonly missing: readonly string[] }> {
    const lasts = new Map<string, Lasts>()
    const missing: string[] = []
    const look = (address: string) => {
      if (lasts.has(address)) return
      const known = this.#recent.get(address)
      lasts.set(address, known ?? [null, null, null])
      if (known === undefined) missing.push(address)
    }
    for (const { activity } of active) {
      activity.addresses.forEach(look)
      activity.deployers.forEach(look)
    }
    if (missing.length > 0) {
      for (const row of await session.query(STORED, [addresses(missing)])) {
        lasts.set(
          missing[Number(row['place']) - 1] as string,
          KINDS.map(({ last }) => row[last] as bigint | null),
        )
      }
    }
    return { lasts, missing }
  }

  /** Clears the cache after an undo. */
  forget(): void {
    this.#recent.clear()
  }
}

/** A row of an hour, and whether the database has a row with its key. */
interface Hour {
  readonly row: HourlyActivityRow
  readonly isStored: boolean
}

/** The rows that a batch of blocks adds and changes. */
class Batch {
  readonly #lasts: Map<string, Lasts>
  readonly #counts: ActivityCounts
  /** The rows by hour and address. */
  readonly #hours = new Map<bigint, Map<string, Hour>>()
  /** The addresses with new last hours, and whether they have a row already. */
  readonly #changed = new Map<string, boolean>()

  constructor(lasts: Map<string, Lasts>, counts: ActivityCounts) {
    this.#lasts = lasts
    this.#counts = counts
  }

  add({ height, hour, activity }: Active): void {
    let rows = this.#hours.get(hour)
    if (rows === undefined) {
      rows = new Map()
      this.#hours.set(hour, rows)
    }
    for (const [i, kind] of KINDS.entries()) {
      const arrivals = new Map<bigint | null, number>()
      for (const address of activity[kind.of]) {
        const lasts = this.#lasts.get(address) as Lasts
        const previous = lasts[i] ?? null
        if (previous === hour) continue
        const row = this.#rowOf(rows, hour, address, lasts)
        row[kind.since] = height
        row[kind.previous] = previous
        arrivals.set(previous, (arrivals.get(previous) ?? 0) + 1)
        lasts[i] = hour
      }
      for (const [previous, count] of arrivals)
        this.#counts.add({ kind, hour, previous, count: BigInt(count) })
    }
  }

  #rowOf(rows: Map<string, Hour>, hour: bigint, address: string, lasts: Lasts): HourlyActivityRow {
    const known = rows.get(address)
    if (known !== undefined) return known.row
    if (!this.#changed.has(address))
      this.#changed.set(
        address,
        lasts.some((last) => last !== null),
      )
    const row: HourlyActivityRow = {
      hour,
      address: Hex.decode(address),
      since: null,
      sender_since: null,
      deployer_since: null,
      previous: null,
      sender_previous: null,
      deployer_previous: null,
    }
    rows.set(address, { row, isStored: lasts.includes(hour) })
    return row
  }

  async write(session: Session): Promise<void> {
    const hours = [...this.#hours.values()].flatMap((rows) => [...rows.values()])
    const added = new TableRows<HourlyActivityRow>('hourly_activity', EVM_TABLES.hourly_activity)
    for (const { row, isStored } of hours) if (!isStored) added.add(row)
    if (added.count > 0) await session.copy(added.target, added.finish())
    const stored = hours.filter(({ isStored }) => isStored).map(({ row }) => row)
    if (stored.length > 0) await session.query(UPDATE_HOURS, hourValues(stored))
    await this.#writeLasts(session)
  }

  async #writeLasts(session: Session): Promise<void> {
    const added = new TableRows<LastActivityRow>('last_activity', EVM_TABLES.last_activity)
    const changed: string[] = []
    for (const [address, isStored] of this.#changed) {
      if (isStored) changed.push(address)
      else added.add({ address: Hex.decode(address), ...this.#lastOf(address) })
    }
    if (added.count > 0) await session.copy(added.target, added.finish())
    if (changed.length === 0) return
    const rows = changed.map((address) => this.#lastOf(address))
    const columns = KINDS.map(({ last }) => list(rows.map((row) => row[last] ?? 'null')))
    await session.query(UPDATE_LASTS, [addresses(changed), ...columns])
  }

  #lastOf(address: string): Omit<LastActivityRow, 'address'> {
    const [last = null, sender_last = null, deployer_last = null] = this.#lasts.get(address) ?? []
    return { last, sender_last, deployer_last }
  }
}

const HOUR_COLUMNS = KINDS.flatMap(({ since, previous }) => [since, previous])

function hourValues(rows: readonly HourlyActivityRow[]): string[] {
  return [
    list(rows.map(({ hour }) => hour)),
    addresses(rows.map(({ address }) => Hex.encode(address))),
    ...HOUR_COLUMNS.map((column) => list(rows.map((row) => row[column] ?? 'null'))),
  ]
}

function addresses(texts: readonly string[]): string {
  return list(texts.map((text) => `"\\\\x${text.slice(2)}"`))
}

/** Each address is looked up separately, because the planner might read the whole table for an ordinary join. */
const STORED = `select k.place, a.* from unnest($1::bytea[]) with ordinality as k (address, place)
  cross join lateral (select last, sender_last, deployer_last from last_activity a
    where a.address = k.address offset 0) a`

/** Heights that are already stored must not be overwritten. */
const UPDATE_HOURS = `update hourly_activity a set ${HOUR_COLUMNS.map((column) => `${column} = coalesce(a.${column}, k.${column})`).join(', ')}
  from unnest($1::int8[], $2::bytea[], ${HOUR_COLUMNS.map((_, i) => `$${i + 3}::int8[]`).join(', ')})
    as k (hour, address, ${HOUR_COLUMNS.join(', ')})
  where a.hour = k.hour and a.address = k.address`

const UPDATE_LASTS = `update last_activity a set ${KINDS.map(({ last }) => `${last} = k.${last}`).join(', ')}
  from unnest($1::bytea[], $2::int8[], $3::int8[], $4::int8[]) as k (address, last, sender_last, deployer_last)
  where a.address = k.address`
