import { Hex } from '@firn/codec'
import type { Vertices } from '@firn/ledger'
import { behind, fetchFirst, fetchRows, type Order, orderBy } from '@firn/sql'
import { sql } from 'kysely'
import type { Store } from '../Store.ts'

/** A vertex of the X-chain. */
export interface Vertex {
  /** Index in the order in which the vertices were applied, from 0. */
  readonly position: number
  readonly id: Uint8Array
  readonly height: bigint
  readonly bytes: Uint8Array
  /**
   * Time at which the node behind the source accepted the vertex, in nanoseconds since the Unix epoch; null if it is not
   * known, as for vertices from peers.
   */
  readonly acceptedAt: bigint | null
}

/** Number of stored vertices, and the part of their transactions that is complete. */
export interface Extent {
  readonly vertices: number
  /** Position of the first transaction of a vertex at height 0 of the X-chain, after the transactions of the genesis. */
  readonly first: number
  /** Number of transactions from `first` on, up to the first one that waits for outputs that it spends. */
  readonly transactions: number
}

const COLUMNS = sql`position, id, height, bytes, accepted_at as "acceptedAt"`

/**
 * Returns what `Vertices.apply` of `@firn/ledger` needs to know about stored vertices and transactions.
 *
 * @example
 * ```ts
 * import type { Vertices as LedgerVertices } from '@firn/ledger'
 * import { type Store, Vertices } from '@firn/store'
 *
 * declare const store: Store
 * declare const next: readonly LedgerVertices.Decoded[]
 * const known = await Vertices.known(store, next)
 * ```
 */
export async function known(store: Store, vertices: readonly Vertices.Decoded[]): Promise<Vertices.Known> {
  const ids = vertices.flatMap(({ id, parentIds }) => [id, ...parentIds])
  const txIds = vertices.flatMap(({ txs }) => txs.map(({ id }) => id))
  const found = await fetchRows(
    store,
    sql<{ id: Uint8Array }>`select id from vertex where id = any(${sql.val(ids)}::bytea[])`,
  )
  const positions = await fetchRows(
    store,
    sql<{ id: Uint8Array; position: number }>`select id, position from transaction
      where chain = 'X' and height = 0 and id = any(${sql.val(txIds)}::bytea[])`,
  )
  return {
    vertices: new Set(found.map(({ id }) => Hex.encodeBare(id))),
    transactions: new Map(positions.map(({ id, position }) => [Hex.encodeBare(id), position])),
  }
}

/**
 * Returns a vertex that no other vertex has as a parent, other than the one given. After the last vertex, all others
 * must have children.
 *
 * @example
 * ```ts
 * import { type Store, Vertices } from '@firn/store'
 *
 * declare const store: Store
 * declare const stopVertexId: Uint8Array
 * const stray = await Vertices.childless(store, stopVertexId)
 * ```
 */
export async function childless(store: Store, exceptId: Uint8Array): Promise<Uint8Array | undefined> {
  const row = await fetchFirst(
    store,
    sql<{ id: Uint8Array }>`select id from vertex where id <> ${exceptId}
      except select unnest(parent_ids) from vertex limit 1`,
  )
  return row?.id
}

/**
 * Returns the vertices with positions from `first` through `last`.
 *
 * @example
 * ```ts
 * import { type Store, Vertices } from '@firn/store'
 *
 * declare const store: Store
 * const vertices = await Vertices.range(store, 0, 99)
 * ```
 */
export function range(store: Store, first: number, last: number): Promise<Vertex[]> {
  return fetchRows(
    store,
    sql<Vertex>`select ${COLUMNS} from vertex where position between ${first} and ${last} order by position`,
  )
}

/**
 * Returns up to `limit` vertices after the given one, in ascending order of height, then of id.
 *
 * @example
 * ```ts
 * import { type Store, Vertices } from '@firn/store'
 *
 * declare const store: Store
 * const [first] = await Vertices.from(store, undefined, 1)
 * const next = await Vertices.from(store, first, 100)
 * ```
 */
export function from(
  store: Store,
  after: Pick<Vertex, 'id' | 'height'> | undefined,
  limit: number,
): Promise<Vertex[]> {
  const { height = -1n, id = new Uint8Array() } = after ?? {}
  return fetchRows(
    store,
    sql<Vertex>`select ${COLUMNS} from vertex where height >= ${height}::bigint
      and (height, id) > (${height}::bigint, ${id}::bytea) order by height, id limit ${limit}`,
  )
}

