import { list } from '../../internal/arrays.ts'
import type { Session } from '../../internal/Driver.ts'
import { PERIODS, type Period, type RollupRow } from '../EvmSchema.ts'
import { type COUNTS, startOf } from './Rollups.ts'
import type { Undone } from './Undone.ts'

/** The numbers of addresses that an undo removes from each period. The keys come from {@link lossKey}. */
export type Losses = ReadonlyMap<string, { readonly [C in (typeof COUNTS)[number]]: bigint }>

/** Returns the key of a period in {@link Losses}. */
export function lossKey(period: Period, start: bigint): string {
  return `${period} ${start}`
}

/**
 * Removes the activity that first occurred in the undone blocks. Returns the numbers of addresses removed from each
 * period.
 */
export async function undoActives(
  session: Session,
  height: bigint,
  undone: readonly Undone[],
): Promise<Losses> {
  const starts = PERIODS.flatMap((period) =>
    [...new Set(undone.map(({ time }) => startOf(period, time)))].map((start) => ({ period, start })),
  )
  const values = [
    String(height),
    list(starts.map(({ period }) => period)),
    list(starts.map(({ start }) => start)),
  ]
  const losses = new Map<string, Record<(typeof COUNTS)[number], bigint>>()
  const of = (period: Period, start: bigint) => {
    const key = lossKey(period, start)
    const known = losses.get(key)
    if (known !== undefined) return known
    const none = { addresses: 0n, senders: 0n, deployers: 0n, new_addresses: 0n, new_deployers: 0n }
    losses.set(key, none)
    return none
  }
  for (const row of await session.query(LOST, values)) {
    const { period, start, addresses, senders, deployers } = row as unknown as RollupRow
    Object.assign(of(period, start), { addresses, senders, deployers })
  }
  const times = new Map(undone.map((block) => [block.height, block.time]))
  for (const row of await session.query(NEW, values)) {
    for (const period of PERIODS) {
      const loss = of(period, startOf(period, times.get(row['height'] as bigint) ?? 0n))
      loss.new_addresses += row['addresses'] as bigint
      loss.new_deployers += row['deployers'] as bigint
    }
  }
  await session.query(CLEAR, values)
  await session.query(DELETE, values)
  return losses
}

/**
 * The activity rows of all addresses that occur in the undone blocks, in the periods of those blocks. Each
 * row is looked up by key, because the planner might read a whole period for an ordinary join.
 */
const FOUND = `(select sender as address from transaction where height > $1
    union select recipient from transaction where height > $1 and recipient is not null
    union select sender from transfer where height > $1 union select recipient from transfer where height > $1
    union select creator from creation where height > $1) as touched
  cross join unnest($2::text[], $3::int8[]) as k (period, start)
  cross join lateral (select a.ctid as place, a.* from active_address a
    where a.period = k.period and a.start = k.start and a.address = touched.address offset 0) as a`

const LOST = `select a.period, a.start, count(*) filter (where a.since > $1) as addresses,
    count(*) filter (where a.sender_since > $1) as senders, count(*) filter (where a.deployer_since > $1) as deployers
  from ${FOUND} group by a.period, a.start`

/** Counts addresses by the height at which they were active for the first time ever. */
const NEW = `select height, count(*) filter (where kind = 1) as addresses, count(*) filter (where kind = 2) as deployers
  from ${FOUND} cross join lateral (values (1, a.since), (2, a.deployer_since)) as first (kind, height)
  where a.period = 'all' and height > $1 group by height`

const CLEAR = `update active_address u set since = case when u.since <= $1 then u.since end,
    sender_since = case when u.sender_since <= $1 then u.sender_since end,
    deployer_since = case when u.deployer_since <= $1 then u.deployer_since end
  from ${FOUND} where u.ctid = a.place and greatest(a.since, a.sender_since, a.deployer_since) > $1`

const DELETE = `delete from active_address u using ${FOUND}
  where u.ctid = a.place and coalesce(a.since, a.sender_since, a.deployer_since) is null`
