import type { Records } from '@firn/ledger'
import { fetchRecords, fetchRows, type PageQuery, pageBy } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import { containingBlock } from '../internal/containingBlock.ts'
import { anyOf, holdsAt } from '../internal/holding.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/**
 * Returns the subnet with the given id, or undefined if the snapshot does not contain it. The Primary Network is not
 * stored as a subnet.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { type Store, Subnets } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const subnetId = Id.parse('p433wpuXyJiDhyazPYyZMJeaoPSW76CBZ2x7wrVPLgvokotXz')
 * const subnet = await Subnets.byId(store, at, subnetId)
 * ```
 */
export async function byId(
  store: Store,
  at: Snapshot,
  subnetId: Uint8Array,
): Promise<Records.Subnet | undefined> {
  return (await byIds(store, at, [subnetId]))[0]
}

/**
 * Returns the subnets with the given ids, in any order. Unknown ids are left out.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { type Store, Subnets } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const subnetId = Id.parse('p433wpuXyJiDhyazPYyZMJeaoPSW76CBZ2x7wrVPLgvokotXz')
 * const subnets = await Subnets.byIds(store, at, [subnetId])
 * ```
 */
export function byIds(
  store: Store,
  at: Snapshot,
  subnetIds: readonly Uint8Array[],
): Promise<Records.Subnet[]> {
  return fetchRecords(
    store,
    RecordCodec.subnet,
    sql`select body from subnet where ${holdsAt(at.P.height)} and key = ${anyOf(subnetIds)}`,
  )
}

/**
 * Returns all subnets, newest first.
 *
 * @example
 * ```ts
 * import { type Store, Subnets } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const count = (await Subnets.all(store, at)).length
 * ```
 */
export function all(store: Store, at: Snapshot): Promise<Records.Subnet[]> {
  return fetchRecords(
    store,
    RecordCodec.subnet,
    sql`select body from subnet where ${holdsAt(at.P.height)} order by created_height desc, created_ordinal desc`,
  )
}

/** A subnet as of the snapshot, with the block that contains its transaction. */
export interface Details {
  readonly subnet: Records.Subnet
  /** Height of the block, and its time in Unix seconds. */
  readonly blockHeight: bigint
  readonly time: bigint
  /** Bytes of the signed transaction that created the subnet, which contain its first owner. */
  readonly created: Uint8Array
}

/**
 * Returns a page of subnets, sorted by creation. The Primary Network is not included.
 *
 * @example
 * ```ts
 * import { type Store, Subnets } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const newest = await Subnets.page(store, at, { after: undefined, order: 'desc', limit: 25 })
 * ```
 */
export function page(store: Store, at: Snapshot, query: PageQuery): Promise<Details[]> {
  return selectDetails(store, at, ...pageBy([sql`created_height`, sql`created_ordinal`], query))
}

/**
 * Returns the subnet with the given id, or undefined if the snapshot does not contain it.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { type Store, Subnets } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const subnetId = Id.parse('p433wpuXyJiDhyazPYyZMJeaoPSW76CBZ2x7wrVPLgvokotXz')
 * const details = await Subnets.detailsById(store, at, subnetId)
 * ```
 */
export async function detailsById(store: Store, at: Snapshot, id: Uint8Array): Promise<Details | undefined> {
  return (await selectDetails(store, at, sql`subnet.key = ${id}`))[0]
}

/** Selects subnets with their details. A subnet's id is the id of the transaction that created it. */
async function selectDetails(store: Store, at: Snapshot, condition: RawBuilder<unknown>, order = sql``) {
  const rows = await fetchRows(
    store,
    sql<{
      body: Uint8Array
      blockHeight: bigint
      time: bigint
      bytes: Uint8Array
    }>`select subnet.body, block.time, transaction.height as "blockHeight", transaction.bytes from subnet
      join block on block.height = subnet.created_height and block.chain = 'P'
      join transaction on transaction.id = subnet.key and transaction.chain = 'P'
        and transaction.height = ${containingBlock(sql`'P'`, sql`subnet.created_height`)}
      where ${holdsAt(at.P.height, 'subnet')} and ${condition} ${order}`,
  )
  return rows.map(({ body, blockHeight, time, bytes }) => ({
    subnet: RecordCodec.subnet.decode(body),
    blockHeight,
    time,
    created: bytes,
  }))
}
