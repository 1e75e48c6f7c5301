import { Bytes } from '@firn/codec'
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Chain, Database } from '../Schema.ts'
import type { Snapshot } from '../Snapshot.ts'
import type { Store } from '../Store.ts'

/** Where UTXOs are spent and where they were made; another chain than `chain` is the one that exported them. */
export interface Place {
  readonly chain: Chain
  readonly source: Chain
}

/** A UTXO's place among those of a source, of which the highest is the newest: its block, and its place in there. */
export interface Age {
  readonly height: bigint
  readonly ordinal: number
}

/** A UTXO in the list of one of its addresses. */
export interface Listed extends Age {
  /** Whose list. */
  readonly address: Uint8Array
  /** Its input id. */
  readonly id: Uint8Array
  /** As the node serves it: codec version, transaction, index, asset and output. */
  readonly bytes: Uint8Array
}

/** What is asked for of lists of UTXOs. */
export interface ListQuery extends Place {
  /** Whose lists, one after the other, each with its newest UTXO first. */
  readonly addresses: readonly Uint8Array[]
  /** The first list goes on behind this one. */
  readonly after: Age | undefined
  /** Most UTXOs in all. */
  readonly limit: number
}

/** What balances are made of: an unspent output in short. */
export interface Holding {
  readonly id: Uint8Array
  readonly txId: Uint8Array
  readonly outputIndex: number
  readonly assetId: Uint8Array
  /** The codec's type id of what holds the value: 7 of a transfer, also behind a lock. */
  readonly outputType: number
  readonly amount: bigint | undefined
  /** Unix seconds. */
  readonly locktime: bigint
  /** Of a P-chain output that can only be staked until then. */
  readonly stakeableLocktime: bigint | undefined
  /** How many addresses it has. */
  readonly addresses: number
}

/** Lists that one statement reads: what it sorts is at most so many times the limit. */
const LISTS_AT_ONCE = 256

/** The newest place of all. */
const NEWEST: Age = { height: 2n ** 63n - 1n, ordinal: 2 ** 31 - 1 }

/** The UTXOs of addresses that the snapshot holds unspent, list after list; one with several of the addresses is in several lists. */
export async function list(store: Store, at: Snapshot, query: ListQuery): Promise<Listed[]> {
  const found: Listed[] = []
  for (let i = 0; i < query.addresses.length && found.length < query.limit; i += LISTS_AT_ONCE) {
    const addresses = query.addresses.slice(i, i + LISTS_AT_ONCE)
    const after = i === 0 ? query.after : undefined
    const limit = query.limit - found.length
    found.push(...(await listSome(store, at, { ...query, addresses, after, limit })))
  }
  return found
}

/** The place of a UTXO in the list of one of its addresses; undefined where it is not in it. */
export async function ageOf(
  store: Store,
  at: Snapshot,
  { chain, source }: Place,
  address: Uint8Array,
  id: Uint8Array,
): Promise<Age | undefined> {
  const row = await store.db
    .selectFrom('utxo')
    .select(['height', 'ordinal', 'addresses'])
    .where('id', '=', id)
    .where('chain', '=', chain)
    .where('source', '=', source)
    .where('height', '<=', at[source].height)
    .where((or) => or.or([or('consumed_height', 'is', null), or('consumed_height', '>', at[chain].height)]))
    .executeTakeFirst()
  if (!row?.addresses.some((owner) => Bytes.equals(owner, address))) return undefined
  return { height: row.height, ordinal: row.ordinal }
}

/** All UTXOs of addresses that the snapshot holds unspent on `chain` and that were made there, each once, in the order of the lists. */
export async function holdings(
  store: Store,
  at: Snapshot,
  chain: Chain,
  addresses: readonly Uint8Array[],
): Promise<Holding[]> {
  const top = at[chain].height
  const rows = await store.db
    .selectFrom('utxo_address as a')
    .innerJoinLateral(
      utxoAt(store.db, chain, 'a')
        .select([
          'id',
          'tx_id as txId',
          'output_index as outputIndex',
          'asset_id as assetId',
          'output_type as outputType',
          'amount',
          'locktime',
          'stakeable_locktime as stakeableLocktime',
          sql<number>`cardinality(addresses)`.as('addresses'),
        ])
        .as('utxo'),
      joined,
    )
    .selectAll('utxo')
    .where('a.address', '=', sql<Uint8Array>`any(${[...addresses]}::bytea[])`)
    .where('a.chain', '=', chain)
    .where('a.source', '=', chain)
    .where('a.height', '<=', top)
    .where((or) => or.or([or('a.consumed_height', 'is', null), or('a.consumed_height', '>', top)]))
    .orderBy('a.address')
    .orderBy('a.height', 'desc')
    .orderBy('a.ordinal', 'desc')
    .execute()
  const seen = new Set<string>()
  const once: Holding[] = []
  for (const row of rows) {
    const key = keyOf(row.id)
    if (seen.has(key)) continue
    seen.add(key)
    once.push({
      ...row,
      amount: row.amount ?? undefined,
      stakeableLocktime: row.stakeableLocktime ?? undefined,
    })
  }
  return once
}

