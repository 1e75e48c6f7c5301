import type { Records } from '@firn/ledger'
import { sql } from 'kysely'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

type Role = Records.Staker['role']

/** Stakers of a role: how many, and what they stake. */
export interface Stakes {
  readonly role: Role
  readonly count: bigint
  /** nAVAX, or the smallest unit of the subnet's asset. */
  readonly weight: bigint
}

/** How much more of them there was at the end of a day than at that of the day before; less where it is below 0. */
export interface Change extends Stakes {
  /** The day's beginning by UTC, Unix seconds. */
  readonly day: bigint
}

/**
 * The changes of all days up to a height, by when the blocks were that brought them; those of days without any are left out. Reads
 * all that ever staked on the subnet.
 */
export async function changes(
  store: Store,
  subnetId: Uint8Array,
  through: bigint,
): Promise<readonly Change[]> {
  const staked = sql`staker.subnet_id = ${subnetId} and staker.status = 'current'`
  const { rows } = await sql<Change>`
    select block.time - block.time % 86400 as day, change.role, sum(change.count) as count, sum(change.weight) as weight
    from (select since as height, role, 1 as count, weight from staker where ${staked} and since <= ${through}
      union all select until, role, -1, -weight from staker where ${staked} and until <= ${through}) as change
    join block on block.chain = 'P' and block.height = change.height
    group by day, change.role order by day`.execute(store.db)
  return rows
}

/** All that stakes on a subnet at the snapshot. */
export async function current(
  store: Store,
  { P }: Snapshot,
  subnetId: Uint8Array,
): Promise<readonly Stakes[]> {
  const part = sql`select role, weight from staker
    where subnet_id = ${subnetId} and status = 'current' and since <= ${P.height}`
  const { rows } = await sql<Stakes>`
    select role, count(*) as count, sum(weight) as weight
    from (${part} and until is null union all ${part} and until > ${P.height}) as staker
    group by role`.execute(store.db)
  return rows
}
