import { type RawBuilder, sql } from 'kysely'
import { fetchRows } from '../../internal/database.ts'
import type { Order } from '../../internal/Order.ts'
import { prepared } from '../../internal/prepared.ts'
import type { EvmSnapshot } from '../EvmSnapshot.ts'
import type { EvmStore } from '../EvmStore.ts'
import { behind, by, narrowed, type Range, within } from './Range.ts'

/** The place of a transaction. */
export interface TransactionPlace {
  readonly height: bigint
  /** Its position in the block. */
  readonly index: number
}

/** The block of a list item. */
export interface InBlock {
  readonly blockHash: Uint8Array
  /** Unix seconds. */
  readonly time: bigint
  /** Unix milliseconds. */
  readonly timeMilliseconds: bigint | null
}

/** A transaction with its block, as returned in lists. */
export interface Transaction extends TransactionPlace, InBlock {
  readonly minDelayExcess: bigint | null
  readonly hash: Uint8Array
  readonly type: number
  readonly sender: Uint8Array
  /** Null for the creation of a contract. */
  readonly recipient: Uint8Array | null
  readonly nonce: bigint
  readonly value: bigint
  /** The first four bytes of the input, or all of a shorter one. */
  readonly selector: Uint8Array
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  readonly gasPrice: bigint
  readonly succeeded: boolean
}

/** A transaction with all its stored data. */
export interface FullTransaction extends Transaction {
  readonly input: Uint8Array
  readonly baseFee: bigint | null
  readonly maxFeePerGas: bigint | null
  readonly maxPriorityFeePerGas: bigint | null
}

interface Paging {
  readonly after: TransactionPlace | undefined
  readonly limit: number
}

/** The tables that have an address; the index of transfers is sorted by standard. */
const SOURCES = [
  { table: 'transaction', of: sql`true` },
  { table: 'internal_call', of: sql`true` },
  ...[20, 721, 1155].map((standard) => ({ table: 'transfer', of: sql`t.standard = ${sql.lit(standard)}` })),
]

const PLACE = [sql`t.height`, sql`t.transaction_index`]

/** Returns transactions of the chain, newest first; only succeeded or only failed ones if `succeeded` is given. */
export async function latest(
  store: EvmStore,
  at: EvmSnapshot,
  query: Paging & Range & { readonly succeeded: boolean | undefined },
): Promise<readonly Transaction[]> {
  const { succeeded, after, limit } = query
  const status = succeeded === undefined ? sql`true` : succeeded ? sql`t.succeeded` : sql`not t.succeeded`
  const where = sql`${within(sql`t.height`, at, narrowed(query, after))} and ${behind(PLACE, key(after))} and ${status}`
  return ofPage(store, sql`where ${where} ${by(PLACE)} limit ${limit}`, by(PLACE))
}

/** Returns transactions of a block in their order. */
export async function ofBlock(
  store: EvmStore,
  height: bigint,
  { after = -1, limit }: { readonly after: number | undefined; readonly limit: number },
): Promise<readonly Transaction[]> {
  const where = sql`t.height = ${height} and t.transaction_index > ${after}`
  return ofPage(store, sql`where ${where} order by t.transaction_index limit ${limit}`, by(PLACE, 'asc'))
}

/** Returns transactions from or to an address, newest first. */
export async function ofAddress(
  store: EvmStore,
  at: EvmSnapshot,
  address: Uint8Array,
  query: Paging & Range,
): Promise<readonly Transaction[]> {
  const { after, limit } = query
  const where = sql`${within(sql`t.height`, at, narrowed(query, after))} and ${behind(PLACE, key(after))}`
  const places = (owner: RawBuilder<unknown>) => sql`(select t.height, t.transaction_index
    from transaction as t where ${owner} and ${where} ${by(PLACE)} limit ${limit})`
  const all = sql`${places(sql`t.sender = ${address}`)} union ${places(sql`t.recipient = ${address}`)}`
  return atPlaces(store, all, 'desc', limit, prepared)
}

/**
 * Returns transactions that involve an address: from or to it, or with a token transfer or an internal call from or to it.
 */
export async function involving(
  store: EvmStore,
  at: EvmSnapshot,
  address: Uint8Array,
  query: Paging & Range & { readonly order: Order },
): Promise<readonly Transaction[]> {
  const { after, order, limit } = query
  const range = narrowed(query, after, order)
  const where = sql`${within(sql`t.height`, at, range)} and ${behind(PLACE, key(after), order)}`
  // `group by` instead of `distinct`: PostgreSQL sorts groups incrementally by height, as the index has them, and stops at the limit.
  const places = SOURCES.flatMap(({ table, of }) =>
    (['sender', 'recipient'] as const).map(
      (column) => sql`(select t.height, t.transaction_index from ${sql.table(table)} as t
        where t.${sql.ref(column)} = ${address} and ${of} and ${where} group by t.height, t.transaction_index
        ${by(PLACE, order)} limit ${limit})`,
    ),
  )
  return atPlaces(store, sql.join(places, sql` union `), order, limit)
}

/** Returns the transaction with a hash; undefined where the snapshot has none. */
export async function byHash(
  store: EvmStore,
  at: EvmSnapshot,
  hash: Uint8Array,
): Promise<FullTransaction | undefined> {
  return full(store, sql`t.hash = ${hash} and t.height <= ${at.height}`)
}

/** Returns the transaction at a place. */
export async function atPlace(
  store: EvmStore,
  { height, index }: TransactionPlace,
): Promise<FullTransaction | undefined> {
  return full(store, sql`t.height = ${height} and t.transaction_index = ${index}`)
}

const COLUMNS = sql`t.height, t.transaction_index as index, t.hash, t.type, t.sender, t.recipient, t.nonce, t.value, t.selector,
  t.gas_limit as "gasLimit", t.gas_used as "gasUsed", t.gas_price as "gasPrice", t.succeeded, b.hash as "blockHash", b.time,
  b.time_milliseconds as "timeMilliseconds", b.min_delay_excess as "minDelayExcess"`
const FULL_COLUMNS = sql`t.input, b.base_fee as "baseFee", t.max_fee_per_gas as "maxFeePerGas",
  t.max_priority_fee_per_gas as "maxPriorityFeePerGas"`

/** Returns the transactions of a page, joined only with their blocks. */
async function ofPage(
  store: EvmStore,
  page: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  mark = sql``,
): Promise<readonly Transaction[]> {
  return fetchRows(
    store,
    sql<Transaction>`${mark} select ${COLUMNS} from (select * from transaction as t ${page}) as t
    join block as b on b.height = t.height ${order}`,
  )
}

/** Returns the transaction that a condition selects. */
async function full(store: EvmStore, where: RawBuilder<unknown>): Promise<FullTransaction | undefined> {
  const rows = await fetchRows(
    store,
    sql<FullTransaction>`${prepared} select ${COLUMNS}, ${FULL_COLUMNS} from transaction as t
    join block as b on b.height = t.height where ${where}`,
  )
  return rows[0]
}

function atPlaces(
  store: EvmStore,
  places: RawBuilder<unknown>,
  order: Order,
  limit: number,
  mark = sql``,
): Promise<readonly Transaction[]> {
  const first = sql`select height, transaction_index from (${places}) as found (height, transaction_index)
    ${by([sql`height`, sql`transaction_index`], order)} limit ${limit}`
  const page = sql`join (${first}) as p using (height, transaction_index)`
  return ofPage(store, page, by(PLACE, order), mark)
}

function key(after: TransactionPlace | undefined): readonly [bigint, number] | undefined {
  return after && [after.height, after.index]
}
