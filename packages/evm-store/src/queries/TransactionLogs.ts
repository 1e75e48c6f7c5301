import { fetchRows, prepared } from '@firn/sql'
import { sql } from 'kysely'
import type { EvmStore } from '../EvmStore.ts'
import { completeFrom } from './Logs.ts'
import type { TransactionPlace } from './Transactions.ts'

/** A log within its transaction. */
export interface TransactionLog {
  readonly logIndex: bigint
  readonly address: Uint8Array
  /** The topics, of 32 bytes each; at most four. */
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
}

/** The first logs of a transaction. */
export interface TransactionLogs {
  readonly logs: readonly TransactionLog[]
  /** Whether the transaction has more logs. */
  readonly hasMore: boolean
}

/** Number of bytes of data after which no further log is returned. */
const MOST_BYTES = 4 << 20

/**
 * Returns the first logs of a transaction in order: at most `limit`, and few if their data are large. Returns undefined
 * if not all logs of its block are stored.
 *
 * @example
 * ```ts
 * import { type EvmStore, EvmTransactionLogs } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const found = await EvmTransactionLogs.first(store, { height: 42n, index: 0 }, 100)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function first(
  store: EvmStore,
  { height, index }: TransactionPlace,
  limit: number,
): Promise<TransactionLogs | undefined> {
  const rows = await fetchRows(
    store,
    sql<Row>`${prepared} select log_index as "logIndex", address, topic0, topic1, topic2, topic3, data,
        total
      from (select *, sum(octet_length(data)) over (order by log_index) - octet_length(data) as bytes,
        (count(*) over ())::int as total from (select * from log where height = ${height} and transaction_index = ${index}
          order by log_index limit ${limit + 1}) as first) as sized
      where bytes <= ${MOST_BYTES} order by log_index`,
  )
  // Logs may be removed while they are read, so this is read last.
  const kept = await completeFrom(store)
  if (kept === undefined || kept > height) return undefined
  const logs = rows.slice(0, limit).map(({ total: _, topic0, topic1, topic2, topic3, ...log }) => ({
    ...log,
    topics: [topic0, topic1, topic2, topic3].filter((topic) => topic !== null),
  }))
  return { logs, hasMore: logs.length < (rows[0]?.total ?? 0) }
}

interface Row extends Omit<TransactionLog, 'topics'> {
  /** Number of logs, up to one more than requested. */
  readonly total: number
  readonly topic0: Uint8Array | null
  readonly topic1: Uint8Array | null
  readonly topic2: Uint8Array | null
  readonly topic3: Uint8Array | null
}
