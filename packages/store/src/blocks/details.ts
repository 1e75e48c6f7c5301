import type { ChainAlias } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { behind, fetchRows, type Order, orderBy, prepared } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import { completeFrom } from '../Derivation.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import { firstSince } from './times.ts'

/** A block with the state of the ledger after it. */
export interface Details {
  readonly height: bigint
  /** Id of the inner block; on the C-chain the hash of the EVM block. */
  readonly id: Uint8Array
  readonly parentId: Uint8Array
  /** Time of the block in Unix seconds. */
  readonly time: bigint
  /** Bytes of the inner block, without its proposervm container. */
  readonly bytes: Uint8Array
  /** The proposervm container and its id, if known. */
  readonly container: { readonly id: Uint8Array; readonly bytes: Uint8Array } | undefined
  /** Time, gas, fees and number of active L1 validators after a P-chain block; undefined for other chains. */
  readonly state: RecordCodec.PlatformState | undefined
  /** Supply of AVAX after a P-chain block, in nAVAX; undefined for other chains. */
  readonly supply: bigint | undefined
}

/** The filters and the order of a page of blocks. */
export interface Query {
  /** Start of the range of block times in Unix seconds, inclusive; `until` is its exclusive end. */
  readonly from: bigint | undefined
  readonly until: bigint | undefined
  readonly after: bigint | undefined
  readonly order: Order
  readonly limit: number
}

/**
 * Returns a page of a chain's blocks, sorted by height.
 *
 * @example
 * ```ts
 * import { Blocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const query = { from: undefined, until: undefined, after: undefined, order: 'desc', limit: 25 } as const
 * const newest = await Blocks.page(store, at, 'P', query)
 * ```
 */
export async function page(store: Store, at: Snapshot, chain: ChainAlias, query: Query): Promise<Details[]> {
  const conditions = await heightsWithin(store, chain, query)
  return conditions === undefined ? [] : select(store, at, chain, conditions, pageOf(query))
}

/** Returns the conditions of a page's heights; undefined if no block matches. */
async function heightsWithin(
  store: Store,
  chain: ChainAlias,
  { from, until, after, order }: Query,
): Promise<RawBuilder<unknown>[] | undefined> {
  const [first, end] = await Promise.all(
    [from, until].map((time) => (time === undefined ? undefined : firstSince(store, chain, time))),
  )
  if (from !== undefined && first === undefined) return undefined
  return [
    ...(first === undefined ? [] : [sql`height >= ${first}`]),
    ...(end === undefined ? [] : [sql`height < ${end}`]),
    behind([sql`height`], after === undefined ? undefined : [after], order),
  ]
}

function pageOf({ order, limit }: Query): RawBuilder<unknown> {
  return sql`${orderBy([sql`height`], order)} limit ${limit}`
}

/** Filters, order and size of a page of blocks that a node proposed. */
export interface ProposedQuery extends Query {
  readonly nodeId: Uint8Array
}

/**
 * Returns a page of the blocks that a node proposed. Blocks whose proposers are not derived yet are left out, see
 * `Derivation.completeFrom`.
 *
 * @example
 * ```ts
 * import { NodeId } from '@firn/codec'
 * import { Blocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const query = { from: undefined, until: undefined, after: undefined, order: 'desc', limit: 10 } as const
 * const nodeId = NodeId.parse('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')
 * const newest = await Blocks.proposedBy(store, at, 'P', { ...query, nodeId })
 * ```
 */
