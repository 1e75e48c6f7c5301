import { byteas, list } from '../../internal/arrays.ts'
import type { Session } from '../../internal/Driver.ts'
import { ActivityCounts, type Arrivals, KINDS } from './Activity.ts'
import { RollupSums } from './Rollups.ts'

/**
 * Removes the activity that first occurred in the undone blocks. Returns the changes of the numbers of addresses in
 * each period, which are negative.
 */
export async function undoActives(session: Session, height: bigint): Promise<RollupSums> {
  const touched = await session.query(TOUCHED, [String(height)])
  const values = [
    String(height),
    list(touched.map(({ hour }) => hour as bigint)),
    byteas(touched.map(({ address }) => address as Uint8Array)),
  ]
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

/** Selects the addresses that occur in the undone blocks, with the hours of these blocks. */
const TOUCHED = `select distinct b.time - b.time % 3600 as hour, t.address
  from (select height, sender as address from transaction where height > $1
    union all select height, recipient from transaction where height > $1 and recipient is not null
    union all select height, sender from transfer where height > $1
    union all select height, recipient from transfer where height > $1
    union all select height, creator from creation where height > $1) as t
  join block b on b.height = t.height`

const KEYS =
  'unnest($2::int8[], $3::bytea[]) as k (hour, address) join hourly_activity a on a.hour = k.hour and a.address = k.address'
const IS_LATER = 'greatest(a.since, a.sender_since, a.deployer_since) > $1'
/** Height of the first activity in the hour. */
const FIRST = 'least(a.since, a.sender_since, a.deployer_since)'

const LOST = `select kind.place, a.hour, kind.previous, count(*) as count
  from (select a.* from ${KEYS} where ${IS_LATER}) as a
  cross join lateral (values ${KINDS.map(({ since, previous }, i) => `(${i}, a.${since}, a.${previous})`).join(', ')})
    as kind (place, since, previous)
  where kind.since > $1 group by kind.place, a.hour, kind.previous`

/** The first undone hour of an address contains its last hour before the undone blocks. */
const RESTORE = `update last_activity u set ${KINDS.map(({ last, since }) => `${last} = case when e.${since} then e.${last} else u.${last} end`).join(', ')}
  from (select a.address, ${KINDS.map(
    ({ since, previous, last }) => `bool_or(a.${since} > $1) as ${since},
      (array_agg(a.${previous} order by a.hour) filter (where a.${since} > $1))[1] as ${last}`,
  ).join(', ')}
    from ${KEYS} where ${IS_LATER} group by a.address) as e
  where u.address = e.address`

const isInactive = (row: string) =>
  `coalesce(${KINDS.map(({ last }) => `${row}.${last}`).join(', ')}) is null`

/** The last activity is restored before the hours that it is read from are deleted. */
const REMOVE = [
  RESTORE,
  `delete from last_activity u using (select distinct a.address from ${KEYS} where ${IS_LATER}) as e
  where u.address = e.address and ${isInactive('u')}`,
  `update hourly_activity u set ${KINDS.flatMap(({ since, previous }) => [
    `${since} = case when u.${since} <= $1 then u.${since} end`,
    `${previous} = case when u.${since} <= $1 then u.${previous} end`,
  ]).join(', ')}
  from (select a.hour, a.address from ${KEYS} where ${IS_LATER} and ${FIRST} <= $1) as e
  where u.hour = e.hour and u.address = e.address`,
  `delete from hourly_activity a using unnest($2::int8[], $3::bytea[]) as k (hour, address)
  where a.hour = k.hour and a.address = k.address and ${FIRST} > $1`,
]
