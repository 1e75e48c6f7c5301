import { Hex } from '@firn/codec'
import type { Records } from '@firn/ledger'
import { fetchRecords, fetchRows } from '@firn/sql'
import { sql } from 'kysely'
import { anyOf, holdsAt } from '../internal/holding.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'
import { filters, type Query } from './l1Query.ts'

export { accruedByDay, accruedFeesAt, type Charge, charges, type DayEnd, type FeeScope } from './l1Fees.ts'
export type { Query } from './l1Query.ts'

/**
 * Returns the L1 validator with the given validation id, active or not, or undefined if the snapshot does not
 * contain it.
 *
 * @example
 * ```ts
 * import { L1Validators, type Store } from '@firn/store'
 *
 * declare const store: Store
 * declare const validationId: Uint8Array
 * const at = await store.snapshot()
 * const validator = await L1Validators.byId(store, at, validationId)
 * ```
 */
export async function byId(
  store: Store,
  at: Snapshot,
  validationId: Uint8Array,
): Promise<Records.L1Validator | undefined> {
  const [validator] = await fetchRecords(
    store,
    RecordCodec.l1Validator,
    sql`select body from l1_validator where ${holdsAt(at.P.height)} and key = ${validationId}`,
  )
  return validator
}

/**
 * Returns the active and inactive L1 validators of a subnet, sorted by NodeID. If `nodeIds` is given, only
 * those validators are returned.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { L1Validators, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const subnetId = Id.parse('p433wpuXyJiDhyazPYyZMJeaoPSW76CBZ2x7wrVPLgvokotXz')
 * const validators = await L1Validators.bySubnet(store, at, subnetId)
 * ```
 */
export function bySubnet(
  store: Store,
  at: Snapshot,
  subnetId: Uint8Array,
  nodeIds?: readonly Uint8Array[],
): Promise<Records.L1Validator[]> {
  const nodes = nodeIds === undefined ? sql`true` : sql`node_id = ${anyOf(nodeIds)}`
  return fetchRecords(
    store,
    RecordCodec.l1Validator,
    sql`select body from l1_validator where ${holdsAt(at.P.height)} and subnet_id = ${subnetId} and ${nodes}
      order by node_id`,
  )
}

/** An L1 validator as of the snapshot, or as of its removal. */
export interface Details {
  readonly validator: Records.L1Validator
  readonly isRemoved: boolean
}

/**
 * Returns a page of L1 validators sorted by validation id, which never changes.
 *
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { L1Validators, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const subnetId = Id.parse('p433wpuXyJiDhyazPYyZMJeaoPSW76CBZ2x7wrVPLgvokotXz')
 * const active = await L1Validators.page(store, at, {
 *   subnetId,
 *   validationId: undefined,
 *   nodeId: undefined,
 *   isInactiveToo: false,
 *   after: undefined,
 *   limit: 25,
 * })
 * ```
 */
export async function page(store: Store, at: Snapshot, query: Query): Promise<Details[]> {
  const { height } = at.P
  const conditions = [sql`since <= ${height}`, ...filters(query)]
  if (!query.isInactiveToo) conditions.push(sql`active`, sql`(until is null or until > ${height})`)
  // Only one version of a validator is current. For a removed validator, the last version counts.
  const distinct = query.isInactiveToo ? sql`distinct on (key)` : sql``
  const order = query.isInactiveToo ? sql`key, since desc` : sql`key`
  const rows = await fetchRows(
    store,
    sql<{ body: Uint8Array; until: bigint | null }>`
    select ${distinct} body, until from l1_validator
    where ${sql.join(conditions, sql` and `)} order by ${order} limit ${query.limit}`,
  )
  return rows.map(({ body, until }) => ({
    validator: RecordCodec.l1Validator.decode(body),
    isRemoved: until !== null && until <= height,
  }))
}

/** A version of an L1 validator, from one height to the height at which it changed or was removed. */
export interface Version {
  readonly since: bigint
  readonly until: bigint | undefined
  readonly validator: Records.L1Validator
}