/** The bytes of the reward UTXOs that a node lists under a transaction, newest first. */
export async function rewards(store: Store, at: Snapshot, txId: Uint8Array): Promise<Uint8Array[]> {
  const rows = await store.db
    .selectFrom('utxo')
    .select(utxoBytes().as('bytes'))
    .where('source', '=', 'P')
    .where('reward_tx_id', '=', txId)
    .where('height', '<=', at.P.height)
    .orderBy('height', 'desc')
    .orderBy('output_index', 'desc')
    .execute()
  return rows.map(({ bytes }) => bytes)
}

function keyOf(id: Uint8Array): string {
  return Buffer.from(id.buffer, id.byteOffset, id.length).toString('latin1')
}

/** What a node serves of a UTXO; codec version 0. */
function utxoBytes() {
  return sql<Uint8Array>`'\\x0000'::bytea || tx_id || substring(int8send(output_index::bigint) from 5) || asset_id || output`
}

/** An entry of a list, before its UTXO is looked up. */
type Entry = Omit<Listed, 'bytes'>

/** A query of entries, each with the number of its list. */
type EntryQuery = SelectQueryBuilder<Database, never, Entry & { readonly place: bigint }>

/** Whose list is read from where: values, or columns of a table of such. */
interface ListStart {
  readonly address: RawBuilder<Uint8Array>
  readonly height: RawBuilder<bigint>
  readonly ordinal: RawBuilder<number>
}

/**
 * What is unspent by now has an index of its own, in the order of the lists. What was spent since the snapshot, if the chain went on
 * since, comes in between. Only the UTXOs that are returned are looked up.
 */
async function listSome(store: Store, at: Snapshot, query: ListQuery): Promise<Listed[]> {
  const { unspent, tip } = await unspentNow(store, at, query)
  const spent = tip === undefined || tip > at[query.chain].height ? await spentSince(store, at, query) : []
  const entries = spent.length === 0 ? unspent : merge(query, unspent, spent)
  return lookUp(store, query.source, entries)
}

/** The newest entries that are unspent, and the height that they were read at. */
async function unspentNow(
  store: Store,
  at: Snapshot,
  query: ListQuery,
): Promise<{ unspent: Entry[]; tip: bigint | undefined }> {
  const entriesOf = query.addresses.length === 1 ? listOne : listEach
  const rows = await store.db
    .selectFrom('cursor')
    .leftJoin(entriesOf(store, at, query).as('entry'), joined)
    .where('cursor.chain', '=', query.chain)
    .select(['cursor.height as tip', 'entry.address', 'entry.height', 'entry.ordinal', 'entry.id'])
    .orderBy('entry.place')
    .orderBy('entry.height', 'desc')
    .orderBy('entry.ordinal', 'desc')
    .execute()
  const unspent = rows.flatMap(({ address, height, ordinal, id }) =>
    address === null || height === null || ordinal === null || id === null
      ? []
      : [{ address, height, ordinal, id }],
  )
  return { unspent, tip: rows[0]?.tip }
}

/** All entries that the snapshot has unspent and that are spent by now, behind the start. */
async function spentSince(
  { db }: Store,
  at: Snapshot,
  { chain, source, addresses, after }: ListQuery,
): Promise<Entry[]> {
  const entries = await db
    .selectFrom('utxo_address')
    .select(['address', 'height', 'ordinal', 'id'])
    .where('address', '=', sql<Uint8Array>`any(${[...addresses]}::bytea[])`)
    .where('chain', '=', chain)
    .where('source', '=', source)
    .where('height', '<=', at[source].height)
    .where('consumed_height', '>', at[chain].height)
    .execute()
  const [first] = addresses
  if (after === undefined || first === undefined) return entries
  return entries.filter((entry) => !Bytes.equals(entry.address, first) || compare(after, entry) < 0)
}

/** Both in the order of the lists. A UTXO that was spent between the two readings is in both. */
function merge({ addresses, limit }: ListQuery, unspent: readonly Entry[], spent: readonly Entry[]): Entry[] {
  const places = new Map(addresses.map((address, place) => [keyOf(address), place]))
  const placed = [...unspent, ...spent].map((entry) => ({
    entry,
    place: places.get(keyOf(entry.address)) ?? 0,
  }))
  const sorted = placed.sort((a, b) => a.place - b.place || compare(a.entry, b.entry))
  const once = sorted.filter(({ entry, place }, i) => {
    const before = sorted[i - 1]
    return before === undefined || before.place !== place || compare(before.entry, entry) !== 0
  })
  return once.slice(0, limit).map(({ entry }) => entry)
}

