import { Hex } from '@firn/codec'
import type { Records } from '@firn/ledger'
import { sql } from 'kysely'
import { prepared } from '../internal/prepared.ts'
import { STAKING_NAMES } from '../internal/stakingTypes.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

const NAMES: ReadonlySet<string> = new Set(STAKING_NAMES)

/** A staker as the snapshot, or its end, left it. */
export interface Staking {
  readonly staker: Records.Staker
  /** The block after which it was none any more; undefined while it is one. */
  readonly endHeight: bigint | undefined
}

/** The stakers that transactions added, by the transaction's id in hex. Names of types spare those that add none the look-up. */
export async function byTransactions(
  store: Store,
  at: Snapshot,
  transactions: readonly { readonly id: Uint8Array; readonly name: string }[],
): Promise<ReadonlyMap<string, Staking>> {
  const txIds = transactions.filter(({ name }) => NAMES.has(name)).map(({ id }) => id)
  if (txIds.length === 0) return new Map()
  const { height } = at.P
  const { rows } = await sql<{ key: Uint8Array; body: Uint8Array; until: bigint | null }>`
    ${prepared} select distinct on (key) key, body, until from ${sql.table('staker')}
    where key = any(${sql.val(txIds)}::bytea[]) and since <= ${height} order by key, since desc`.execute(
    store.db,
  )
  return new Map(
    rows.map(({ key, body, until }) => [
      Hex.encodeBare(key),
      {
        staker: RecordCodec.staker.decode(body),
        endHeight: until === null || until > height ? undefined : until,
      },
    ]),
  )
}
