import { Activity } from '@firn/evm'
import { formatArray, type Session, TableRows, toKey } from '@firn/sql'
import { EVM_TABLES, type LastActivityRow } from '../EvmSchema.ts'
import { ActivityCounts, KINDS } from './Activity.ts'
import type { Added } from './Added.ts'
import { Recent } from './Recent.ts'
import { type RollupSums, startOf } from './Rollups.ts'

/** The last hours of an address's activity, one for each of {@link KINDS}; null without such activity. */
export type Lasts = (bigint | null)[]

/** An address that is active in a batch of blocks. */
interface Active {
  readonly key: string
  readonly address: Uint8Array
  /** The last hours before the batch, and then of the blocks so far. */
  lasts: Lasts
}

/** The addresses that are active in a block. Those that are active several times may be listed several times. */
interface ActiveBlock {
  /** Start of the block's hour in Unix seconds. */
  readonly hour: bigint
  /** One list for each of {@link KINDS}. */
  readonly lists: readonly (readonly Active[])[]
}

/** Tracks the last hour in which each address was active. */
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
      const key = toKey(address)
      const known = all.get(key)
      if (known !== undefined) return known
      const lasts = this.#recent.get(key)
      const active = { key, address, lasts: lasts ?? [null, null, null] }
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
  return { hour: startOf('hour', row.time), lists }
}

/** Reads the last hours of addresses. */
async function load(session: Session, missing: readonly Active[]): Promise<void> {
  if (missing.length === 0) return
  const actives = new Map(missing.map((active) => [active.key, active]))
  for (const row of await session.query(STORED, [missing.map(({ address }) => address)])) {
    const active = actives.get(toKey(row['address'] as Uint8Array)) as Active
    active.lasts = KINDS.map(({ last }) => row[last] as bigint | null)
  }
}

/** The rows that a batch of blocks adds and changes. */
class Rows {
  readonly #counts: ActivityCounts
  /** The addresses with new last hours, and whether they have a row already. */
  readonly #changed = new Map<Active, boolean>()

  constructor(counts: ActivityCounts) {
    this.#counts = counts
  }

  /** Adds the activity of the next block, whose hour is not before the hour of the previous one. */
  add({ hour, lists }: ActiveBlock): void {
    for (const [i, kind] of KINDS.entries()) {
      const arrivals = new Map<bigint | null, number>()
      for (const active of lists[i] ?? []) {
        const { lasts } = active
        const previous = lasts[i] ?? null
        if (previous === hour) continue
        if (!this.#changed.has(active)) {
          const isStored = lasts.some((last) => last !== null)
          this.#changed.set(active, isStored)
        }
        arrivals.set(previous, (arrivals.get(previous) ?? 0) + 1)
        lasts[i] = hour
      }
      for (const [previous, count] of arrivals)
        this.#counts.add({ kind, hour, previous, count: BigInt(count) })
    }
  }

  async write(session: Session): Promise<void> {
    const added = new TableRows<LastActivityRow>('last_activity', EVM_TABLES.last_activity)
    const changed: LastActivityRow[] = []
    for (const [{ address, lasts }, isStored] of this.#changed) {
      if (isStored) changed.push(lastRow(address, lasts))
      else added.add(lastRow(address, lasts))
    }
    if (added.count > 0) await session.copy(added.target, added.finish())
    await updateLasts(session, changed)
  }
}

/** Returns the row of an address. */
export function lastRow(address: Uint8Array, lasts: Readonly<Lasts>): LastActivityRow {
  const [last = null, sender_last = null, deployer_last = null] = lasts
  return { address, last, sender_last, deployer_last }
}

/** Stores the last hours of addresses that have a row. */
export async function updateLasts(session: Session, rows: readonly LastActivityRow[]): Promise<void> {
  if (rows.length === 0) return
  const columns = KINDS.map(({ last }) => formatArray(rows.map((row) => row[last] ?? 'null')))
  await session.query(UPDATE_LASTS, [rows.map(({ address }) => address), ...columns])
}

const STORED = 'select * from last_activity where address = any($1::bytea[])'

const UPDATE_LASTS = `update last_activity a set ${KINDS.map(({ last }) => `${last} = k.${last}`).join(', ')}
  from unnest($1::bytea[], $2::int8[], $3::int8[], $4::int8[]) as k (address, last, sender_last, deployer_last)
  where a.address = k.address`
