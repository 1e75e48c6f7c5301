import { Hex } from '@firn/codec'
import type { Records } from '@firn/ledger'
import { fetchRows } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** The stakes on a subnet, in nAVAX or the smallest unit of the subnet's asset. */
export interface StakeTotals {
  /** Node id (20 bytes) and own stake of each validator, without delegations. */
  readonly validators: readonly { readonly nodeId: Uint8Array; readonly weight: bigint }[]
  readonly delegatorCount: number
  readonly delegatedWeight: bigint
  /** Sum of the potential rewards of all stakers. */
  readonly potentialReward: bigint
  /** Sum of the commissions that validators have earned and that are not paid out yet. */
  readonly delegateeReward: bigint
  /** Sum of the staked outputs that stay locked beyond the snapshot's time, whenever the stake ends. */
  readonly lockedStake: bigint
}

interface Row {
  readonly role: Records.Staker['role']
  readonly nodeId: Uint8Array
  readonly weight: bigint
  readonly body: Uint8Array
  readonly startTime: bigint
  readonly key: Uint8Array
}

/** Number of stakers read per statement, which limits memory use. */
const CHUNK = 2_000
const ROLES = ['validator', 'delegator'] as const

/**
 * Returns the stakes on a subnet at the snapshot.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Stakers, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const totals = await Stakers.totals(store, at, Id.EMPTY)
 * ```
 */
export async function totals(store: Store, at: Snapshot, subnetId: Uint8Array): Promise<StakeTotals> {
  const validators: { readonly nodeId: Uint8Array; readonly weight: bigint }[] = []
  let [delegatorCount, delegatedWeight, potentialReward, delegateeReward, lockedStake] = [0, 0n, 0n, 0n, 0n]
  const seen = new Set<string>()
  for await (const rows of chunks(store, at, subnetId)) {
    for (const { role, nodeId, weight, body, key } of rows) {
      // A staker that leaves between two statements is in the results of both.
      const id = Hex.encodeBare(key)
      if (seen.has(id)) continue
      seen.add(id)
      const staker = RecordCodec.staker.decode(body)
      potentialReward += staker.potentialReward
      delegateeReward += staker.delegateeReward
      lockedStake += lockedOf(staker, at.P.time)
      if (role === 'validator') validators.push({ nodeId, weight })
      else {
        delegatorCount += 1
        delegatedWeight += weight
      }
    }
  }
  return { validators, delegatorCount, delegatedWeight, potentialReward, delegateeReward, lockedStake }
}

function lockedOf({ stake }: Records.Staker, time: bigint): bigint {
  return stake.reduce(
    (sum, { output }) =>
      output.type === 'LockOut' && output.locktime > time ? sum + output.output.amount : sum,
    0n,
  )
}

async function* chunks(store: Store, at: Snapshot, subnetId: Uint8Array): AsyncIterable<readonly Row[]> {
  const { height } = at.P
  const select = (rest: RawBuilder<unknown>) =>
    fetchRows(
      store,
      sql<Row>`select role, node_id as "nodeId", weight, body, start_time as "startTime", key from staker
        where subnet_id = ${subnetId} and status = 'current' and since <= ${height} and ${rest}`,
    )
  for (const role of ROLES) {
    let after: RawBuilder<unknown> = sql`true`
    for (;;) {
      const rows = await select(
        sql`role = ${role} and until is null and ${after} order by start_time, key limit ${CHUNK}`,
      )
      yield rows
      const end = rows.at(-1)
      if (end === undefined || rows.length < CHUNK) break
      after = sql`(start_time, key) > (${end.startTime}, ${end.key})`
    }
  }
  yield await select(sql`until > ${height}`)
}
