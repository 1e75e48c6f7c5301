import { Activity } from '@firn/evm'
import { byteas, keyOf, list } from '../../internal/arrays.ts'
import type { Session } from '../../internal/Driver.ts'
import { TableRows } from '../../internal/rows.ts'
import { EVM_TABLES, type HourlyActivityRow, type LastActivityRow } from '../EvmSchema.ts'
import { ActivityCounts, KINDS } from './Activity.ts'
import type { Added } from './Added.ts'
import { Recent } from './Recent.ts'
import { type RollupSums, startOf } from './Rollups.ts'

/** The last hours of an address's activity, one for each of {@link KINDS}; null without such activity. */
type Lasts = (bigint | null)[]

/** An address that is active in a batch of blocks. */
interface Active {
  readonly key: string
  readonly address: Uint8Array
  /** The last hours before the batch, and then those of the blocks so far. */
  lasts: Lasts
  /** Row of the newest hour in which a block of the batch adds activity. */
  row: HourlyActivityRow | undefined
}

/** The addresses that are active in a block. Those that are active several times may be listed several times. */
interface ActiveBlock {
  readonly height: bigint
  /** Start of the block's hour in Unix seconds. */
  readonly hour: bigint
  /** One list for each of {@link KINDS}. */
  readonly lists: readonly (readonly Active[])[]
}

/** Tracks the hours in which each address was active. */
export class Actives {
  /** The last hours by address. */
  readonly #recent: Recent<Lasts>

  constructor(remembered: number) {
    this.#recent = new Recent(remembered)
  }

  /** Stores the activity of blocks, and adds the numbers of addresses to `sums`. */
  async write(session: Session, blocks: readonly Added[], sums: RollupSums): Promise<void> {
    const all = new Map<string, Active>()
    const missing: Active[] = []
    const activeOf = (address: Uint8Array): Active => {
      const key = keyOf(address)
      const known = all.get(key)
      if (known !== undefined) return known
      const lasts = this.#recent.get(key)
      const active = { key, address, lasts: lasts ?? [null, null, null], row: undefined }
      all.set(key, active)
      if (lasts === undefined) missing.push(active)
      return active
    }
    const batch = blocks.map((block) => activeBlock(block, activeOf))
    await load(session, missing)
    const counts = new ActivityCounts(sums)
    const rows = new Rows(counts)
    for (const block of batch) rows.add(block)
    await rows.write(session)
    await counts.write(session)
    for (const { key, lasts } of missing) this.#recent.set(key, lasts)
  }

  /** Clears the cache after an undo. */
  forget(): void {
    this.#recent.clear()
  }
}

function activeBlock(
  { block, transfers, row }: Added,
  activeOf: (address: Uint8Array) => Active,
): ActiveBlock {
  const [addresses, senders, deployers]: [Active[], Active[], Active[]] = [[], [], []]
  Activity.visit(block, transfers, (address, role) => {
    const active = activeOf(address)
    if (role === 'deployer') deployers.push(active)
    else addresses.push(active)
    if (role === 'sender') senders.push(active)
  })
  const lists = KINDS.map(({ of }) => ({ addresses, senders, deployers })[of])
  return { height: row.height, hour: startOf('hour', row.time), lists }
}

/** Reads the last hours of addresses. */
async function load(session: Session, missing: readonly Active[]): Promise<void> {
  if (missing.length === 0) return
  const actives = new Map(missing.map((active) => [active.key, active]))
  for (const row of await session.query(STORED, [byteas(missing.map(({ address }) => address))])) {
    const active = actives.get(keyOf(row['address'] as Uint8Array)) as Active
    active.lasts = KINDS.map(({ last }) => row[last] as bigint | null)
  }
}

/** A row of an hour, and whether the database has a row with its key. */
interface Hour {
  readonly row: HourlyActivityRow
  readonly isStored: boolean
}

/** The rows that a batch of blocks adds and changes. */
class Rows {
  readonly #counts: ActivityCounts
  readonly #hours: Hour[] = []
  /** The addresses with new last hours, and whether they have a row already. */
  readonly #changed = new Map<Active, boolean>()

