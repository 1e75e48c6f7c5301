import { fetchFirst, fetchRows, prepared } from '@firn/sql'
import { sql } from 'kysely'
import type { EvmStore } from '../EvmStore.ts'
import type { Call } from './InternalCalls.ts'
import * as TraceGaps from './TraceGaps.ts'
import type { Transfer } from './Transfers.ts'

/** A transaction as it is in its block. */
export interface BlockTransaction {
  readonly index: number
  readonly hash: Uint8Array
  readonly type: number
  readonly sender: Uint8Array
  /** Null for the creation of a contract. */
  readonly recipient: Uint8Array | null
  /** The contract that the transaction created; null if it created none. */
  readonly created: Uint8Array | null
  readonly nonce: bigint
  readonly value: bigint
  readonly input: Uint8Array
  readonly maxFeePerGas: bigint | null
  readonly maxPriorityFeePerGas: bigint | null
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  readonly gasPrice: bigint
  readonly succeeded: boolean
}

/** A log as it is in its block. */
export interface BlockLog {
  readonly logIndex: bigint
  readonly transactionIndex: number
  readonly address: Uint8Array
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
}

/** A block with everything that is stored of its transactions. */
export interface BlockContents {
  readonly height: bigint
  readonly hash: Uint8Array
  /** Time of the block in Unix seconds. */
  readonly time: bigint
  readonly settledHeight: bigint | null
  readonly transactions: readonly BlockTransaction[]
  readonly transfers: readonly Transfer[]
  /** Internal calls; undefined if no node has returned the traces of the block yet, and empty on a chain without traces. */
  readonly calls: readonly Call[] | undefined
  readonly logs: readonly BlockLog[]
}

/**
 * Returns the block at a height with its transactions, token transfers, internal calls and logs, each in order. Returns
 * undefined if no block is stored there, or if a reorg removes it meanwhile.
 *
 * @example
 * ```ts
 * import { EvmBlockContents, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const block = await EvmBlockContents.atHeight(store, 42n)
 * console.log(block?.transactions.length, block?.logs.length)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function atHeight(store: EvmStore, height: bigint): Promise<BlockContents | undefined> {
  const header = await headerAt(store, height)
  if (header === undefined) return undefined
  // Read first, because the traces may be added meanwhile.
  const isUntraced = (await TraceGaps.among(store, [height])).has(height)
  const [transactions, transfers, calls, logs] = await Promise.all([
    fetchRows(
      store,
      sql<BlockTransaction>`${prepared} select transaction_index as index, hash, type, sender, recipient, created, nonce, value,
      input, max_fee_per_gas as "maxFeePerGas", max_priority_fee_per_gas as "maxPriorityFeePerGas", gas_limit as "gasLimit",
      gas_used as "gasUsed", gas_price as "gasPrice", succeeded
      from transaction where height = ${height} order by transaction_index`,
    ),
    fetchRows(
      store,
      sql<Transfer>`${prepared} select height, log_index as "logIndex", position, transaction_index as "transactionIndex",
      standard, contract, sender, recipient, token_id as "tokenId", amount
      from transfer where height = ${height} order by log_index, position`,
    ),
    fetchRows(
      store,
      sql<Call>`${prepared} select height, transaction_index as "transactionIndex", position, type, sender, recipient, value, gas,
      gas_used as "gasUsed", succeeded
      from internal_call where height = ${height} order by transaction_index, position`,
    ),
    logsAt(store, height),
  ])
  // The statements may have seen different branches.
  const now = await headerAt(store, height)
  const isSame = now !== undefined && Buffer.compare(now.hash, header.hash) === 0
  return isSame
    ? { ...header, transactions, transfers, calls: isUntraced ? undefined : calls, logs }
    : undefined
}

/** The header of a block, as far as its contents have it. */
export type Header = Pick<BlockContents, 'height' | 'hash' | 'time' | 'settledHeight'>

/**
 * Returns the header of the block at a height, or undefined if no block is stored there.
 *
 * @example
 * ```ts
 * import { EvmBlockContents, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const header = await EvmBlockContents.headerAt(store, 42n)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export function headerAt(store: EvmStore, height: bigint): Promise<Header | undefined> {
  return fetchFirst(
    store,
    sql<Header>`${prepared} select height, hash, time, settled_height as "settledHeight" from block where height = ${height}`,
  )
}

async function logsAt(store: EvmStore, height: bigint): Promise<readonly BlockLog[]> {
  const rows = await fetchRows(
    store,
    sql<
      Omit<BlockLog, 'topics'> & { readonly [topic: `topic${number}`]: Uint8Array | null }
    >`${prepared} select log_index as "logIndex", transaction_index as "transactionIndex", address, topic0, topic1, topic2,
      topic3, data from log where height = ${height} order by log_index`,
  )
  return rows.map(({ topic0, topic1, topic2, topic3, ...log }) => ({
    ...log,
    topics: [topic0, topic1, topic2, topic3].filter((topic) => topic !== null && topic !== undefined),
  }))
}
