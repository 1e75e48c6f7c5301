import { behind, fetchRows, orderBy, prepared } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { EvmSnapshot } from '../EvmSnapshot.ts'
import type { EvmStore } from '../EvmStore.ts'
import { inTransactions, narrowed, type Range, within } from './Range.ts'
import type { InBlock, TransactionPlace } from './Transactions.ts'

/** The position of an internal call: its block, transaction and index. */
export interface CallPlace {
  readonly height: bigint
  readonly transactionIndex: number
  /** Index of the call in the transaction's trace, in depth-first order. */
  readonly position: number
}

/** A call that a contract made during a transaction. */
export interface Call extends CallPlace {
  readonly type: string
  readonly sender: Uint8Array
  /** Address of the recipient; null for a contract creation that failed before the node computed the address. */
  readonly recipient: Uint8Array | null
  readonly value: bigint
  readonly gas: bigint
  readonly gasUsed: bigint
  readonly succeeded: boolean
}

/** An internal call with its block and transaction. */
export interface CallInBlock extends Call, InBlock {
  readonly transactionHash: Uint8Array
}

const PLACE = [sql`t.height`, sql`t.transaction_index`, sql`t.position`]

/**
 * Returns internal calls from or to an address, newest first.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { EvmInternalCalls, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const account = Hex.decode('0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc')
 * const newest = await EvmInternalCalls.ofAddress(store, at, account, { after: undefined, limit: 25 })
 * ```
 */
export async function ofAddress(
  store: EvmStore,
  at: EvmSnapshot,
  address: Uint8Array,
  query: Range & { readonly after: CallPlace | undefined; readonly limit: number },
): Promise<readonly CallInBlock[]> {
  const { after, limit } = query
  const key = after && [after.height, after.transactionIndex, after.position]
  const places = (owner: RawBuilder<unknown>) => sql`(select t.height, t.transaction_index, t.position
    from internal_call as t where ${owner} and ${within(sql`t.height`, at, narrowed(query, after))} and ${behind(PLACE, key)}
    ${orderBy(PLACE)} limit ${limit})`
  const all = sql`${places(sql`t.sender = ${address}`)} union all ${places(sql`t.recipient = ${address}`)}`
  return fetchRows(
    store,
    sql<CallInBlock>`
    ${prepared} select ${COLUMNS}, x.hash as "transactionHash", b.hash as "blockHash", b.time, b.time_milliseconds as "timeMilliseconds"
    from (select distinct * from (${all}) as found (height, transaction_index, position)
      ${orderBy([sql`height`, sql`transaction_index`, sql`position`])} limit ${limit}) as p
    join internal_call as t
      on t.height = p.height and t.transaction_index = p.transaction_index and t.position = p.position
    join transaction as x on x.height = p.height and x.transaction_index = p.transaction_index
    join block as b on b.height = p.height ${orderBy(PLACE)}`,
  )
}

/**
 * Returns the internal calls of transactions, in the order of their traces. If `address` is given, only calls
 * from or to it are returned.
 *
 * @example
 * ```ts
 * import { EvmInternalCalls, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const calls = await EvmInternalCalls.ofTransactions(store, [{ height: 42n, index: 0 }], undefined)
 * ```
 */
export async function ofTransactions(
  store: EvmStore,
  transactions: readonly TransactionPlace[],
  address: Uint8Array | undefined,
): Promise<readonly Call[]> {
  if (transactions.length === 0) return []
  const rows = inTransactions('internal_call', transactions, address)
  return fetchRows(store, sql<Call>`${prepared} select ${COLUMNS} from ${rows} ${orderBy(PLACE, 'asc')}`)
}

const COLUMNS = sql`t.height, t.transaction_index as "transactionIndex", t.position, t.type, t.sender, t.recipient, t.value,
  t.gas, t.gas_used as "gasUsed", t.succeeded`
