import type { Records } from '@firn/ledger'
import { fetchRows } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

type Role = Records.Staker['role']

/** Number of stakers with a role, and the sum of their stakes. */
export interface Stakes {
  readonly role: Role
  readonly count: bigint
  /** Sum of the stakes, in nAVAX or the smallest unit of the subnet's asset. */
  readonly weight: bigint
}

/** Changes in the number of stakers with a role and in the sum of their stakes during a day. Both may be negative. */
export interface StakeChange extends Stakes {
  /** Start of the day in UTC, in Unix seconds. */
  readonly day: bigint
}

/**
 * Returns the stake changes of a subnet, or of all subnets together, of each day up to a height, dated by block time.
 * Days without changes are left out. Reads all stakers that the subnet ever had.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Stakers, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const changes = await Stakers.stakeChanges(store, Id.EMPTY, 21_000_000n)
 * ```
 */
export async function stakeChanges(
  store: Store,
  subnetId: Uint8Array | undefined,
  through: bigint,
): Promise<readonly StakeChange[]> {
  const staked = sql`${ofSubnet(subnetId)} and staker.status = 'current'`
  return fetchRows(
    store,
    sql<StakeChange>`
    select block.time - block.time % 86400 as day, change.role, sum(change.count) as count, sum(change.weight) as weight
    from (select since as height, role, 1 as count, weight from staker where ${staked} and since <= ${through}
      union all select until, role, -1, -weight from staker where ${staked} and until <= ${through}) as change
    join block on block.chain = 'P' and block.height = change.height
    group by day, change.role order by day`,
  )
}

/**
 * Returns the number of current stakers of a subnet, or of all subnets together, and the sum of their stakes.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Stakers, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const stakes = await Stakers.currentStakes(store, at, Id.EMPTY)
 * ```
 */
export async function currentStakes(
  store: Store,
  { P }: Snapshot,
  subnetId: Uint8Array | undefined,
): Promise<readonly Stakes[]> {
  const part = sql`select role, weight from staker
    where ${ofSubnet(subnetId)} and status = 'current' and since <= ${P.height}`
  return fetchRows(
    store,
    sql<Stakes>`
    select role, count(*) as count, sum(weight) as weight
    from (${part} and until is null union all ${part} and until > ${P.height}) as staker
    group by role`,
  )
}

function ofSubnet(subnetId: Uint8Array | undefined): RawBuilder<unknown> {
  return subnetId === undefined ? sql`true` : sql`subnet_id = ${subnetId}`
}