  constructor(counts: ActivityCounts) {
    this.#counts = counts
  }

  /** Adds the activity of the next block, whose hour is not before that of the previous one. */
  add({ height, hour, lists }: ActiveBlock): void {
    for (const [i, kind] of KINDS.entries()) {
      const arrivals = new Map<bigint | null, number>()
      for (const active of lists[i] ?? []) {
        const previous = active.lasts[i] ?? null
        if (previous === hour) continue
        const row = this.#rowOf(active, hour)
        row[kind.since] = height
        row[kind.previous] = previous
        arrivals.set(previous, (arrivals.get(previous) ?? 0) + 1)
        active.lasts[i] = hour
      }
      for (const [previous, count] of arrivals)
        this.#counts.add({ kind, hour, previous, count: BigInt(count) })
    }
  }

  #rowOf(active: Active, hour: bigint): HourlyActivityRow {
    if (active.row?.hour === hour) return active.row
    const { address, lasts } = active
    if (active.row === undefined)
      this.#changed.set(
        active,
        lasts.some((last) => last !== null),
      )
    const row: HourlyActivityRow = {
      hour,
      address,
      since: null,
      sender_since: null,
      deployer_since: null,
      previous: null,
      sender_previous: null,
      deployer_previous: null,
    }
    this.#hours.push({ row, isStored: lasts.includes(hour) })
    active.row = row
    return row
  }

  async write(session: Session): Promise<void> {
    const hours = this.#hours
    const added = new TableRows<HourlyActivityRow>('hourly_activity', EVM_TABLES.hourly_activity)
    for (const { row, isStored } of hours) if (!isStored) added.add(row)
    if (added.count > 0) await session.copy(added.target, added.finish())
    const stored = hours.filter(({ isStored }) => isStored).map(({ row }) => row)
    if (stored.length > 0) await session.query(UPDATE_HOURS, hourValues(stored))
    await this.#writeLasts(session)
  }

  async #writeLasts(session: Session): Promise<void> {
    const added = new TableRows<LastActivityRow>('last_activity', EVM_TABLES.last_activity)
    const changed: Active[] = []
    for (const [active, isStored] of this.#changed) {
      if (isStored) changed.push(active)
      else added.add({ address: active.address, ...lastOf(active) })
    }
    if (added.count > 0) await session.copy(added.target, added.finish())
    if (changed.length === 0) return
    const rows = changed.map(lastOf)
    const columns = KINDS.map(({ last }) => list(rows.map((row) => row[last] ?? 'null')))
    await session.query(UPDATE_LASTS, [byteas(changed.map(({ address }) => address)), ...columns])
  }
}

function lastOf({ lasts }: Active): Omit<LastActivityRow, 'address'> {
  const [last = null, sender_last = null, deployer_last = null] = lasts
  return { last, sender_last, deployer_last }
}

const HOUR_COLUMNS = KINDS.flatMap(({ since, previous }) => [since, previous])

function hourValues(rows: readonly HourlyActivityRow[]): string[] {
  return [
    list(rows.map(({ hour }) => hour)),
    byteas(rows.map(({ address }) => address)),
    ...HOUR_COLUMNS.map((column) => list(rows.map((row) => row[column] ?? 'null'))),
  ]
}

const STORED = 'select * from last_activity where address = any($1::bytea[])'

/** Heights that are already stored must not be overwritten. */
const UPDATE_HOURS = `update hourly_activity a set ${HOUR_COLUMNS.map((column) => `${column} = coalesce(a.${column}, k.${column})`).join(', ')}
  from unnest($1::int8[], $2::bytea[], ${HOUR_COLUMNS.map((_, i) => `$${i + 3}::int8[]`).join(', ')})
    as k (hour, address, ${HOUR_COLUMNS.join(', ')})
  where a.hour = k.hour and a.address = k.address`

const UPDATE_LASTS = `update last_activity a set ${KINDS.map(({ last }) => `${last} = k.${last}`).join(', ')}
  from unnest($1::bytea[], $2::int8[], $3::int8[], $4::int8[]) as k (address, last, sender_last, deployer_last)
  where a.address = k.address`
