import { Bytes, type ChainAlias } from '@firn/codec'
import { fetchFirst, fetchRows, toKey } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '../internal/holding.ts'
import { utxoAt } from '../internal/utxoAt.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** The chain that can spend a UTXO, and the chain that produced it. They differ if the UTXO was exported. */
export interface Place {
  readonly chain: ChainAlias
  readonly source: ChainAlias
}

/**
 * Position of a UTXO: the height of the block that produced it, and its index in that block. The newest UTXO has the
 * highest position.
 */
export interface Age {
  readonly height: bigint
  readonly ordinal: number
}

/** An unspent UTXO, and the address under which it is listed. */
export interface OwnedUtxo extends Age {
  /** Address of the owner. */
  readonly address: Uint8Array
  /** Id of the UTXO: SHA-256 of the output index and the transaction id. */
  readonly id: Uint8Array
  /** UTXO as the node serves it: codec version, transaction id, output index, asset id and output. */
  readonly bytes: Uint8Array
}

/** Parameters of {@link list}. */
export interface ListQuery extends Place {
  /**
   * Addresses of the owners. Each address has a list of its UTXOs, newest first. The lists follow each other in the
   * order of the addresses.
   */
  readonly addresses: readonly Uint8Array[]
  /**
   * Position after which the result starts in the list of the first address; undefined for the beginning of that
   * list.
   */
  readonly after: Age | undefined
  /** Maximum number of UTXOs to return. */
  readonly limit: number
}

/**
 * Maximum number of lists per statement. A statement reads up to the page limit of rows from each list and sorts them
 * all, so this number bounds the work.
 */
const LISTS_AT_ONCE = 256

/** The highest possible position. */
const NEWEST: Age = { height: 2n ** 63n - 1n, ordinal: 2 ** 31 - 1 }

/**
 * Returns the unspent UTXOs of addresses, one address after the other. A UTXO of several addresses is returned once
 * for each of them.
 *
 * @example
 * ```ts
 * import { Address } from '@firn/codec'
 * import { type Store, Utxos } from '@firn/store'
 *
 * declare const store: Store
 * const at = await store.snapshot()
 * const address = Address.parseBytes('P-avax1slt2dhfu6a6qezcn5sgtagumq8ag8we75f84sw')
 * const query = { chain: 'P', source: 'P', addresses: [address], after: undefined, limit: 25 } as const
 * const utxos = await Utxos.list(store, at, query)
 * ```
 */
export async function list(store: Store, at: Snapshot, query: ListQuery): Promise<OwnedUtxo[]> {
  const found: OwnedUtxo[] = []
  for (let i = 0; i < query.addresses.length && found.length < query.limit; i += LISTS_AT_ONCE) {
    const addresses = query.addresses.slice(i, i + LISTS_AT_ONCE)
    const after = i === 0 ? query.after : undefined
    const limit = query.limit - found.length
    found.push(...(await listSome(store, at, { ...query, addresses, after, limit })))
  }
  return found
}

/**
 * Returns the position of a UTXO in the list of one of its addresses, or undefined if it is not in that list.
 *
 * @example
 * ```ts
 * import { Address } from '@firn/codec'
 * import { type Store, Utxos } from '@firn/store'
 *
 * declare const store: Store
 * declare const utxoId: Uint8Array
 * const at = await store.snapshot()
 * const address = Address.parseBytes('P-avax1slt2dhfu6a6qezcn5sgtagumq8ag8we75f84sw')
 * const after = await Utxos.ageOf(store, at, { chain: 'P', source: 'P' }, address, utxoId)
 * ```
 */
export async function ageOf(
  store: Store,
  at: Snapshot,
  { chain, source }: Place,
  address: Uint8Array,
  id: Uint8Array,
): Promise<Age | undefined> {
  const row = await fetchFirst(
    store,
    sql<Age & { addresses: Uint8Array[] }>`select height, ordinal, addresses from utxo
      where id = ${id} and chain = ${chain} and source = ${source} and height <= ${at[source].height}
        and (consumed_height is null or consumed_height > ${at[chain].height})`,
  )
  if (!row?.addresses.some((owner) => Bytes.equals(owner, address))) return undefined
  return { height: row.height, ordinal: row.ordinal }
}

