import { list } from '../../internal/arrays.ts'
import type { Session } from '../../internal/Driver.ts'
import { ActivityCounts, type Arrivals, KINDS } from './Activity.ts'
import { RollupSums, startOf } from './Rollups.ts'
import type { Undone } from './Undone.ts'

/**
 * Removes the activity that first occurred in the undone blocks. Returns the changes of the numbers of addresses in
 * each period, which are negative.
 */
export async function undoActives(
  session: Session,
  height: bigint,
  undone: readonly Undone[],
): Promise<RollupSums> {
  const hours = [...new Set(undone.map(({ time }) => startOf('hour', time)))]
  const values = [String(height), list(hours)]
  const sums = new RollupSums()
  const counts = new ActivityCounts(sums)
  for (const row of await session.query(LOST, values)) {
    const { place, hour, previous, count } = row as unknown as Omit<Arrivals, 'kind'> & { place: number }
    counts.add({ kind: KINDS[place] ?? KINDS[0], hour, previous, count: -count })
  }
  await counts.write(session)
  for (const statement of REMOVE) await session.query(statement, values)
  return sums
}

/**
 * The hours of all addresses that occur in the undone blocks. Each row is looked up by key, because the planner might
 * read a whole hour for an ordinary join.
 */
const FOUND = `(select sender as address from transaction where height > $1
    union select recipient from transaction where height > $1 and recipient is not null
    union select sender from transfer where height > $1 union select recipient from transfer where height > $1
    union select creator from creation where height > $1) as touched
  cross join unnest($2::int8[]) as k (hour)
  cross join lateral (select a.ctid as place, a.* from hourly_activity a
    where a.hour = k.hour and a.address = touched.address offset 0) as a
  where greatest(a.since, a.sender_since, a.deployer_since) > $1`

const LOST = `select kind.place, a.hour, kind.previous, count(*) as count
  from (select a.* from ${FOUND}) as a
  cross join lateral (values ${KINDS.map(({ since, previous }, i) => `(${i}, a.${since}, a.${previous})`).join(', ')})
    as kind (place, since, previous)
  where kind.since > $1 group by kind.place, a.hour, kind.previous`

/** The first undone hour of an address contains its last hour before the undone blocks. */
const RESTORE = `update last_activity u set ${KINDS.map(({ last, since }) => `${last} = case when e.${since} then e.${last} else u.${last} end`).join(', ')}
  from (select a.address, ${KINDS.map(
    ({ since, previous, last }) => `bool_or(a.${since} > $1) as ${since},
      (array_agg(a.${previous} order by a.hour) filter (where a.${since} > $1))[1] as ${last}`,
  ).join(', ')}
    from ${FOUND} group by a.address) as e
  where u.address = e.address`

const isInactive = (row: string) =>
  `coalesce(${KINDS.map(({ last }) => `${row}.${last}`).join(', ')}) is null`

/** The last activity is restored before the hours that it is read from are deleted. */
const REMOVE = [
  RESTORE,
  `delete from last_activity u using (select distinct a.address from ${FOUND}) as e
  where u.address = e.address and ${isInactive('u')}`,
  `update hourly_activity u set ${KINDS.flatMap(({ since, previous }) => [
    `${since} = case when u.${since} <= $1 then u.${since} end`,
    `${previous} = case when u.${since} <= $1 then u.${previous} end`,
  ]).join(', ')}
  from (select a.place, least(a.since, a.sender_since, a.deployer_since) as first from ${FOUND}) as e
  where u.ctid = e.place and e.first <= $1`,
  `delete from hourly_activity u using (select a.place, least(a.since, a.sender_since, a.deployer_since) as first from ${FOUND}) as e
  where u.ctid = e.place and e.first > $1`,
]