/**
 * Returns the versions of L1 validators by validation id in hex, oldest first.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { L1Validators, type Store } from '@firn/store'
 *
 * declare const store: Store
 * declare const validationId: Uint8Array
 * const at = await store.snapshot()
 * const versions = await L1Validators.versions(store, at, [validationId])
 * console.log(versions.get(Hex.encodeBare(validationId))?.length)
 * ```
 */
export async function versions(
  store: Store,
  at: Snapshot,
  validationIds: readonly Uint8Array[],
): Promise<ReadonlyMap<string, readonly Version[]>> {
  if (validationIds.length === 0) return new Map()
  const rows = await fetchRows(
    store,
    sql<VersionRow>`select since, until, body from l1_validator
      where key = ${anyOf(validationIds)} and since <= ${at.P.height} order by since`,
  )
  return byValidation(rows, at.P.height)
}

interface VersionRow {
  readonly since: bigint
  readonly until: bigint | null
  readonly body: Uint8Array
}

/** Groups versions by validation id. What happened after `height` is not known to them. */
function byValidation(rows: readonly VersionRow[], height: bigint): ReadonlyMap<string, readonly Version[]> {
  const all = rows.map(({ since, until, body }) => ({
    since,
    until: until === null || until > height ? undefined : until,
    validator: RecordCodec.l1Validator.decode(body),
  }))
  return Map.groupBy(all, ({ validator }) => Hex.encodeBare(validator.validationId))
}

/** The end of a version of an L1 validator. */
export interface Ended {
  readonly height: bigint
  readonly before: Records.L1Validator
  /** The validator from this height on; undefined if it was removed. */
  readonly after: Records.L1Validator | undefined
}

/**
 * Returns how L1 validators changed in the blocks after the height `after` through `until`, by height and validation id.
 *
 * @example
 * ```ts
 * import { L1Validators, type Store } from '@firn/store'
 *
 * declare const store: Store
 * const ended = await L1Validators.ended(store, 21_000_000n, 21_000_100n)
 * const removed = ended.filter(({ after }) => after === undefined)
 * ```
 */
export async function ended(store: Store, after: bigint, until: bigint): Promise<readonly Ended[]> {
  const rows = await fetchRows(
    store,
    sql<{ height: bigint; before: Uint8Array; after: Uint8Array | null }>`
      select old.until as height, old.body as before, new.body as after
      from l1_validator as old left join l1_validator as new on new.key = old.key and new.since = old.until
      where old.until > ${after} and old.until <= ${until} order by old.until, old.key`,
  )
  return rows.map(({ height, before, after: next }) => ({
    height,
    before: RecordCodec.l1Validator.decode(before),
    after: next === null ? undefined : RecordCodec.l1Validator.decode(next),
  }))
}

/**
 * Returns all versions, valid after any of the blocks from the height `first` through `last`, of the L1 validators of the
 * given nodes and of the given subnets, by validation id in hex, oldest first.
 *
 * @example
 * ```ts
 * import { L1Validators, type Store } from '@firn/store'
 *
 * declare const store: Store
 * declare const subnetId: Uint8Array
 * const scope = { nodeIds: [], subnetIds: [subnetId] }
 * const versions = await L1Validators.between(store, scope, 21_000_000n, 21_000_100n)
 * console.log(versions.size)
 * ```
 */
export async function between(
  store: Store,
  {
    nodeIds,
    subnetIds,
  }: { readonly nodeIds: readonly Uint8Array[]; readonly subnetIds: readonly Uint8Array[] },
  first: bigint,
  last: bigint,
): Promise<ReadonlyMap<string, readonly Version[]>> {
  const rows = await fetchRows(
    store,
    sql<VersionRow>`select since, until, body from l1_validator
      where (node_id = ${anyOf(nodeIds)} or subnet_id = ${anyOf(subnetIds)})
        and since <= ${last} and (until is null or until > ${first}) order by since`,
  )
  return byValidation(rows, last)
}
