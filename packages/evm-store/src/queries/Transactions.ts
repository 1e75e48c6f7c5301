import { behind, fetchRows, type Order, orderBy, prepared } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { EvmSnapshot } from '../EvmSnapshot.ts'
import type { EvmStore } from '../EvmStore.ts'
import { narrowed, type Range, within } from './Range.ts'

/** The position of a transaction: its block and index. */
export interface TransactionPlace {
  readonly height: bigint
  /** Index of the transaction in its block. */
  readonly index: number
}

/** Hash and times of the block that contains a list item. */
export interface InBlock {
  readonly blockHash: Uint8Array
  /** Time of the block in Unix seconds. */
  readonly time: bigint
  /** Time of the block in Unix milliseconds; null if the block header contains only seconds. */
  readonly timeMilliseconds: bigint | null
}

/** A transaction with its block, as returned in lists. */
export interface Transaction extends TransactionPlace, InBlock {
  readonly minDelayExcess: bigint | null
  readonly hash: Uint8Array
  readonly type: number
  readonly sender: Uint8Array
  /** Address of the recipient; null for the creation of a contract. */
  readonly recipient: Uint8Array | null
  readonly nonce: bigint
  readonly value: bigint
  /** First four bytes of the input, or the whole input if it is shorter. */
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

/** The token standards. Transfers are searched once per standard, because their index is sorted by standard. */
const STANDARDS = [20, 721, 1155] as const

const PLACE = [sql`t.height`, sql`t.transaction_index`]

/**
 * Returns the newest transactions of the chain. If `succeeded` is given, only succeeded or only failed
 * transactions are returned.
 *
 * @example
 * ```ts
 * import { type EvmStore, EvmTransactions } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const query = { after: undefined, limit: 25, succeeded: false }
 * const failed = await EvmTransactions.latest(store, at, query)
 * ```
 */
export async function latest(
  store: EvmStore,
  at: EvmSnapshot,
  query: Paging & Range & { readonly succeeded: boolean | undefined },
): Promise<readonly Transaction[]> {
  const { succeeded, after, limit } = query
  const status = succeeded === undefined ? sql`true` : succeeded ? sql`t.succeeded` : sql`not t.succeeded`
  const where = sql`${within(sql`t.height`, at, narrowed(query, after))} and ${behind(PLACE, key(after))} and ${status}`
  return ofPage(store, sql`where ${where} ${orderBy(PLACE)} limit ${limit}`, orderBy(PLACE))
}

/**
 * Returns the transactions of a block in order.
 *
 * @example
 * ```ts
 * import { type EvmStore, EvmTransactions } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const transactions = await EvmTransactions.ofBlock(store, 42n, { after: undefined, limit: 100 })
 * ```
 */
export async function ofBlock(
  store: EvmStore,
  height: bigint,
  { after = -1, limit }: { readonly after: number | undefined; readonly limit: number },
): Promise<readonly Transaction[]> {
  const where = sql`t.height = ${height} and t.transaction_index > ${after}`
  return ofPage(store, sql`where ${where} order by t.transaction_index limit ${limit}`, orderBy(PLACE, 'asc'))
}

/**
 * Returns transactions from or to an address, newest first.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTransactions } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const account = Hex.decode('0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc')
 * const newest = await EvmTransactions.ofAddress(store, at, account, { after: undefined, limit: 25 })
 * ```
 */
export async function ofAddress(
  store: EvmStore,
  at: EvmSnapshot,
  address: Uint8Array,
  query: Paging & Range,
): Promise<readonly Transaction[]> {
  const { after, limit } = query
  const where = sql`${within(sql`t.height`, at, narrowed(query, after))} and ${behind(PLACE, key(after))}`
  const places = (owner: RawBuilder<unknown>) => sql`(select t.height, t.transaction_index
    from transaction as t where ${owner} and ${where} ${orderBy(PLACE)} limit ${limit})`
  const all = sql`${places(sql`t.sender = ${address}`)} union all ${places(sql`t.recipient = ${address}`)}`
  return atPlaces(store, all, 'desc', limit)
}

/**
 * Returns transactions, oldest first: those from or to one of the addresses or, without addresses, all of the chain.
 *
 * @example
 * ```ts
 * import { type EvmStore, EvmTransactions } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const query = { addresses: undefined, after: undefined, limit: 1_000 }
 * const oldest = await EvmTransactions.oldestFirst(store, at, query)
 * ```
 */
export async function oldestFirst(
  store: EvmStore,
  at: EvmSnapshot,
  query: Paging & Range & { readonly addresses: readonly Uint8Array[] | undefined },
): Promise<readonly Transaction[]> {
  const { addresses, after, limit } = query
  const range = narrowed(query, after, 'asc')
  const where = sql`${within(sql`t.height`, at, range)} and ${behind(PLACE, key(after), 'asc')}`
  const page = sql`${orderBy(PLACE, 'asc')} limit ${limit}`
  if (addresses === undefined) return ofPage(store, sql`where ${where} ${page}`, orderBy(PLACE, 'asc'))
  const places = addresses.flatMap((address) =>
    (['sender', 'recipient'] as const).map(
      (column) => sql`(select t.height, t.transaction_index from transaction as t
        where t.${sql.ref(column)} = ${address} and ${where} ${page})`,
    ),
  )
  return atPlaces(store, sql.join(places, sql` union all `), 'asc', limit)
}

/**
 * Returns the transactions that involve an address: transactions from or to the address, and transactions
 * with a token transfer or an internal call from or to it.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTransactions } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const account = Hex.decode('0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc')
 * const query = { after: undefined, limit: 25, order: 'asc' } as const
 * const oldest = await EvmTransactions.involving(store, at, account, query)
 * ```
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
  // All branches read an index in its own order, so that no plan sorts all rows of a busy address, not even one made
  // with wrong estimates.
  const places = (['sender', 'recipient'] as const).flatMap((column) => {
    const own = sql`t.${sql.ref(column)} = ${address} and ${where}`
    const page = sql`${orderBy(PLACE, order)} limit ${limit}`
    return [
      sql`(select t.height, t.transaction_index from transaction as t where ${own} ${page})`,
      sql`(select t.height, t.transaction_index from internal_call as t where ${own}
        group by t.height, t.transaction_index ${page})`,
      ...STANDARDS.map((standard) => {
        const transfers = sql`transfer as t where ${own} and t.standard = ${sql.lit(standard)}`
        return sql`(select t.height, t.transaction_index from (${eachOnce(transfers, order)}) as t
          where t.is_first limit ${limit})`
      }),
    ]
  })
  return atPlaces(store, sql.join(places, sql` union all `), order, limit)
}

/**
 * Selects the transactions of transfers in the order of the transfers' index. `is_first` is true for one transfer of
 * each transaction. Log indices increase with the index of the transaction.
 */
function eachOnce(transfers: RawBuilder<unknown>, order: Order): RawBuilder<unknown> {
  const inOrder = orderBy([sql`t.height`, sql`t.log_index`, sql`t.position`], order)
  return sql`select t.height, t.transaction_index,
    (lag(t.height) over w, lag(t.transaction_index) over w) is distinct from (t.height, t.transaction_index) as is_first
    from ${transfers} window w as (${inOrder})`
}

/**
 * Returns the transaction with the given hash, or undefined if the snapshot does not contain it.
 *
 * @example
 * ```ts
 * import { type EvmStore, EvmTransactions } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * declare const hash: Uint8Array
 * const at = await store.snapshot()
 * const transaction = await EvmTransactions.byHash(store, at, hash)
 * ```
 */
export async function byHash(
  store: EvmStore,
  at: EvmSnapshot,
  hash: Uint8Array,
): Promise<FullTransaction | undefined> {
  return full(store, sql`t.hash = ${hash} and t.height <= ${at.height}`)
}

/**
 * Returns the transaction at a position, or undefined if none is stored there.
 *
 * @example
 * ```ts
 * import { type EvmStore, EvmTransactions } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const first = await EvmTransactions.atPlace(store, { height: 42n, index: 0 })
 * ```
 */
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

/**
 * Returns a page of transactions. On one server, the block of each is looked up, because the plan does not know the size of
 * the page, and a join would read all blocks. Citus knows the size, and has no such lookups.
 */
async function ofPage(
  store: EvmStore,
  page: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<readonly Transaction[]> {
  const blocks = store.isSharded
    ? sql`join block as b on b.height = t.height`
    : sql`cross join lateral (select * from block as b where b.height = t.height limit 1) as b`
  return fetchRows(
    store,
    sql<Transaction>`${prepared} select ${COLUMNS} from (select * from transaction as t ${page}) as t
    ${blocks} ${order}`,
  )
}

/** Returns the transaction that matches a condition. */
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
): Promise<readonly Transaction[]> {
  // Sorting the places is cheaper than a `union`, whose hash table is too small for them, because their number is unknown.
  const first = sql`select distinct height, transaction_index from (${places}) as found (height, transaction_index)
    ${orderBy([sql`height`, sql`transaction_index`], order)} limit ${limit}`
  const page = sql`join (${first}) as p using (height, transaction_index)`
  return ofPage(store, page, orderBy(PLACE, order))
}

function key(after: TransactionPlace | undefined): readonly [bigint, number] | undefined {
  return after && [after.height, after.index]
}
