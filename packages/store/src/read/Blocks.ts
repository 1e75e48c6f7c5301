import { sql } from 'kysely'
import type { Chain } from '../Schema.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** A block of a chain, without what consensus put around it. */
export interface Block {
  readonly height: bigint
  /** 32 bytes; on the C-chain the EVM block's hash. */
  readonly id: Uint8Array
  readonly parentId: Uint8Array
  /** Unix seconds. */
  readonly time: bigint
  readonly bytes: Uint8Array
}

/** A block as consensus accepted it: its proposervm container, or the block itself where no container is known. */
export interface Container {
  readonly height: bigint
  readonly id: Uint8Array
  readonly bytes: Uint8Array
  /** The block's time, Unix seconds. */
  readonly time: bigint
  /** When a node accepted it, nanoseconds since 1970, where that is known. */
  readonly acceptedAt: bigint | undefined
}

/** The block at a height; undefined above the snapshot. */
export async function byHeight(
  store: Store,
  at: Snapshot,
  chain: Chain,
  height: bigint,
): Promise<Block | undefined> {
  if (height > at[chain].height) return undefined
  return blocks(store, chain).where('height', '=', height).executeTakeFirst()
}

/** The block with an id; undefined where the snapshot has none. */
export async function byId(
  store: Store,
  at: Snapshot,
  chain: Chain,
  id: Uint8Array,
): Promise<Block | undefined> {
  return blocks(store, chain).where('id', '=', id).where('height', '<=', at[chain].height).executeTakeFirst()
}

/** The containers at heights from `first` to `last`, both included, in order; those above the snapshot are left out. */
export async function containers(
  store: Store,
  at: Snapshot,
  chain: Chain,
  first: bigint,
  last: bigint,
): Promise<Container[]> {
  const top = last < at[chain].height ? last : at[chain].height
  if (first > top) return []
  return containersOf(store, chain)
    .where('height', '>=', first)
    .where('height', '<=', top)
    .orderBy('height')
    .execute()
    .then((rows) => rows.map(container))
}

/** The container with an id, which is its block's id where no container is known. Ids of blocks inside containers are not found. */
export async function containerById(
  store: Store,
  at: Snapshot,
  chain: Chain,
  id: Uint8Array,
): Promise<Container | undefined> {
  const height = await heightOfContainer(store, at, chain, id)
  return height === undefined ? undefined : (await containers(store, at, chain, height, height))[0]
}

/** The height of the container with an id, as {@link containerByID} finds it. */
export async function heightOfContainer(
  store: Store,
  at: Snapshot,
  chain: Chain,
  id: Uint8Array,
): Promise<bigint | undefined> {
  const row = await store.db
    .selectFrom('block')
    .select('height')
    .where('chain', '=', chain)
    .where('height', '<=', at[chain].height)
    .where((or) =>
      or.or([or('container_id', '=', id), or.and([or('id', '=', id), or('container_id', 'is', null)])]),
    )
    .executeTakeFirst()
  return row?.height
}

/** The inner bytes are cut out by the database: a container has kilobytes of certificate around them. */
function blocks(store: Store, chain: Chain) {
  return store.db
    .selectFrom('block')
    .select([
      'height',
      'id',
      'parent_id as parentId',
      'time',
      sql<Uint8Array>`substring(container from inner_offset + 1 for inner_length)`.as('bytes'),
    ])
    .where('chain', '=', chain)
}

function containersOf(store: Store, chain: Chain) {
  return store.db
    .selectFrom('block')
    .select(['height', 'id as blockId', 'container_id', 'container as bytes', 'time', 'accepted_at'])
    .where('chain', '=', chain)
}

interface ContainerRow {
  readonly height: bigint
  readonly blockId: Uint8Array
  readonly container_id: Uint8Array | null
  readonly bytes: Uint8Array
  readonly time: bigint
  readonly accepted_at: bigint | null
}

function container({ height, blockId, container_id, bytes, time, accepted_at }: ContainerRow): Container {
  return { height, id: container_id ?? blockId, bytes, time, acceptedAt: accepted_at ?? undefined }
}
