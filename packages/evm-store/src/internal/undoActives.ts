import { type Session, toKey } from '@firn/sql'
import { type Lasts, lastRow, updateLasts } from './Actives.ts'
import { ActivityCounts, KINDS } from './Activity.ts'
import { byAddress, byHeight } from './keptActivity.ts'
import { RollupSums } from './Rollups.ts'

/** An address that is active in the undone blocks. */
interface Gone {
  readonly address: Uint8Array
  /** Its hours in the undone blocks in ascending order, for each of {@link KINDS}. */
  readonly hours: readonly bigint[][]
  /** Its last hours in the blocks that remain. */
  readonly lasts: Lasts
}

/**
 * Removes the activity of the undone blocks, which are still stored. Returns the changes of the numbers of addresses in
 * each period, which are negative. `canLookUp` is whether addresses can be looked up one by one.
 */
export async function undoActives(session: Session, height: bigint, canLookUp: boolean): Promise<RollupSums> {
  const sums = new RollupSums()
  const counts = new ActivityCounts(sums)
  const gone = await load(session, height, canLookUp)
  for (const { hours, lasts } of gone) {
    for (const [i, kind] of KINDS.entries()) {
      let previous = lasts[i] ?? null
      for (const hour of hours[i] ?? []) {
        if (hour === previous) continue
        counts.add({ kind, hour, previous, count: -1n })
        previous = hour
      }
    }
  }
  await counts.write(session)
  await updateLasts(
    session,
    gone.map(({ address, lasts }) => lastRow(address, lasts)),
  )
  const ended = gone.filter(({ lasts }) => lasts.every((last) => last === null))
  if (ended.length > 0) await session.query(REMOVE, [ended.map(({ address }) => address)])
  return sums
}

async function load(session: Session, height: bigint, canLookUp: boolean): Promise<readonly Gone[]> {
  const all = new Map<string, Omit<Gone, 'lasts'>>()
  for (const row of await session.query(GONE, [String(height)])) {
    const address = row['address'] as Uint8Array
    const key = toKey(address)
    const gone = all.get(key) ?? { address, hours: KINDS.map((): bigint[] => []) }
    all.set(key, gone)
    gone.hours[Number(row['place'])]?.push(row['hour'] as bigint)
  }
  const addresses = [...all.values()].map(({ address }) => address)
  if (addresses.length === 0) return []
  const lasts = await (canLookUp ? byAddress : byHeight)(session, height, addresses)
  return [...all.values()].map((gone, i) => ({ ...gone, lasts: lasts[i] as Lasts }))
}

const REMOVE = `delete from last_activity a using unnest($1::bytea[]) as k (address) where a.address = k.address`

/** Without traces, no deployers are known. */
const GONE = `select distinct act.place, act.address, b.time - b.time % 3600 as hour
  from (select height, 0 as place, sender as address from transaction where height > $1
    union all select height, 1, sender from transaction where height > $1
    union all select height, 0, recipient from transaction where height > $1 and recipient is not null
    union all select height, 0, sender from transfer where height > $1
    union all select height, 1, sender from transfer where height > $1
    union all select height, 0, recipient from transfer where height > $1
    union all select height, 2, creator from creation where height > $1 and succeeded and (select has_traces from chain)) as act
  join block b on b.height = act.height order by hour`
