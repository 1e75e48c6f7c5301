import type { Chain } from '../Schema.ts'
import { create, type Position, type Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** The height of a chain's first block at a time (Unix seconds) or later; times of blocks never go back. */
export async function firstSince(store: Store, chain: Chain, time: bigint): Promise<bigint | undefined> {
  const row = await store.db
    .selectFrom('block')
    .select('height')
    .where('chain', '=', chain)
    .where('time', '>=', time)
    .orderBy('time')
    .orderBy('height')
    .limit(1)
    .executeTakeFirst()
  return row?.height
}

/** What an earlier time (Unix seconds) saw: the last block of each chain until then. Undefined before the genesis. */
export async function snapshotAt(
  store: Store,
  latest: Snapshot,
  time: bigint,
): Promise<Snapshot | undefined> {
  const [P, X, C] = await Promise.all([
    lastUntil(store, latest, 'P', time),
    lastUntil(store, latest, 'X', time),
    lastUntil(store, latest, 'C', time),
  ])
  if (P === undefined) return undefined
  const beginning = { height: 0n, blockId: new Uint8Array(32), time: 0n }
  return create({ P, X: X ?? beginning, C: C ?? beginning })
}

async function lastUntil(
  store: Store,
  latest: Snapshot,
  chain: Chain,
  time: bigint,
): Promise<Position | undefined> {
  if (latest[chain].time <= time) return latest[chain]
  const row = await store.db
    .selectFrom('block')
    .select(['height', 'id', 'time'])
    .where('chain', '=', chain)
    .where('time', '<=', time)
    .where('height', '<=', latest[chain].height)
    .orderBy('time', 'desc')
    .orderBy('height', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { height: row.height, blockId: row.id, time: row.time }
}
