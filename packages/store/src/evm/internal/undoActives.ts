import { byteas, keyOf } from '../../internal/arrays.ts'
import type { Session } from '../../internal/Driver.ts'
import { type Lasts, lastRow, updateLasts } from './Actives.ts'
import { ActivityCounts, KINDS } from './Activity.ts'
import { RollupSums, startOf } from './Rollups.ts'

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
 * each period, which are negative.
 */
export async function undoActives(session: Session, height: bigint): Promise<RollupSums> {
  const sums = new RollupSums()
  const counts = new ActivityCounts(sums)
  const gone = await load(session, height)
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
  if (ended.length > 0) await session.query(REMOVE, [byteas(ended.map(({ address }) => address))])
  return sums
}

async function load(session: Session, height: bigint): Promise<readonly Gone[]> {
  const all = new Map<string, Gone>()
  for (const row of await session.query(GONE, [String(height)])) {
    const address = row['address'] as Uint8Array
    const key = keyOf(address)
    const gone = all.get(key) ?? { address, hours: KINDS.map(() => []), lasts: KINDS.map(() => null) }
    all.set(key, gone)
    gone.hours[Number(row['place'])]?.push(row['hour'] as bigint)
  }
  const gone = [...all.values()]
  if (gone.length === 0) return gone
  for (const row of await session.query(KEPT, [String(height), byteas(gone.map(({ address }) => address))])) {
    for (const [i, { last }] of KINDS.entries()) {
      const time = row[last] as bigint | null
      if (time !== null) (gone[Number(row['place']) - 1] as Gone).lasts[i] = startOf('hour', time)
    }
  }
  return gone
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
    union all select height, 2, creator from creation where height > $1 and (select has_traces from chain)) as act
  join block b on b.height = act.height order by hour`

/** Selects the last height with an address on one side of a transaction. */
const transactionOf = (side: string) =>
  `(select height from transaction where ${side} = k.address and height <= $1 order by height desc limit 1)`
/** Selects the last height with an address on one side of a transfer. The index has one range for each standard. */
const transferOf = (side: string) =>
  [20, 721, 1155].map(
    (standard) => `(select height from transfer
    where ${side} = k.address and standard = ${standard} and height <= $1 order by height desc limit 1)`,
  )
const timeOf = (height: string) => `(select time from block where height = ${height})`

/** The times of the last activity that remains. Its rows, or those of the hours, may be pruned. */
const KEPT = `select k.place, greatest(${timeOf('greatest(a.sent, a.received)')}, p.last) as last,
    greatest(${timeOf('a.sent')}, p.sender_last) as sender_last, ${timeOf('a.created')} as deployer_last
  from unnest($2::bytea[]) with ordinality as k (address, place)
  cross join lateral (select greatest(${[transactionOf('sender'), ...transferOf('sender')].join(', ')}) as sent,
    greatest(${[transactionOf('recipient'), ...transferOf('recipient')].join(', ')}) as received,
    (select height from creation where creator = k.address and height <= $1 and (select has_traces from chain)
      order by height desc limit 1) as created offset 0) as a
  left join pruned_activity p on p.address = k.address`
