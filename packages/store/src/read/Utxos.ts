import { Bytes } from '@firn/codec'
import { type ExpressionBuilder, sql } from 'kysely'
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
const LISTS_AT_ONCE = 64

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
    .innerJoin('utxo as u', (join) =>
      join
        .onRef('u.source', '=', 'a.source')
        .onRef('u.height', '=', 'a.height')
        .onRef('u.ordinal', '=', 'a.ordinal'),
    )
    .select([
      'u.id',
      'u.tx_id as txID',
      'u.output_index as outputIndex',
      'u.asset_id as assetID',
      'u.output_type as outputType',
      'u.amount',
      'u.locktime',
      'u.stakeable_locktime as stakeableLocktime',
      sql<number>`cardinality(u.addresses)`.as('addresses'),
    ])
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

/** Of each list the newest are taken, first among those still unspent, which have an index of their own, then among those spent since. */
async function listSome(
  store: Store,
  at: Snapshot,
  { chain, source, addresses, after, limit }: ListQuery,
): Promise<Listed[]> {
  const starts = addresses.map((_, i) => (i === 0 ? (after ?? NEWEST) : NEWEST))
  const lists = sql<{ address: Uint8Array; height: bigint; ordinal: number; place: bigint }>`unnest(
    ${[...addresses]}::bytea[],
    ${starts.map(({ height }) => height.toString())}::bigint[],
    ${starts.map(({ ordinal }) => ordinal)}::int[]
  ) with ordinality`.as<'list'>(sql`list(address, height, ordinal, place)`)
  const entries = (unspent: ExpressionBuilder<Database, never>) => {
    const branch = unspent
      .selectFrom('utxo_address')
      .select(['utxo_address.height', 'utxo_address.ordinal', 'utxo_address.id'])
      .where('utxo_address.address', '=', sql<Uint8Array>`list.address`)
      .where('utxo_address.chain', '=', chain)
      .where('utxo_address.source', '=', source)
      .where('utxo_address.height', '<=', at[source].height)
      .where(sql<boolean>`(utxo_address.height, utxo_address.ordinal) < (list.height, list.ordinal)`)
      .orderBy('utxo_address.height', 'desc')
      .orderBy('utxo_address.ordinal', 'desc')
      .limit(limit)
    return unspent
      .selectFrom(branch.where('utxo_address.consumed_height', 'is', null).as('unspent'))
      .selectAll()
      .unionAll(
        unspent
          .selectFrom(branch.where('utxo_address.consumed_height', '>', at[chain].height).as('spent_since'))
          .selectAll(),
      )
      .orderBy('height', 'desc')
      .orderBy('ordinal', 'desc')
      .limit(limit)
      .as('entry')
  }
  return store.db
    .with('page', (db) =>
      db
        .selectFrom(lists)
        .innerJoinLateral(
          (eb) => entries(eb as unknown as ExpressionBuilder<Database, never>),
          (join) => join.onTrue(),
        )
        .select(['list.place', 'list.address', 'entry.height', 'entry.ordinal', 'entry.id'])
        .orderBy('list.place')
        .orderBy('entry.height', 'desc')
        .orderBy('entry.ordinal', 'desc')
        .limit(limit),
    )
    .selectFrom('page')
    .innerJoin('utxo', (join) =>
      join.onRef('utxo.height', '=', 'page.height').onRef('utxo.ordinal', '=', 'page.ordinal'),
    )
    .where('utxo.source', '=', source)
    .select(['page.address', 'page.height', 'page.ordinal', 'page.id', utxoBytes().as('bytes')])
    .orderBy('page.place')
    .orderBy('page.height', 'desc')
    .orderBy('page.ordinal', 'desc')
    .execute()
}