/**
 * Returns the lowest address, starting from `start` (20 bytes), that owns a spent output on a chain if `isSpent` is
 * true, or an unspent output if it is false.
 *
 * @example
 * ```ts
 * import { ShortId } from '@firn/codec'
 * import { type Store, Utxos } from '@firn/store'
 *
 * declare const store: Store
 * const first = await Utxos.nextOwner(store, 'X', ShortId.EMPTY, false)
 * ```
 */
export async function nextOwner(
  store: Store,
  chain: ChainAlias,
  start: Uint8Array,
  isSpent: boolean,
): Promise<Uint8Array | undefined> {
  const row = await fetchFirst(
    store,
    sql<{
      address: Uint8Array
    }>`select address from utxo_address where chain = ${chain} and address >= ${start}
      and consumed_height ${isSpent ? sql`is not null` : sql`is null`} order by address limit 1`,
  )
  return row?.address
}

/**
 * Returns the bytes of the reward UTXOs that a node lists under a transaction, newest first.
 *
 * @example
 * ```ts
 * import { type Store, Utxos } from '@firn/store'
 *
 * declare const store: Store
 * declare const txId: Uint8Array // of the transaction that added the staker
 * const at = await store.snapshot()
 * const utxos = await Utxos.rewards(store, at, txId)
 * ```
 */
export async function rewards(store: Store, at: Snapshot, txId: Uint8Array): Promise<Uint8Array[]> {
  const rows = await fetchRows(
    store,
    sql<{ bytes: Uint8Array }>`select ${BYTES} as bytes from utxo
      where source = 'P' and reward_tx_id = ${txId} and height <= ${at.P.height} order by height desc, output_index desc`,
  )
  return rows.map(({ bytes }) => bytes)
}

/** SQL expression for the bytes of a UTXO as a node serves them, with codec version 0. */
const BYTES = sql`'\\x0000'::bytea || tx_id || substring(int8send(output_index::bigint) from 5) || asset_id || output`

/** An entry of a list, before its UTXO is looked up. */
type Entry = Omit<OwnedUtxo, 'bytes'>

/**
 * Address of a list and the position after which its entries are read, as SQL: either literal values or columns of a
 * table.
 */
interface ListStart {
  readonly address: RawBuilder<Uint8Array>
  readonly height: RawBuilder<bigint>
  readonly ordinal: RawBuilder<number>
}

/**
 * Returns the UTXOs of some lists. A partial index contains the UTXOs that are unspent now, in the order of
 * the lists. If the chain has advanced, UTXOs spent since the snapshot are merged in. Only the returned UTXOs
 * are looked up.
 */
async function listSome(store: Store, at: Snapshot, query: ListQuery): Promise<OwnedUtxo[]> {
  const { unspent, tip } = await unspentNow(store, at, query)
  const spent = tip === undefined || tip > at[query.chain].height ? await spentSince(store, at, query) : []
  const entries = spent.length === 0 ? unspent : merge(query, unspent, spent)
  return lookUp(store, query.source, entries)
}

/** Returns the newest unspent entries, and the height at which they were read. */
async function unspentNow(
  store: Store,
  at: Snapshot,
  query: ListQuery,
): Promise<{ unspent: Entry[]; tip: bigint | undefined }> {
  const entries = query.addresses.length === 1 ? listOne(at, query) : listEach(at, query)
  const rows = await fetchRows(
    store,
    sql<{ tip: bigint } & { [K in keyof Entry]: Entry[K] | null }>`
      select cursor.height as tip, entry.address, entry.height, entry.ordinal, entry.id
      from cursor left join (${entries}) as entry on true
      where cursor.chain = ${query.chain} order by entry.place, entry.height desc, entry.ordinal desc`,
  )
  const unspent = rows.flatMap(({ address, height, ordinal, id }) =>
    address === null || height === null || ordinal === null || id === null
      ? []
      : [{ address, height, ordinal, id }],
  )
  return { unspent, tip: rows[0]?.tip }
}

/** Returns all entries after the start that are unspent at the snapshot but spent now. */
async function spentSince(
  store: Store,
  at: Snapshot,
  { chain, source, addresses, after }: ListQuery,
): Promise<Entry[]> {
  const entries = await fetchRows(
    store,
    sql<Entry>`select address, height, ordinal, id from utxo_address
      where address = ${anyOf(addresses)} and chain = ${chain} and source = ${source}
        and height <= ${at[source].height} and consumed_height > ${at[chain].height}`,
  )
  const [first] = addresses
  if (after === undefined || first === undefined) return entries
  return entries.filter((entry) => !Bytes.equals(entry.address, first) || compare(after, entry) < 0)
}