export async function proposedBy(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  { nodeId, ...query }: ProposedQuery,
): Promise<Details[]> {
  const within = await heightsWithin(store, chain, query)
  if (within === undefined) return []
  const complete = await completeFrom(store, 'proposal', chain)
  const conditions = [sql`height <= ${at[chain].height}`, sql`height >= ${complete}`, ...within]
  const rows = await fetchRows(
    store,
    sql<{ height: bigint }>`select height from proposal where node_id = ${nodeId} and chain = ${chain}
      and ${sql.join(conditions, sql` and `)} ${pageOf(query)}`,
  )
  if (rows.length === 0) return []
  const heights = sql.val(rows.map(({ height }) => String(height)))
  return select(
    store,
    at,
    chain,
    [sql`height = any(${heights}::bigint[])`],
    orderBy([sql`height`], query.order),
  )
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
 * const block = await Blocks.detailsByHeight(store, at, 'P', 21_000_000n)
 * console.log(block?.time)
 * ```
 */
export async function detailsByHeight(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  height: bigint,
): Promise<Details | undefined> {
  const [found] = await select(store, at, chain, [sql`height = ${height}`], sql``)
  return found
}

/**
 * Returns the block whose own id or container id is `id`, or undefined if the snapshot does not contain it.
 *
 * @example
 * ```ts
 * import { Blocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * declare const id: Uint8Array
 * const at = await store.snapshot()
 * const block = await Blocks.detailsById(store, at, 'P', id)
 * ```
 */
export async function detailsById(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  id: Uint8Array,
): Promise<Details | undefined> {
  const [found] = await select(store, at, chain, [sql`(id = ${id} or container_id = ${id})`], sql`limit 1`)
  return found
}

/**
 * Returns the ids of the transactions in the blocks at the given heights, sorted by height and position. Transactions of
 * vertices are in no block, although they are at height 0 of the X-chain.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Blocks, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const ids = await Blocks.transactionIds(store, at, 'P', [20_999_999n, 21_000_000n])
 * console.log(ids.get(21_000_000n)?.map(Id.format))
 * ```
 */
export async function transactionIds(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  heights: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly Uint8Array[]>> {
  const later = heights.filter((height) => height > 0n || chain !== 'X')
  if (later.length < heights.length) {
    const first = await genesisIds(store)
    return new Map([...(await transactionIds(store, at, chain, later)), [0n, first]])
  }
  if (heights.length === 0) return new Map()
  const rows = await fetchRows(
    store,
    sql<{ height: bigint; id: Uint8Array }>`
    select height, id from transaction where chain = ${chain}
      and height = any(${sql.val(heights.map(String))}::bigint[]) and decided_height <= ${at[chain].height}
    order by height, position`,
  )
  const byHeight = Map.groupBy(rows, ({ height }) => height)
  return new Map([...byHeight].map(([height, some]) => [height, some.map(({ id }) => id)]))
}

/** Returns the ids of the transactions of the X-chain's genesis. */
async function genesisIds(store: Store): Promise<Uint8Array[]> {
  const rows = await fetchRows(
    store,
    sql<{ id: Uint8Array }>`select id from transaction where chain = 'X' and height = 0
      and position < coalesce((select min(position) from vertex_transaction), 2147483647) order by position`,
  )
  return rows.map(({ id }) => id)
}

interface Row extends Omit<Details, 'container' | 'state' | 'supply'> {
  readonly containerId: Uint8Array | null
  readonly container: Uint8Array
  readonly state: Uint8Array | null
  readonly supply: Uint8Array | null
}

async function select(
  store: Store,
  at: Snapshot,
  chain: ChainAlias,
  conditions: readonly RawBuilder<unknown>[],
  rest: RawBuilder<unknown>,
): Promise<Details[]> {
  const where = [sql`chain = ${chain}`, sql`height <= ${at[chain].height}`, ...conditions]
  const supply =
    chain === 'P'
      ? sql`(select body from supply as supply where supply.key = ${Networks.PRIMARY_NETWORK_ID}
          and supply.since <= block.height order by supply.since desc limit 1)`
      : sql`null::bytea`
  const rows = await fetchRows(
    store,
    sql<Row>`
    ${prepared} select height, id, parent_id as "parentId", time, container_id as "containerId", container, state, ${supply} as supply,
      substring(container from inner_offset + 1 for inner_length) as bytes
    from block as block where ${sql.join(where, sql` and `)} ${rest}`,
  )
  return rows.map(({ containerId, container, state, supply, ...row }) => ({
    ...row,
    container: containerId === null ? undefined : { id: containerId, bytes: container },
    state: state === null ? undefined : RecordCodec.platformState.decode(state),
    supply: supply === null ? undefined : RecordCodec.supply.decode(supply).supply,
  }))
}
