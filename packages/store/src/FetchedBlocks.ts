import type { ChainAlias } from '@firn/codec'
import { fetchFirst, fetchRows, TableRows } from '@firn/sql'
import { sql } from 'kysely'
import { type Database, TABLES } from './Schema.ts'
import type { Store } from './Store.ts'

/** A block that was fetched from a peer and is not applied yet. */
export interface FetchedBlock {
  readonly height: bigint
  /** Id (32 bytes) of the container, or of the bare block from before proposervm. */
  readonly id: Uint8Array
  readonly parentId: Uint8Array
  readonly bytes: Uint8Array
}

/** Heights from `from` to `to`, both included. */
export interface FetchedInterval {
  readonly from: bigint
  readonly to: bigint
}

type Row = Database['fetched_block']

/**
 * Returns the heights of a chain's fetched blocks as ascending intervals that do not touch each other. Reads the keys
 * of all fetched blocks of the chain.
 *
 * @example
 * ```ts
 * import { FetchedBlocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const intervals = await FetchedBlocks.intervals(store, 'P')
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function intervals(store: Store, chain: ChainAlias): Promise<FetchedInterval[]> {
  return fetchRows(
    store,
    sql<FetchedInterval>`select min(height) as "from", max(height) as "to" from (
        select height, height - row_number() over (order by height) as island
        from fetched_block where chain = ${chain}
      ) as heights group by island order by 1`,
  )
}

/**
 * Stores fetched blocks of a chain in one transaction. None of their heights may be stored yet.
 *
 * @example
 * ```ts
 * import { FetchedBlocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * declare const blocks: readonly FetchedBlocks.FetchedBlock[]
 * await FetchedBlocks.put(store, 'P', blocks)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`, `STORE_QUERY`
 */
export async function put(store: Store, chain: ChainAlias, blocks: readonly FetchedBlock[]): Promise<void> {
  if (blocks.length === 0) return
  const rows = new TableRows<Row>('fetched_block', TABLES.fetched_block)
  for (const { height, id, parentId, bytes } of blocks) {
    rows.add({ chain, height, id, parent_id: parentId, bytes })
  }
  await store.driver.transaction((session) => session.copy(rows.target, rows.finish()))
}

/**
 * Returns the fetched blocks from a height up to the first gap, ascending: at most `limit` blocks, and no more after
 * `maxBytes` bytes, but at least one block if there is one.
 *
 * @example
 * ```ts
 * import { FetchedBlocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const blocks = await FetchedBlocks.range(store, 'P', 1n, 512)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function range(
  store: Store,
  chain: ChainAlias,
  from: bigint,
  limit: number,
  maxBytes = 16 << 20,
): Promise<FetchedBlock[]> {
  const rows = await fetchRows(
    store,
    sql<Row>`select chain, height, id, parent_id, bytes from (
        select *, sum(octet_length(bytes)) over (order by height) - octet_length(bytes) as before
        from fetched_block where chain = ${chain} and height >= ${from} and height < ${from + BigInt(limit)}
      ) as blocks where before < ${maxBytes} order by height`,
  )
  const gap = rows.findIndex(({ height }, i) => height !== from + BigInt(i))
  return (gap < 0 ? rows : rows.slice(0, gap)).map(toBlock)
}

/**
 * Returns the fetched block at a height, or undefined if there is none.
 *
 * @example
 * ```ts
 * import { FetchedBlocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const block = await FetchedBlocks.byHeight(store, 'P', 1n)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function byHeight(
  store: Store,
  chain: ChainAlias,
  height: bigint,
): Promise<FetchedBlock | undefined> {
  const row = await fetchFirst(
    store,
    sql<Row>`select * from fetched_block where chain = ${chain} and height = ${height}`,
  )
  return row && toBlock(row)
}

/**
 * Returns the fetched block with an id, or undefined if there is none.
 *
 * @example
 * ```ts
 * import { FetchedBlocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const block = await FetchedBlocks.byId(store, 'P', new Uint8Array(32)) // undefined
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function byId(
  store: Store,
  chain: ChainAlias,
  id: Uint8Array,
): Promise<FetchedBlock | undefined> {
  const row = await fetchFirst(
    store,
    sql<Row>`select * from fetched_block where id = ${id} and chain = ${chain} limit 1`,
  )
  return row && toBlock(row)
}

/**
 * Deletes the fetched blocks of an interval of heights.
 *
 * @example
 * ```ts
 * import { FetchedBlocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const { P } = await store.snapshot()
 * await FetchedBlocks.remove(store, 'P', { from: 0n, to: P.height })
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function remove(store: Store, chain: ChainAlias, { from, to }: FetchedInterval): Promise<void> {
  await fetchRows(
    store,
    sql`delete from fetched_block where chain = ${chain} and height >= ${from} and height <= ${to}`,
  )
}

/**
 * Makes the space of deleted blocks available again. An embedded database does not do so by itself.
 *
 * @example
 * ```ts
 * import { FetchedBlocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * await FetchedBlocks.reclaim(store)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function reclaim(store: Store): Promise<void> {
  if (!store.driver.isShared) await fetchRows(store, sql`vacuum fetched_block`)
}

function toBlock({ height, id, parent_id: parentId, bytes }: Row): FetchedBlock {
  return { height, id, parentId, bytes }
}
