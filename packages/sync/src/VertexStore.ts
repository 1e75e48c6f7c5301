/** A vertex of the X-chain's DAG with the id that was asked for. */
export interface StoredVertex {
  /** SHA-256 of `bytes` (32 bytes). */
  readonly id: Uint8Array
  /** The height that the vertex declares: at least one above its highest parent, 0 without parents. */
  readonly height: bigint
  readonly parentIds: readonly Uint8Array[]
  readonly bytes: Uint8Array
}

/**
 * The vertices of the X-chain's DAG. The store is the only memory of a fetch: after a kill, the next one continues with
 * what the store has. Every stored vertex is an ancestor of the stop vertex, or the stop vertex itself.
 */
export interface VertexStore {
  /** Stores vertices that are not stored yet. After a kill, all or none of them are stored. */
  put(vertices: readonly StoredVertex[]): Promise<void>
  /** Returns the vertices with the given ids, in their order; undefined for those that are not stored. */
  get(ids: readonly Uint8Array[]): Promise<readonly (StoredVertex | undefined)[]>
  /** Returns up to `limit` different ids of parents of stored vertices that are not stored themselves. */
  missing(limit: number): Promise<readonly Uint8Array[]>
  /** Returns up to `limit` vertices after the given one in ascending order of height, then of id. */
  page(
    after: Pick<StoredVertex, 'height' | 'id'> | undefined,
    limit: number,
  ): Promise<readonly StoredVertex[]>
  /** Returns the number of stored vertices. */
  count(): Promise<number>
}
