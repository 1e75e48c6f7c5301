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
  readonly txID: Uint8Array
  readonly outputIndex: number
  readonly assetID: Uint8Array
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
          'tx_id as txID',
          'output_index as outputIndex',
          'asset_id as assetID',
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
export async function rewards(store: Store, at: Snapshot, txID: Uint8Array): Promise<Uint8Array[]> {
  const rows = await store.db
    .selectFrom('utxo')
    .select(utxoBytes().as('bytes'))
    .where('source', '=', 'P')
    .where('reward_tx_id', '=', txID)
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
interface ListEntry extends Age {
  readonly place: bigint
  readonly address: Uint8Array
  readonly id: Uint8Array
}

/** Whose list is read from where: values, or columns of a table of such. */
interface ListStart {
  readonly address: RawBuilder<Uint8Array>
  readonly height: RawBuilder<bigint>
  readonly ordinal: RawBuilder<number>
}

/** The entries first, so that only the UTXOs that are returned are looked up. */
async function listSome(store: Store, at: Snapshot, query: ListQuery): Promise<Listed[]> {
  return store.db
    .with('page', () =>
      query.addresses.length === 1 ? listOne(store, at, query) : listEach(store, at, query),
    )
    .selectFrom('page')
    .innerJoinLateral(
      utxoAt(store.db, query.source, 'page').select(utxoBytes().as('bytes')).as('utxo'),
      joined,
    )
    .select(['page.address', 'page.height', 'page.ordinal', 'page.id', 'utxo.bytes'])
    .orderBy('page.place')
    .orderBy('page.height', 'desc')
    .orderBy('page.ordinal', 'desc')
    .execute()
}

/** One list. The database knows whose it is when it plans, and so whether it is one of a hundred thousand UTXOs. */
function listOne(
  { db }: Store,
  at: Snapshot,
  query: ListQuery,
): SelectQueryBuilder<Database, never, ListEntry> {
  const [address] = query.addresses
  const { height, ordinal } = query.after ?? NEWEST
  const start = {
    address: sql<Uint8Array>`${address}::bytea`,
    height: sql<bigint>`${height.toString()}::bigint`,
    ordinal: sql<number>`${ordinal}::int`,
  }
  return db
    .selectFrom(entries(db, at, query, start).as('entry'))
    .select([sql<bigint>`1`.as('place'), start.address.as('address'), 'height', 'ordinal', 'id']) as never
}

/** Several lists, one after the other. */
function listEach(
  { db }: Store,
  at: Snapshot,
  query: ListQuery,
): SelectQueryBuilder<Database, never, ListEntry> {
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
    .innerJoinLateral(entries(db, at, query, start).as('entry'), joined)
    .select(['list.place', 'list.address', 'entry.height', 'entry.ordinal', 'entry.id'])
    .orderBy('list.place')
    .orderBy('entry.height', 'desc')
    .orderBy('entry.ordinal', 'desc')
    .limit(query.limit) as never
}

/** Of a list the newest entries: of those still unspent, which have an index of their own, and of those spent since the snapshot. */
function entries(db: Kysely<Database>, at: Snapshot, { chain, source, limit }: ListQuery, start: ListStart) {
  const newest = db
    .selectFrom('utxo_address')
    .select(['utxo_address.height', 'utxo_address.ordinal', 'utxo_address.id'])
    .where('utxo_address.address', '=', start.address)
    .where('utxo_address.chain', '=', chain)
    .where('utxo_address.source', '=', source)
    .where('utxo_address.height', '<=', at[source].height)
    .where(sql<boolean>`(utxo_address.height, utxo_address.ordinal) < (${start.height}, ${start.ordinal})`)
    .orderBy('utxo_address.height', 'desc')
    .orderBy('utxo_address.ordinal', 'desc')
    .limit(limit)
  const unspent = newest.where('utxo_address.consumed_height', 'is', null).as('unspent')
  const spentSince = newest.where('utxo_address.consumed_height', '>', at[chain].height).as('spent_since')
  return db
    .selectFrom(unspent)
    .selectAll()
    .unionAll(db.selectFrom(spentSince).selectAll())
    .orderBy('height', 'desc')
    .orderBy('ordinal', 'desc')
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