/**
 * Merges unspent and spent entries in the order of the lists. A UTXO that was spent between the two
 * statements occurs in both and is kept once.
 */
function merge({ addresses, limit }: ListQuery, unspent: readonly Entry[], spent: readonly Entry[]): Entry[] {
  const places = new Map(addresses.map((address, place) => [toKey(address), place]))
  const placed = [...unspent, ...spent].map((entry) => ({
    entry,
    place: places.get(toKey(entry.address)) ?? 0,
  }))
  const sorted = placed.sort((a, b) => a.place - b.place || compare(a.entry, b.entry))
  const once = sorted.filter(({ entry, place }, i) => {
    const before = sorted[i - 1]
    return before === undefined || before.place !== place || compare(before.entry, entry) !== 0
  })
  return once.slice(0, limit).map(({ entry }) => entry)
}

/** Returns a negative number if `a` is newer. */
function compare(a: Age, b: Age): number {
  if (a.height !== b.height) return a.height > b.height ? -1 : 1
  return b.ordinal - a.ordinal
}

/** Looks up the UTXOs of entries. The range of their heights lets the database skip partitions. */
async function lookUp(store: Store, source: ChainAlias, entries: readonly Entry[]): Promise<OwnedUtxo[]> {
  if (entries.length === 0) return []
  const heights = entries.map(({ height }) => height).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const rows = await fetchRows(
    store,
    sql<{ place: bigint; bytes: Uint8Array }>`select entry.place, utxo.bytes from unnest(
        ${sql.val(entries.map(({ height }) => height.toString()))}::bigint[],
        ${sql.val(entries.map(({ ordinal }) => ordinal))}::int[]
      ) with ordinality as entry (height, ordinal, place)
      cross join lateral (select ${BYTES} as bytes
        ${utxoAt(source, 'entry', sql`utxo.height >= ${heights[0]} and utxo.height <= ${heights.at(-1)}`)}) as utxo
      order by entry.place`,
  )
  return rows.map(({ place, bytes }) => ({ ...(entries[Number(place) - 1] as Entry), bytes }))
}

/**
 * Selects the entries of a single list. The planner sees the address, so it can estimate the number of its
 * UTXOs.
 */
function listOne(at: Snapshot, query: ListQuery): RawBuilder<unknown> {
  const { height, ordinal } = query.after ?? NEWEST
  const address = sql<Uint8Array>`${query.addresses[0]}::bytea`
  const start = {
    address,
    height: sql<bigint>`${height.toString()}::bigint`,
    ordinal: sql<number>`${ordinal}::int`,
  }
  return newest(at, query, start, sql`, 1::bigint as place, ${address} as address`)
}

/** Selects the entries of several lists, one after the other. */
function listEach(at: Snapshot, query: ListQuery): RawBuilder<unknown> {
  const starts = query.addresses.map((_, i) => (i === 0 ? (query.after ?? NEWEST) : NEWEST))
  const start = {
    address: sql<Uint8Array>`list.address`,
    height: sql<bigint>`list.height`,
    ordinal: sql<number>`list.ordinal`,
  }
  return sql`select list.place, list.address, entry.height, entry.ordinal, entry.id from unnest(
      ${sql.val([...query.addresses])}::bytea[],
      ${sql.val(starts.map(({ height }) => height.toString()))}::bigint[],
      ${sql.val(starts.map(({ ordinal }) => ordinal))}::int[]
    ) with ordinality as list (address, height, ordinal, place)
    cross join lateral (${newest(at, query, start)}) as entry
    order by list.place, entry.height desc, entry.ordinal desc limit ${query.limit}`
}

/** Selects the newest unspent entries of a list. */
function newest(
  at: Snapshot,
  { chain, source, limit }: ListQuery,
  start: ListStart,
  more = sql``,
): RawBuilder<unknown> {
  return sql`select a.height, a.ordinal, a.id ${more} from utxo_address as a
    where a.address = ${start.address} and a.chain = ${chain} and a.source = ${source} and a.height <= ${at[source].height}
      and (a.height, a.ordinal) < (${start.height}, ${start.ordinal}) and a.consumed_height is null
    order by a.height desc, a.ordinal desc limit ${limit}`
}