/** Negative when `a` is the newer one. */
function compare(a: Age, b: Age): number {
  if (a.height !== b.height) return a.height > b.height ? -1 : 1
  return b.ordinal - a.ordinal
}

/** The UTXOs of entries. The heights that they lie between tell the database which of its parts to look at. */
async function lookUp({ db }: Store, source: Chain, entries: readonly Entry[]): Promise<Listed[]> {
  if (entries.length === 0) return []
  const heights = entries.map(({ height }) => height).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const wanted = sql<{ height: bigint; ordinal: number; place: bigint }>`unnest(
    ${entries.map(({ height }) => height.toString())}::bigint[],
    ${entries.map(({ ordinal }) => ordinal)}::int[]
  ) with ordinality`.as<'entry'>(sql`entry(height, ordinal, place)`)
  const found = utxoAt(db, source, 'entry')
    .where('utxo.height', '>=', heights[0] as bigint)
    .where('utxo.height', '<=', heights.at(-1) as bigint)
  const rows = await db
    .selectFrom(wanted)
    .innerJoinLateral(found.select(utxoBytes().as('bytes')).as('utxo'), joined)
    .select(['entry.place', 'utxo.bytes'])
    .orderBy('entry.place')
    .execute()
  return rows.map(({ place, bytes }) => ({ ...(entries[Number(place) - 1] as Entry), bytes }))
}

/** One list. The database knows whose it is when it plans, and so whether it is one of a hundred thousand UTXOs. */
function listOne({ db }: Store, at: Snapshot, query: ListQuery): EntryQuery {
  const [address] = query.addresses
  const { height, ordinal } = query.after ?? NEWEST
  const start = {
    address: sql<Uint8Array>`${address}::bytea`,
    height: sql<bigint>`${height.toString()}::bigint`,
    ordinal: sql<number>`${ordinal}::int`,
  }
  return newest(db, at, query, start).select([
    sql<bigint>`1::bigint`.as('place'),
    start.address.as('address'),
  ])
}

/** Several lists, one after the other. */
function listEach({ db }: Store, at: Snapshot, query: ListQuery): EntryQuery {
  const starts = query.addresses.map((_, i) => (i === 0 ? (query.after ?? NEWEST) : NEWEST))
  const lists = sql<{ address: Uint8Array; height: bigint; ordinal: number; place: bigint }>`unnest(
    ${[...query.addresses]}::bytea[],
    ${starts.map(({ height }) => height.toString())}::bigint[],
    ${starts.map(({ ordinal }) => ordinal)}::int[]
  ) with ordinality`.as<'list'>(sql`list(address, height, ordinal, place)`)
  const start = {
    address: sql<Uint8Array>`list.address`,
    height: sql<bigint>`list.height`,
    ordinal: sql<number>`list.ordinal`,
  }
  return db
    .selectFrom(lists)
    .innerJoinLateral(newest(db, at, query, start).as('entry'), joined)
    .select(['list.place', 'list.address', 'entry.height', 'entry.ordinal', 'entry.id'])
    .orderBy('list.place')
    .orderBy('entry.height', 'desc')
    .orderBy('entry.ordinal', 'desc')
    .limit(query.limit)
}

/** The newest entries of a list that are unspent. */
function newest(db: Kysely<Database>, at: Snapshot, { chain, source, limit }: ListQuery, start: ListStart) {
  return db
    .selectFrom('utxo_address')
    .select(['utxo_address.height', 'utxo_address.ordinal', 'utxo_address.id'])
    .where('utxo_address.address', '=', start.address)
    .where('utxo_address.chain', '=', chain)
    .where('utxo_address.source', '=', source)
    .where('utxo_address.height', '<=', at[source].height)
    .where(sql<boolean>`(utxo_address.height, utxo_address.ordinal) < (${start.height}, ${start.ordinal})`)
    .where('utxo_address.consumed_height', 'is', null)
    .orderBy('utxo_address.height', 'desc')
    .orderBy('utxo_address.ordinal', 'desc')
    .limit(limit)
}

/** The UTXO of an entry. The limit keeps the database from reading all UTXOs instead of looking up some. */
function utxoAt(db: Kysely<Database>, source: Chain, entry: string) {
  return db
    .selectFrom('utxo')
    .where('utxo.source', '=', source)
    .where('utxo.height', '=', sql<bigint>`${sql.ref(entry)}.height`)
    .where('utxo.ordinal', '=', sql<number>`${sql.ref(entry)}.ordinal`)
    .limit(1)
}

const joined = <J extends { onTrue(): J }>(join: J): J => join.onTrue()