/**
 * Returns the vertex with the given id, or undefined if it is not stored.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { type Store, Vertices } from '@firn/store'
 *
 * declare const store: Store
 * const id = Id.parse('jrGWDh5Po9FMj54depyunNixpia5PN4aAYxfmNzU8n752Rjga')
 * const vertex = await Vertices.byId(store, id)
 * ```
 */
export function byId(store: Store, id: Uint8Array): Promise<Vertex | undefined> {
  return fetchFirst(store, sql<Vertex>`select ${COLUMNS} from vertex where id = ${id}`)
}

/**
 * Returns the number of stored vertices and of their transactions.
 *
 * @example
 * ```ts
 * import { type Store, Vertices } from '@firn/store'
 *
 * declare const store: Store
 * const { vertices, transactions } = await Vertices.extent(store)
 * ```
 */
export async function extent(store: Store): Promise<Extent> {
  const row = await fetchFirst(
    store,
    sql<Extent>`with bounds as (select
        coalesce((select max(position) from vertex), -1) + 1 as vertices,
        (select min(position) from vertex_transaction) as first,
        coalesce((select min(position) from waiting_transaction),
          (select max(position) + 1 from transaction where chain = 'X' and height = 0)) as "end")
      select vertices, coalesce(first, 0) as first, coalesce("end" - first, 0) as transactions from bounds`,
  )
  return row ?? { vertices: 0, first: 0, transactions: 0 }
}

/**
 * Returns the vertices that contain transactions, by the position of the transaction at height 0 of the X-chain. The
 * vertices of a transaction are in the order in which they were applied.
 *
 * @example
 * ```ts
 * import { type Store, Vertices } from '@firn/store'
 *
 * declare const store: Store
 * const vertices = (await Vertices.ofTransactions(store, [1, 2])).get(1)
 * ```
 */
export async function ofTransactions(
  store: Store,
  positions: readonly number[],
): Promise<ReadonlyMap<number, readonly Omit<Vertex, 'bytes'>[]>> {
  type Row = Omit<Vertex, 'bytes'> & { readonly transaction: number }
  const rows = await fetchRows(
    store,
    sql<Row>`select t.position as transaction, v.position, v.id, v.height, v.accepted_at as "acceptedAt"
      from vertex_transaction t
      join vertex v on v.position = t.vertex where t.position = any(${sql.val([...positions])}::int4[])
      order by t.position, v.position`,
  )
  return Map.groupBy(rows, ({ transaction }) => transaction)
}

/** A transaction of a vertex. */
export interface VertexTransaction {
  /** Position at height 0 of the X-chain. */
  readonly position: number
  readonly id: Uint8Array
  /** Bytes of the signed transaction. */
  readonly bytes: Uint8Array
  /** Earliest time at which the node accepted one of its vertices; null if it is not known. */
  readonly acceptedAt: bigint | null
}

/**
 * Returns the transactions with positions from `first` through `last` at height 0 of the X-chain.
 *
 * @example
 * ```ts
 * import { type Store, Vertices } from '@firn/store'
 *
 * declare const store: Store
 * const { first, transactions } = await Vertices.extent(store)
 * const all = await Vertices.transactions(store, first, first + transactions - 1)
 * ```
 */
export function transactions(store: Store, first: number, last: number): Promise<VertexTransaction[]> {
  return fetchRows(
    store,
    sql<VertexTransaction>`select position, id, bytes, (select min(v.accepted_at) from vertex_transaction t
        join vertex v on v.position = t.vertex where t.position = transaction.position) as "acceptedAt" from transaction
      where chain = 'X' and height = 0 and position between ${first} and ${last} order by position`,
  )
}

/** A page of vertices. A vertex must match all filters. */
export interface Query {
  /** Height that the vertices declare; undefined for vertices of all heights. */
  readonly height: bigint | undefined
  /** Position of the vertex after which the page starts. */
  readonly after: number | undefined
  readonly order: Order
  readonly limit: number
}

/**
 * Returns a page of vertices, sorted by the order in which they were applied.
 *
 * @example
 * ```ts
 * import { type Store, Vertices } from '@firn/store'
 *
 * declare const store: Store
 * const newest = await Vertices.page(store, { height: undefined, after: undefined, order: 'desc', limit: 10 })
 * ```
 */
export function page(store: Store, { height, after, order, limit }: Query): Promise<Vertex[]> {
  const position = sql`position`
  const conditions = [
    behind([position], after === undefined ? undefined : [after], order),
    ...(height === undefined ? [] : [sql`height = ${height}`]),
  ]
  return fetchRows(
    store,
    sql<Vertex>`select ${COLUMNS} from vertex where ${sql.join(conditions, sql` and `)}
      ${orderBy([position], order)} limit ${limit}`,
  )
}
