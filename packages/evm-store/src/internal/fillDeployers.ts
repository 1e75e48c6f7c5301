import { type Session, toKey } from '@firn/sql'
import { PERIODS } from '../EvmSchema.ts'
import { ActivityCounts, KINDS } from './Activity.ts'
import type { Added } from './Added.ts'
import { RollupSums, startOf } from './Rollups.ts'

const DEPLOYERS = KINDS[2]

/** The nearest hours in which an address deployed: up to a block, and after it. */
interface Neighbours {
  readonly previous: bigint | null
  readonly next: bigint | null
}

/**
 * Adds the deployers and the contracts of a block that is stored with fewer of them. `counted` is the number of its
 * contracts that are counted already. The creations of the block itself must not be stored yet.
 */
export async function addDeployers(session: Session, { row, rows }: Added, counted: number): Promise<void> {
  const hour = startOf('hour', row.time)
  const sums = new RollupSums()
  const counts = new ActivityCounts(sums)
  for (const period of PERIODS)
    sums.row(period, startOf(period, row.time)).creations = BigInt(row.contracts - counted)
  const last: Uint8Array[] = []
  const created = rows.creation.filter(({ succeeded }) => succeeded)
  for (const address of new Map(created.map(({ creator }) => [toKey(creator), creator])).values()) {
    const { previous, next } = await neighbours(session, address, row.height)
    if (previous === hour || next === hour) continue
    // The address arrives from the previous hour, and in the next hour it arrives from this one.
    counts.add({ kind: DEPLOYERS, hour, previous, count: 1n })
    if (next === null) {
      last.push(address)
      continue
    }
    counts.add({ kind: DEPLOYERS, hour: next, previous, count: -1n })
    counts.add({ kind: DEPLOYERS, hour: next, previous: hour, count: 1n })
  }
  await counts.write(session)
  await sums.write(session)
  for (const statement of PRUNED_HOURS) await session.query(statement)
  if (last.length > 0) await session.query(PUT_LAST, [last, String(hour)])
}

/** Totals of hours that are no longer kept are not stored again. */
const PRUNED_HOURS = ['rollup', 'last_activity_count'].map(
  (table) => `delete from ${table} where period = 'hour'
    and start < (select coalesce(max(below), 0) from pruned where kind = 'metrics')`,
)

const PUT_LAST = `insert into last_activity (address, deployer_last) select address, $2::int8
  from unnest($1::bytea[]) as k (address) on conflict (address) do update set deployer_last = excluded.deployer_last`

/** One address at a time, because a lookup by the index needs a limit. */
async function neighbours(session: Session, address: Uint8Array, height: bigint): Promise<Neighbours> {
  const values = [address, String(height)]
  const [before] = await session.query(BEFORE, values)
  const [after] = await session.query(AFTER, values)
  const [pruned] = await session.query('select deployer_last from pruned_activity where address = $1', [
    address,
  ])
  const timeOf = async (row: typeof before) => {
    if (row === undefined) return null
    const text = 'select time from block where height = $1'
    const [block] = await session.query(text, [String(row['height'])])
    return block === undefined ? null : startOf('hour', block['time'] as bigint)
  }
  return {
    // The headers of earlier creations may be removed.
    previous: (await timeOf(before)) ?? (pruned?.['deployer_last'] as bigint | null | undefined) ?? null,
    next: await timeOf(after),
  }
}

const OF_CREATOR = 'select height from creation where creator = $1 and succeeded'
const BEFORE = `${OF_CREATOR} and height <= $2 order by height desc limit 1`
const AFTER = `${OF_CREATOR} and height > $2 order by height limit 1`
