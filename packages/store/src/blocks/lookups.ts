import type { ChainAlias } from '@firn/codec'
import { fetchFirst, fetchRows } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { BlockRow } from '../Schema.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** A block without its proposervm container. */
export interface Block {
  readonly height: bigint
  /** Id of the block (32 bytes). On the C-chain it is the hash of the EVM block. */
  readonly id: Uint8Array
  readonly parentId: Uint8Array
  /** Time of the block in Unix seconds. */
  readonly time: bigint
  readonly bytes: Uint8Array
}

/**
 * A block as accepted by consensus: the proposervm container, or the block itself if no container is known.
 */
export interface Container {
  readonly height: bigint
  readonly id: Uint8Array
  readonly bytes: Uint8Array
  /** Time of the block, in Unix seconds. */
  readonly time: bigint
  /** Time at which a node accepted the block, in nanoseconds since 1970, if known. */
  readonly acceptedAt: bigint | undefined
}

/**
 * Returns the block at a height, or undefined if the height is above the snapshot.
 *
 * @example
 * ```ts
 * import { Blocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const last = await Blocks.byHeight(store, at, 'P', at.P.height)
 * ```
 */
export async function byHeight(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  height: bigint,
): Promise<Block | undefined> {
  return height > at[chain].height ? undefined : selectBlock(store, chain, sql`height = ${height}`)
}

/**
 * Returns the block with the given id, or undefined if the snapshot does not contain it.
 *
 * @example
 * ```ts
 * import { Blocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const last = await Blocks.byId(store, at, 'P', at.P.blockId)
 * ```
 */
export function byId(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  id: Uint8Array,
): Promise<Block | undefined> {
  return selectBlock(store, chain, sql`id = ${id} and height <= ${at[chain].height}`)
}

/**
 * Returns the id of the block at a height, and the id of its container if known. Returns undefined if no such
 * block is stored.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Blocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const ids = await Blocks.idsAt(store, 'P', 21_000_000n)
 * if (ids !== undefined) console.log(Id.format(ids.id))
 * ```
 */
export function idsAt(
  store: Store,
  chain: ChainAlias,
  height: bigint,
): Promise<{ readonly id: Uint8Array; readonly containerId: Uint8Array | null } | undefined> {
  return fetchFirst(
    store,
    sql<{
      id: Uint8Array
      containerId: Uint8Array | null
    }>`select id, container_id as "containerId" from block
      where chain = ${chain} and height = ${height}`,
  )
}

/**
 * Returns the height of a chain's last block in the database, or undefined if no network is stored.
 *
 * @example
 * ```ts
 * import { Blocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const height = await Blocks.lastHeight(store, 'X')
 * ```
 */
export async function lastHeight(store: Store, chain: ChainAlias): Promise<bigint | undefined> {
  const row = await fetchFirst(
    store,
    sql<{ height: bigint }>`select height from cursor where chain = ${chain}`,
  )
  return row?.height
}

/**
 * Returns the stored rows of the blocks from height `from` (inclusive) to `until` (exclusive), in order of
 * height. No snapshot limits the result.
 *
 * @example
 * ```ts
 * import { Blocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const firstHundred = await Blocks.rows(store, 'P', 0n, 100n)
 * ```
 */
export function rows(store: Store, chain: ChainAlias, from: bigint, until: bigint): Promise<BlockRow[]> {
  return fetchRows(
    store,
    sql<BlockRow>`select * from block where chain = ${chain} and height >= ${from} and height < ${until}
      order by height`,
  )
}

/**
 * Returns the containers at the heights from `first` through `last`, in order. Containers above the snapshot
 * are left out.
 *
 * @example
 * ```ts
 * import { Blocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const containers = await Blocks.containers(store, at, 'P', 1n, 100n)
 * ```
 */
export async function containers(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  first: bigint,
  last: bigint,
): Promise<Container[]> {
  const top = last < at[chain].height ? last : at[chain].height
  if (first > top) return []
  const rows = await fetchRows(
    store,
    sql<Omit<Container, 'acceptedAt'> & { acceptedAt: bigint | null }>`
      select height, coalesce(container_id, id) as id, container as bytes, time, accepted_at as "acceptedAt" from block
      where chain = ${chain} and height >= ${first} and height <= ${top} order by height`,
  )
  return rows.map(({ acceptedAt, ...row }) => ({ ...row, acceptedAt: acceptedAt ?? undefined }))
}

/**
 * Returns the container with the given id. If the container of a block is unknown, the block's own id is
 * used. Ids of blocks inside a known container are not found.
 *
 * @example
 * ```ts
 * import { Blocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * declare const id: Uint8Array
 * const at = await store.snapshot()
 * const container = await Blocks.containerById(store, at, 'P', id)
 * ```
 */
export async function containerById(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  id: Uint8Array,
): Promise<Container | undefined> {
  const height = await heightOfContainer(store, at, chain, id)
  return height === undefined ? undefined : (await containers(store, at, chain, height, height))[0]
}

/**
 * Returns the height of the container with the given id. The id is looked up as in {@link containerById}.
 *
 * @example
 * ```ts
 * import { Blocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * declare const id: Uint8Array
 * const at = await store.snapshot()
 * const height = await Blocks.heightOfContainer(store, at, 'P', id)
 * ```
 */
export async function heightOfContainer(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  id: Uint8Array,
): Promise<bigint | undefined> {
  const row = await fetchFirst(
    store,
    sql<{ height: bigint }>`select height from block where chain = ${chain} and height <= ${at[chain].height}
      and (container_id = ${id} or (id = ${id} and container_id is null))`,
  )
  return row?.height
}

/**
 * Selects blocks. The database extracts the inner bytes, because the certificate in a container adds kilobytes.
 */
function selectBlock(
  store: Store,
  chain: ChainAlias,
  condition: RawBuilder<unknown>,
): Promise<Block | undefined> {
  return fetchFirst(
    store,
    sql<Block>`select height, id, parent_id as "parentId", time,
      substring(container from inner_offset + 1 for inner_length) as bytes from block
      where chain = ${chain} and ${condition}`,
  )
}
