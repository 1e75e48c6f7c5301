import { fetchRows, prepared, shareReadsPerStore } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import {
  DATA_KINDS,
  type HeightKind,
  type KindName,
  type PrunableKind,
  TABLE_RETENTION,
} from '../DataKinds.ts'
import type { EvmDatabase } from '../EvmSchema.ts'
import type { EvmStore } from '../EvmStore.ts'

/**
 * Returns the height below which data of a kind was removed, or undefined if nothing was removed. Data may be removed
 * while it is read. An answer is complete if this height, read after the data, is not above its range.
 *
 * @example
 * ```ts
 * import { EvmRetention, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const height = await EvmRetention.keptFrom(store, 'traces')
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function keptFrom(store: EvmStore, kind: HeightKind): Promise<bigint | undefined> {
  return (await prunedBelow(store)).get(kind)
}

/**
 * Returns the start of the first hour whose totals are kept, in Unix seconds, or undefined if none were removed. Totals
 * may be removed while they are read, so this must be read after them.
 *
 * @example
 * ```ts
 * import { EvmRetention, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const time = await EvmRetention.hoursFrom(store)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function hoursFrom(store: EvmStore): Promise<bigint | undefined> {
  return (await prunedBelow(store)).get('metrics' satisfies PrunableKind)
}

/** Most requests ask once or more for one or more kinds, so all kinds are read at once, for all waiting requests. */
const prunedBelow = shareReadsPerStore(async (store: EvmStore): Promise<ReadonlyMap<string, bigint>> => {
  const rows = await fetchRows(store, sql<EvmDatabase['pruned']>`${prepared} select * from pruned`)
  return new Map(rows.map(({ kind, below }) => [kind, below]))
})

/** The size of the data of one kind. */
export interface KindSize {
  readonly kind: KindName
  /** Bytes on disk, on all servers, with indexes. The space of deleted rows counts until it is used again. */
  readonly bytes: bigint
  /** Height below which data of the kind was removed; undefined if nothing was removed, and for `metrics`. */
  readonly keptFrom: bigint | undefined
  /** For `metrics`, the start of the first hour that is kept, in Unix seconds; undefined if none was removed. */
  readonly keptSince: bigint | undefined
}

/**
 * Returns the size of each kind of data on disk, and the height from which on it is kept.
 *
 * @example
 * ```ts
 * import { EvmRetention, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * for (const { kind, bytes } of await EvmRetention.sizes(store)) console.log(kind, bytes)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function sizes(store: EvmStore): Promise<readonly KindSize[]> {
  const read = (bytes: RawBuilder<unknown>, shards = sql``) =>
    fetchRows(
      store,
      sql<{
        table: string
        bytes: bigint
      }>`select coalesce(p.relname, c.relname) as "table", sum(${bytes})::int8 as bytes
      from pg_class c ${shards} left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' group by 1`,
    )
  const rows = [...(await read(sql`pg_total_relation_size(c.oid)`))]
  const sharding = await fetchRows(store, sql`select from sharding`)
  if (sharding.length > 0)
    rows.push(...(await read(sql`s.shard_size`, sql`join citus_shards s on s.table_name = c.oid`)))
  const totals = new Map<KindName, bigint>()
  for (const { table, bytes } of rows) {
    const kind = kindOf(table)
    totals.set(kind, (totals.get(kind) ?? 0n) + bytes)
  }
  const kept = await prunedBelow(store)
  return (Object.keys(DATA_KINDS) as KindName[]).map((kind) => ({
    kind,
    bytes: totals.get(kind) ?? 0n,
    keptFrom: kind === 'metrics' ? undefined : kept.get(kind),
    keptSince: kind === 'metrics' ? kept.get(kind) : undefined,
  }))
}

function kindOf(table: string): KindName {
  if (table in TABLE_RETENTION) return TABLE_RETENTION[table as keyof typeof TABLE_RETENTION].kind
  return table.startsWith('event_') ? 'events' : 'state'
}
