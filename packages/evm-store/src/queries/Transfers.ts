import { behind, fetchRows, type Order, orderBy, prepared } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { EvmSnapshot } from '../EvmSnapshot.ts'
import type { EvmStore } from '../EvmStore.ts'
import type { TokenKey } from '../TokenQueue.ts'
import { inTransactions, narrowed, type Range, within } from './Range.ts'
import type { InBlock, TransactionPlace } from './Transactions.ts'

/** The position of a transfer: its block, log and batch index. */
export interface TransferPlace {
  readonly height: bigint
  readonly logIndex: bigint
  /** Index of the transfer within an ERC-1155 batch. */
  readonly position: number
}

/** A transfer of tokens. */
export interface Transfer extends TransferPlace {
  readonly transactionIndex: number
  /** Token standard: 20, 721 or 1155. */
  readonly standard: number
  readonly contract: Uint8Array
  readonly sender: Uint8Array
  readonly recipient: Uint8Array
  readonly tokenId: bigint | null
  readonly amount: bigint
}

/** A transfer with its block and transaction. */
export interface TransferInBlock extends Transfer, InBlock {
  readonly transactionHash: Uint8Array
}

interface Query extends Range {
  readonly after: TransferPlace | undefined
  readonly limit: number
}

const PLACE = [sql`t.height`, sql`t.log_index`, sql`t.position`]

/**
 * Returns the token transfers of one standard from or to an address, newest first.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTransfers } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const account = Hex.decode('0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc')
 * const newest = await EvmTransfers.ofAddress(store, at, 20, account, { after: undefined, limit: 25 })
 * ```
 */
export function ofAddress(
  store: EvmStore,
  at: EvmSnapshot,
  standard: 20 | 721 | 1155,
  address: Uint8Array,
  query: Query,
): Promise<readonly TransferInBlock[]> {
  const of = (owner: RawBuilder<unknown>) =>
    places(sql`${owner} and t.standard = ${sql.lit(standard)}`, at, query)
  const all = sql`${of(sql`t.sender = ${address}`)} union all ${of(sql`t.recipient = ${address}`)}`
  return select(store, all, query.limit)
}

/**
 * Returns the transfers that a contract emitted, newest first.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTransfers } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const newest = await EvmTransfers.ofContract(store, at, contract, { after: undefined, limit: 25 })
 * ```
 */
export function ofContract(
  store: EvmStore,
  at: EvmSnapshot,
  contract: Uint8Array,
  query: Query,
): Promise<readonly TransferInBlock[]> {
  return select(store, places(sql`t.contract = ${contract}`, at, query), query.limit)
}

/**
 * Returns the transfers of one ERC-721 or ERC-1155 token, newest first.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { type EvmStore, EvmTransfers } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const newest = await EvmTransfers.ofToken(store, at, { contract, tokenId: 7n }, { after: undefined, limit: 25 })
 * ```
 */
export function ofToken(
  store: EvmStore,
  at: EvmSnapshot,
  { contract, tokenId }: TokenKey,
  query: Query,
): Promise<readonly TransferInBlock[]> {
  const isOf = sql`t.contract = ${contract} and t.token_id = ${String(tokenId)}::numeric`
  return select(store, places(isOf, at, query), query.limit)
}

/**
 * Returns the transfers in transactions, in the order of their logs. If `address` is given, only transfers
 * from or to it are returned.
 *
 * @example
 * ```ts
 * import { type EvmStore, EvmTransfers } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const transfers = await EvmTransfers.ofTransactions(store, [{ height: 42n, index: 0 }], undefined)
 * ```
 */
export async function ofTransactions(
  store: EvmStore,
  transactions: readonly TransactionPlace[],
  address: Uint8Array | undefined,
): Promise<readonly Transfer[]> {
  if (transactions.length === 0) return []
  const rows = inTransactions('transfer', transactions, address)
  return fetchRows(store, sql<Transfer>`${prepared} select ${COLUMNS} from ${rows} ${orderBy(PLACE, 'asc')}`)
}

/**
 * Returns token transfers, oldest first: those from or to one of the addresses or, without addresses, all of the chain.
 *
 * @example
 * ```ts
 * import { type EvmStore, EvmTransfers } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const query = { addresses: undefined, after: undefined, limit: 1_000 }
 * const oldest = await EvmTransfers.oldestFirst(store, at, query)
 * ```
 */
export function oldestFirst(
  store: EvmStore,
  at: EvmSnapshot,
  query: Query & { readonly addresses: readonly Uint8Array[] | undefined },
): Promise<readonly TransferInBlock[]> {
  const { addresses, limit } = query
  if (addresses === undefined) return select(store, places(sql`true`, at, query, 'asc'), limit, 'asc')
  const all = addresses.flatMap((address) =>
    (['sender', 'recipient'] as const).flatMap((column) =>
      ([20, 721, 1155] as const).map((standard) =>
        places(
          sql`t.${sql.ref(column)} = ${address} and t.standard = ${sql.lit(standard)}`,
          at,
          query,
          'asc',
        ),
      ),
    ),
  )
  return select(store, sql.join(all, sql` union all `), limit, 'asc')
}

const COLUMNS = sql`t.height, t.log_index as "logIndex", t.position, t.transaction_index as "transactionIndex", t.standard,
  t.contract, t.sender, t.recipient, t.token_id as "tokenId", t.amount`

function places(
  where: RawBuilder<unknown>,
  at: EvmSnapshot,
  query: Query,
  order: Order = 'desc',
): RawBuilder<unknown> {
  const { after, limit } = query
  const key = after && [after.height, after.logIndex, after.position]
  return sql`(select t.height, t.log_index, t.position from transfer as t
    where ${where} and ${within(sql`t.height`, at, narrowed(query, after, order))}
      and ${behind(PLACE, key, order)} ${orderBy(PLACE, order)} limit ${limit})`
}

async function select(
  store: EvmStore,
  places: RawBuilder<unknown>,
  limit: number,
  order: Order = 'desc',
): Promise<readonly TransferInBlock[]> {
  return fetchRows(
    store,
    sql<TransferInBlock>`
    ${prepared} select ${COLUMNS}, x.hash as "transactionHash", b.hash as "blockHash", b.time, b.time_milliseconds as "timeMilliseconds"
    from (select distinct * from (${places}) as found (height, log_index, position)
      ${orderBy([sql`height`, sql`log_index`, sql`position`], order)} limit ${limit}) as p
    join transfer as t on t.height = p.height and t.log_index = p.log_index and t.position = p.position
    join transaction as x on x.height = p.height and x.transaction_index = t.transaction_index
    join block as b on b.height = p.height ${orderBy(PLACE, order)}`,
  )
}
