import { Hex } from '@firn/codec'
import { fetchFirst, fetchRows, TableRows } from '@firn/sql'
import { sql } from 'kysely'
import { type Database, TABLES } from './Schema.ts'
import type { Store } from './Store.ts'

/** A vertex of the X-chain that was fetched from a peer or a node. */
export interface FetchedVertex {
  /** SHA-256 of `bytes` (32 bytes). */
  readonly id: Uint8Array
  readonly height: bigint
  readonly parentIds: readonly Uint8Array[]
  readonly bytes: Uint8Array
  /** Time at which the node accepted it, in nanoseconds since the Unix epoch; undefined if it is not known. */
  readonly acceptedAt?: bigint | undefined
}

type Row = Database['fetched_vertex']

/**
 * Stores fetched vertices in one transaction. None of them may be stored yet.
 *
 * @example
 * ```ts
 * import { FetchedVertices, type Store } from '@firn/store'
 *
 * declare const store: Store
 * declare const vertices: readonly FetchedVertices.FetchedVertex[]
 * await FetchedVertices.put(store, vertices)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`, `STORE_QUERY`
 */
export async function put(store: Store, vertices: readonly FetchedVertex[]): Promise<void> {
  if (vertices.length === 0) return
  const rows = new TableRows<Row>('fetched_vertex', TABLES.fetched_vertex)
  for (const { id, height, parentIds, bytes, acceptedAt = null } of vertices) {
    rows.add({ id, height, parent_ids: [...parentIds], bytes, accepted_at: acceptedAt })
  }
  await store.driver.transaction((session) => session.copy(rows.target, rows.finish()))
}

/**
 * Returns the fetched vertices with the given ids, in their order; undefined for those that are not stored.
 *
 * @example
 * ```ts
 * import { FetchedVertices, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const [vertex] = await FetchedVertices.get(store, [new Uint8Array(32)]) // undefined
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function get(
  store: Store,
  ids: readonly Uint8Array[],
): Promise<readonly (FetchedVertex | undefined)[]> {
  if (ids.length === 0) return []
  const rows = await fetchRows(
    store,
    sql<Row>`select * from fetched_vertex where id = any(${sql.val(ids)}::bytea[])`,
  )
  const byId = new Map(rows.map((row) => [Hex.encodeBare(row.id), toVertex(row)]))
  return ids.map((id) => byId.get(Hex.encodeBare(id)))
}

/**
 * Returns up to `limit` different ids of parents of fetched vertices that are not fetched themselves.
 *
 * @example
 * ```ts
 * import { FetchedVertices, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const ids = await FetchedVertices.missing(store, 1_000)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function missing(store: Store, limit: number): Promise<readonly Uint8Array[]> {
  const rows = await fetchRows(
    store,
    sql<{
      id: Uint8Array
    }>`select distinct parent.id from fetched_vertex child, unnest(child.parent_ids) as parent (id)
      where not exists (select from fetched_vertex stored where stored.id = parent.id) limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}

/**
 * Returns up to `limit` fetched vertices after the given one, in ascending order of height, then of id.
 *
 * @example
 * ```ts
 * import { FetchedVertices, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const first = await FetchedVertices.page(store, undefined, 100)
 * const second = await FetchedVertices.page(store, first.at(-1), 100)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function page(
  store: Store,
  after: Pick<FetchedVertex, 'height' | 'id'> | undefined,
  limit: number,
): Promise<FetchedVertex[]> {
  const { height = -1n, id = new Uint8Array() } = after ?? {}
  const rows = await fetchRows(
    store,
    sql<Row>`select * from fetched_vertex where (height, id) > (${height}::bigint, ${id}::bytea)
      order by height, id limit ${limit}`,
  )
  return rows.map(toVertex)
}

/**
 * Returns the number of fetched vertices.
 *
 * @example
 * ```ts
 * import { FetchedVertices, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const count = await FetchedVertices.count(store)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function count(store: Store): Promise<number> {
  const row = await fetchFirst(store, sql<{ count: bigint }>`select count(*) as count from fetched_vertex`)
  return Number(row?.count ?? 0n)
}

/**
 * Deletes all fetched vertices.
 *
 * @example
 * ```ts
 * import { FetchedVertices, type Store } from '@firn/store'
 *
 * declare const store: Store
 * await FetchedVertices.clear(store)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function clear(store: Store): Promise<void> {
  await fetchRows(store, sql`truncate fetched_vertex`)
}

function toVertex({ id, height, parent_ids: parentIds, bytes, accepted_at: acceptedAt }: Row): FetchedVertex {
  return { id, height, parentIds, bytes, ...(acceptedAt === null ? {} : { acceptedAt }) }
}
