import type { ChainAlias } from '@firn/codec'
import { fetchFirst } from '@firn/sql'
import { sql } from 'kysely'
import { create, type Position, type Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/**
 * Returns the height of a chain's first block at or after a time (Unix seconds), or undefined if there is none yet.
 * Block times never decrease.
 *
 * @example
 * ```ts
 * import { Blocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const height = await Blocks.firstSince(store, 'P', 1_767_225_600n)
 * ```
 */
export async function firstSince(store: Store, chain: ChainAlias, time: bigint): Promise<bigint | undefined> {
  const row = await fetchFirst(
    store,
    sql<{ height: bigint }>`select height from block where chain = ${chain} and time >= ${time}
      order by time, height limit 1`,
  )
  return row?.height
}

/**
 * Returns the snapshot as of an earlier time (Unix seconds): the last block of each chain at or before that
 * time. Returns undefined for a time before the genesis. Before the linearization of an X-chain that had vertices, the
 * height of the X-chain is -1, because height 0 contains all of its vertices.
 *
 * @example
 * ```ts
 * import { Blocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const earlier = await Blocks.snapshotAt(store, await store.snapshot(), 1_767_225_600n)
 * console.log(earlier?.P.height)
 * ```
 */
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
  const linearized = X ?? { ...beginning, height: (await hasVertices(store)) ? -1n : 0n }
  return create({ P, X: linearized, C: C ?? beginning })
}

async function hasVertices(store: Store): Promise<boolean> {
  return (await fetchFirst(store, sql`select 1 from vertex limit 1`)) !== undefined
}

async function lastUntil(
  store: Store,
  latest: Snapshot,
  chain: ChainAlias,
  time: bigint,
): Promise<Position | undefined> {
  if (latest[chain].time <= time) return latest[chain]
  return fetchFirst(
    store,
    sql<Position>`select height, id as "blockId", time from block
      where chain = ${chain} and time <= ${time} and height <= ${latest[chain].height}
      order by time desc, height desc limit 1`,
  )
}
