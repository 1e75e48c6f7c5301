import type { Records } from '@firn/ledger'
import { fetchRecords, fetchRows, type PageQuery, pageBy } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import { containingBlock } from '../internal/containingBlock.ts'
import { anyOf, holdsAt } from '../internal/holding.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/**
 * Returns the blockchain with the given id, or undefined if the snapshot does not contain it. The P-chain is not
 * stored as a blockchain.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Blockchains, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const blockchainId = Id.parse('2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5')
 * const blockchain = await Blockchains.byId(store, at, blockchainId)
 * ```
 */
export async function byId(
  store: Store,
  at: Snapshot,
  blockchainId: Uint8Array,
): Promise<Records.Chain | undefined> {
  return (await select(store, at, sql`where blockchain.key = ${blockchainId} and`))[0]
}

/**
 * Returns the blockchains of a subnet, newest first.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Blockchains, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const subnetId = Id.parse('p433wpuXyJiDhyazPYyZMJeaoPSW76CBZ2x7wrVPLgvokotXz')
 * const blockchains = await Blockchains.bySubnet(store, at, subnetId)
 * ```
 */
export function bySubnet(store: Store, at: Snapshot, subnetId: Uint8Array): Promise<Records.Chain[]> {
  return select(store, at, sql`where blockchain.subnet_id = ${subnetId} and`, NEWEST_FIRST)
}

/**
 * Returns all blockchains grouped by subnet, newest subnet first and the Primary Network last. Within a
 * subnet the newest blockchain comes first.
 *
 * @example
 * ```ts
 * import { Blockchains, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const count = (await Blockchains.all(store, at)).length
 * ```
 */
export function all(store: Store, at: Snapshot): Promise<Records.Chain[]> {
  const subnets = sql`left join subnet on subnet.key = blockchain.subnet_id and ${holdsAt(at.P.height, 'subnet')} where`
  return select(
    store,
    at,
    subnets,
    sql`order by subnet.created_height desc nulls last, subnet.created_ordinal desc nulls last,
      blockchain.created_height desc, blockchain.created_ordinal desc`,
  )
}

/**
 * Returns the ids of a subnet's blockchains as of the newest block, oldest first.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Blockchains, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const ids = await Blockchains.currentIds(store, Id.EMPTY) // of the Primary Network
 * ```
 */
export async function currentIds(store: Store, subnetId: Uint8Array): Promise<Uint8Array[]> {
  const rows = await fetchRows(
    store,
    sql<{ key: Uint8Array }>`select key from blockchain where subnet_id = ${subnetId} and until is null
      order by created_height, created_ordinal`,
  )
  return rows.map(({ key }) => key)
}

const NEWEST_FIRST = sql`order by blockchain.created_height desc, blockchain.created_ordinal desc`

function select(store: Store, at: Snapshot, condition: RawBuilder<unknown>, order = sql``) {
  return fetchRecords(
    store,
    RecordCodec.chain,
    sql`select blockchain.body from blockchain ${condition} ${holdsAt(at.P.height, 'blockchain')} ${order}`,
  )
}

/** A blockchain with the block that contains its transaction. */
export interface Details {
  readonly chain: Records.Chain
  /** Height of the block; 0 for the genesis. */
  readonly blockHeight: bigint
  /** Time of the block in Unix seconds. */
  readonly time: bigint
}

/**
 * Returns a page of blockchains, sorted by creation. The P-chain is not included.
 *
 * @example
 * ```ts
 * import { Blockchains, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const newest = await Blockchains.page(store, at, { after: undefined, order: 'desc', limit: 25 })
 * ```
 */
export function page(store: Store, at: Snapshot, query: PageQuery): Promise<Details[]> {
  return selectDetails(store, at, ...pageBy([sql`created_height`, sql`created_ordinal`], query))
}

/**
 * Returns the blockchain with the given id, or undefined if the snapshot does not contain it.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Blockchains, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const blockchainId = Id.parse('2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5')
 * const details = await Blockchains.detailsById(store, at, blockchainId)
 * ```
 */
export async function detailsById(store: Store, at: Snapshot, id: Uint8Array): Promise<Details | undefined> {
  return (await selectDetails(store, at, sql`key = ${id}`))[0]
}

/**
 * Returns the blockchains of the given subnets, newest first.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { Blockchains, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const subnetId = Id.parse('p433wpuXyJiDhyazPYyZMJeaoPSW76CBZ2x7wrVPLgvokotXz')
 * const details = await Blockchains.detailsBySubnets(store, at, [subnetId])
 * ```
 */
export async function detailsBySubnets(
  store: Store,
  at: Snapshot,
  subnetIds: readonly Uint8Array[],
): Promise<Details[]> {
  if (subnetIds.length === 0) return []
  return selectDetails(store, at, sql`subnet_id = ${anyOf(subnetIds)}`, NEWEST_FIRST)
}

/**
 * Selects blockchains. A blockchain never changes, so its only version starts at the block that created it.
 */
async function selectDetails(store: Store, at: Snapshot, condition: RawBuilder<unknown>, order = sql``) {
  const rows = await fetchRows(
    store,
    sql<{ body: Uint8Array; blockHeight: bigint; time: bigint }>`
      select blockchain.body, ${containingBlock(sql`'P'`, sql`blockchain.since`)} as "blockHeight", block.time from blockchain
      join block on block.height = blockchain.since and block.chain = 'P'
      where blockchain.since <= ${at.P.height} and ${condition} ${order}`,
  )
  return rows.map(({ body, ...block }) => ({ chain: RecordCodec.chain.decode(body), ...block }))
}
