import { Bytes } from '@firn/codec'
import { IcmEvents } from '@firn/evm'
import { fetchFirst, fetchRows, type Session, StoreError } from '@firn/sql'
import { sql } from 'kysely'
import type { EvmSnapshot } from './EvmSnapshot.ts'
import type { EvmStore } from './EvmStore.ts'
import { type IcmRow, icmRow } from './internal/icmRows.ts'
import { commitTogether, isSharded } from './internal/sharding.ts'
import { storeIcm } from './internal/storeIcm.ts'
import { untilFinished } from './internal/unfinished.ts'
import * as Logs from './queries/Logs.ts'

/** Number of logs that are read in one database transaction. */
const BATCH = 5_000
/** Logs are found by each topic, and the number of examined logs is shared by all of them. */
const MOST_EXAMINED = BATCH * IcmEvents.ALL_TOPICS.length
const FILTER: Logs.LogFilter = { addresses: [], topics: [IcmEvents.ALL_TOPICS] }

/**
 * Reads the interchain messages of blocks that were stored by an earlier version, from their logs: up to 5,000 logs.
 * Returns whether there are further ones. Once there are none, the writer stores the messages together with their
 * blocks. May run while a writer adds and undoes blocks, and continues where another process has stopped.
 *
 * @example
 * ```ts
 * import { type EvmStore, IcmBackfill } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * while (await IcmBackfill.advance(store)) console.log('reading older messages')
 * ```
 * @throws StoreError `STORE_HALTED` if the chain is not served, `STORE_UNAVAILABLE`
 */
export async function advance(store: EvmStore): Promise<boolean> {
  const at = await store.snapshot().catch((error: unknown) => {
    if (error instanceof StoreError && error.code === 'STORE_EMPTY') return undefined
    throw error
  })
  const row = await fetchFirst(store, sql<{ next: bigint }>`select next_height as next from icm_progress`)
  if (row === undefined || at === undefined || at.height < row.next) return false
  const { logs, next } = await readLogs(store, at, row.next)
  const rows = await rowsOf(store, logs)
  return store.driver.transaction(async (session) => {
    const [now] = await session.query('select next_height as next from icm_progress for update')
    if (await isSharded(session)) {
      await untilFinished(session.query)
      await commitTogether(session)
    }
    // If the blocks were undone in the meantime, or another process has read them, nothing is stored.
    if (now?.['next'] !== row.next || !(await isStored(session, at))) return true
    await storeIcm(session, rows)
    await session.query('update icm_progress set next_height = $1', [String(next)])
    return next <= at.height
  })
}

/** Returns the next logs, and the height of the block after them. The logs of a block are returned together. */
async function readLogs(
  store: EvmStore,
  at: EvmSnapshot,
  from: bigint,
): Promise<{ readonly logs: readonly Logs.Log[]; readonly next: bigint }> {
  const found: Logs.Log[] = []
  let after: Logs.LogPlace | undefined
  do {
    const query = { order: 'asc', from, limit: BATCH, mostExamined: MOST_EXAMINED, after } as const
    const { logs, stoppedAt } = await Logs.page(store, at, FILTER, query)
    found.push(...logs)
    after = logs.length === BATCH ? logs.at(-1) : stoppedAt
  } while (after?.height === from)
  const next = after?.height ?? at.height + 1n
  return { logs: found.filter(({ height }) => height < next), next }
}

async function rowsOf(store: EvmStore, logs: readonly Logs.Log[]): Promise<readonly IcmRow[]> {
  const transactions = [
    ...Map.groupBy(logs, ({ height, transactionIndex }) => `${height} ${transactionIndex}`).values(),
  ]
  const firsts = transactions.flatMap(([first]) => first ?? [])
  const gas = await gasOf(store, firsts)
  return transactions.flatMap((own) => {
    const [{ height, time, transactionIndex: index, transactionHash: hash }] = own as [Logs.Log]
    const transaction = { hash, gasUsed: gas.get(`${height} ${index}`) ?? 0n }
    const indexed = own.map(({ logIndex, ...log }) => ({ ...log, index: logIndex }))
    return IcmEvents.ofTransaction({ index, logs: indexed }).map((event) =>
      icmRow(event, { height, time, transaction }),
    )
  })
}

/** Returns the gas used by the transactions of logs, by height and index. */
async function gasOf(store: EvmStore, logs: readonly Logs.Log[]): Promise<ReadonlyMap<string, bigint>> {
  const rows = await fetchRows(
    store,
    sql<{ height: bigint; index: number; gas: bigint }>`
    select t.height, t.transaction_index as index, t.gas_used as gas
    from unnest(${sql.val(logs.map(({ height }) => String(height)))}::bigint[],
      ${sql.val(logs.map(({ transactionIndex }) => transactionIndex))}::int[]) as k (height, transaction_index)
    join transaction t on t.height = k.height and t.transaction_index = k.transaction_index`,
  )
  return new Map(rows.map(({ height, index, gas }) => [`${height} ${index}`, gas]))
}

async function isStored(session: Session, at: EvmSnapshot): Promise<boolean> {
  const [block] = await session.query('select hash from block where height = $1', [String(at.height)])
  return block !== undefined && Bytes.equals(block['hash'] as Uint8Array, at.hash)
}
