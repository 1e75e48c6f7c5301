import { Hex } from '@firn/codec'
import type { Records } from '@firn/ledger'
import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '../internal/holding.ts'
import * as RecordCodec from '../RecordCodec.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** What is asked for of L1 validators; all filters hold together. */
export interface Query {
  readonly validationId: Uint8Array | undefined
  readonly subnetId: Uint8Array | undefined
  readonly nodeId: Uint8Array | undefined
  /** Those whose balance is used up and those that were removed, too. */
  readonly isInactiveToo: boolean
  /** The validation id behind which the page begins. */
  readonly after: Uint8Array | undefined
  readonly limit: number
}

/** A validator as the snapshot has it; one that was removed as it was before. */
export interface Listed {
  readonly validator: Records.L1Validator
  readonly isRemoved: boolean
}

/** L1 validators ascending by validation id, which never moves. */
export async function page(store: Store, at: Snapshot, query: Query): Promise<Listed[]> {
  const { height } = at.P
  const conditions = [sql`since <= ${height}`, ...filters(query)]
  if (!query.isInactiveToo) conditions.push(sql`active`, sql`(until is null or until > ${height})`)
  // Of a validator only one version holds now; of one that is gone the last one counts.
  const distinct = query.isInactiveToo ? sql`distinct on (key)` : sql``
  const order = query.isInactiveToo ? sql`key, since desc` : sql`key`
  const { rows } = await sql<{ body: Uint8Array; until: bigint | null }>`
    select ${distinct} body, until from ${sql.table('l1_validator')}
    where ${sql.join(conditions, sql` and `)} order by ${order} limit ${query.limit}`.execute(store.db)
  return rows.map(({ body, until }) => ({
    validator: RecordCodec.l1Validator.decode(body),
    isRemoved: until !== null && until <= height,
  }))
}

function filters({ validationId, subnetId, nodeId, after }: Query): RawBuilder<unknown>[] {
  const equal = (column: string, value: Uint8Array | undefined) =>
    value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`]
  return [
    ...equal('key', validationId),
    ...equal('subnet_id', subnetId),
    ...equal('node_id', nodeId),
    ...(after === undefined ? [] : [sql`key > ${after}`]),
  ]
}

/** An L1 validator from one height until another, at which it changed or was gone. */
export interface Version {
  readonly since: bigint
  readonly until: bigint | undefined
  readonly validator: Records.L1Validator
}

/** What L1 validators have been, the oldest first, by validation id in hex. */
export async function versions(
  store: Store,
  at: Snapshot,
  validationIds: readonly Uint8Array[],
): Promise<ReadonlyMap<string, readonly Version[]>> {
  if (validationIds.length === 0) return new Map()
  const rows = await store.db
    .selectFrom('l1_validator')
    .select(['since', 'until', 'body'])
    .where('key', '=', anyOf(validationIds))
    .where('since', '<=', at.P.height)
    .orderBy('since')
    .execute()
  const all = rows.map(({ since, until, body }) => ({
    since,
    until: until === null || until > at.P.height ? undefined : until,
    validator: RecordCodec.l1Validator.decode(body),
  }))
  return Map.groupBy(all, ({ validator }) => Hex.encodeBare(validator.validationId))
}

/** The fees that every active L1 validator had been charged after each of some blocks. */
export async function accruedFeesAt(
  store: Store,
  heights: readonly bigint[],
): Promise<ReadonlyMap<bigint, bigint>> {
  if (heights.length === 0) return new Map()
  const rows = await store.db
    .selectFrom('block')
    .select(['height', 'state'])
    .where('chain', '=', 'P')
    .where('height', '=', sql<bigint>`any(${heights.map(String)}::bigint[])`)
    .execute()
  return new Map(
    rows.map(({ height, state }) => [
      height,
      state === null ? 0n : RecordCodec.platformState.decode(state).accruedFees,
    ]),
  )
}
