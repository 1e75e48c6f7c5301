import { Hex } from '@firn/codec'
import { EventAbi, EventDecoder } from '@firn/evm'
import { createStatements, fetchFirst, type Session, StoreError, TableRows } from '@firn/sql'
import { sql } from 'kysely'
import type { EvmStore } from './EvmStore.ts'
import {
  columnNames,
  type EventSource,
  identityOf,
  indexStatements,
  tableNames,
  tableOf,
} from './internal/eventColumns.ts'
import { type EventTableRow, ofRow } from './internal/eventTable.ts'
import { commitTogether, isSharded, moveTable } from './internal/sharding.ts'
import { untilFinished } from './internal/unfinished.ts'
import * as Logs from './queries/Logs.ts'
import * as Retention from './queries/Retention.ts'

export type { EventSource } from './internal/eventColumns.ts'
export type { EventTable } from './internal/eventTable.ts'

/** Number of logs that are decoded in one database transaction. */
const BATCH = 5_000

/**
 * Creates the tables of events, one for each event, and returns their names. A table whose event or contracts have
 * changed is created anew and filled again from the stored logs.
 *
 * @example
 * ```ts
 * import { EventAbi } from '@firn/evm'
 * import { EventTables, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * declare const abi: unknown
 * const sources = EventAbi.parse(abi).map((event) => ({ abi: 'ERC20', event, addresses: [] }))
 * const tables = await EventTables.create(store, sources)
 * while (await EventTables.advance(store, tables)) console.log('decoding older logs')
 * ```
 * @throws StoreError `STORE_EMPTY` if the chain's logs are not stored; `STORE_QUERY` if an event is given twice;
 * `STORE_UNAVAILABLE`
 */
export async function create(store: EvmStore, sources: readonly EventSource[]): Promise<readonly string[]> {
  const names = namesOf(sources)
  const firsts = await Promise.all(sources.map((source) => firstOf(store, source)))
  await store.driver.transaction(async (session) => {
    await dropRenamed(session, sources, names)
    for (const [i, source] of sources.entries())
      await createOne(session, names[i] as string, source, firsts[i] as bigint)
  })
  return names
}

/**
 * Returns the height from which on events can be decoded: their logs are stored, and they are not pruned.
 * @throws StoreError `STORE_EMPTY`
 */
async function firstOf(store: EvmStore, source: EventSource): Promise<bigint> {
  const stored = await Logs.matchesCompleteFrom(store, filterOf(source))
  if (stored === undefined) {
    const message = `the logs of chain ${store.chainId} are not stored, so no events can be decoded`
    throw new StoreError('STORE_EMPTY', message)
  }
  const kept = (await Retention.keptFrom(store, 'events')) ?? 0n
  return kept > stored ? kept : stored
}

function filterOf({ addresses, event }: EventSource): Logs.LogFilter {
  return { addresses, topics: [[EventAbi.topic(event)]] }
}

/** @throws StoreError `STORE_QUERY` if an event is given twice */
function namesOf(sources: readonly EventSource[]): readonly string[] {
  const all = sources.map(tableNames)
  const counts = new Map<string, number>()
  for (const name of all.flat()) counts.set(name, (counts.get(name) ?? 0) + 1)
  return all.map((names, i) => {
    const found = names.find((name) => counts.get(name) === 1)
    if (found !== undefined) return found
    const { abi, event } = sources[i] as EventSource
    throw new StoreError('STORE_QUERY', `${abi}: event ${event.name} is given twice; omit one`)
  })
}

/** Removes the tables that the events had before their names changed, because overloaded events were added or removed. */
async function dropRenamed(
  session: Session,
  sources: readonly EventSource[],
  names: readonly string[],
): Promise<void> {
  const nameByIdentity = new Map(sources.map((source, i) => [identityOf(source), names[i] as string]))
  for (const row of await session.query('select * from event_table order by name for update')) {
    const { name, source } = ofRow(row as EventTableRow)
    const now = nameByIdentity.get(identityOf(source))
    if (now === undefined || now === name) continue
    await session.query(`drop table if exists "${name}"`)
    await session.query('delete from event_table where name = $1', [name])
  }
}

async function createOne(session: Session, name: string, source: EventSource, first: bigint): Promise<void> {
  const { abi, event, addresses } = source
  const definition = JSON.stringify({
    abi,
    event,
    addresses: addresses.map((address) => Hex.encode(address)),
  })
  const [row] = await session.query('select * from event_table where name = $1 for update', [name])
  // Logs between the last decoded block and `first` may be missing.
  if (row?.['definition'] === definition && (row['next_height'] as bigint) >= first) {
    for (const statement of indexStatements(name, event)) await session.query(statement)
    return
  }
  await session.query(`drop table if exists "${name}"`)
  for (const statement of createStatements(`"${name}"`, quoted(tableOf(event))))
    await session.query(statement)
  for (const statement of indexStatements(name, event)) await session.query(statement)
  const [sharding] = await session.query('select shards from sharding')
  if (sharding !== undefined) await moveTable(session, name, 'height', sharding['shards'] as number)
  await session.query('delete from event_table where name = $1', [name])
  await session.query(
    'insert into event_table (name, definition, from_height, next_height) values ($1, $2, $3, $3)',
    [name, definition, String(first)],
  )
}

/** Returns a table with quoted column names, because parameters may be named like SQL keywords. */
function quoted<T extends ReturnType<typeof tableOf>>(table: T): T {
  const columns = Object.entries(table.columns).map(([name, column]) => [`"${name}"`, column])
  return { ...table, columns: Object.fromEntries(columns) }
}

/**
 * Decodes the next stored logs into tables of events: up to 5,000 logs for each table. Returns whether a table has
 * further logs to decode. May run while a writer adds and undoes blocks. An undo also removes the events of its
 * blocks.
 *
 * @example
 * ```ts
 * import { EventTables, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const hasMore = await EventTables.advance(store, ['event_erc20_transfer'])
 * ```
 * @throws StoreError `STORE_HALTED` if the chain is not served, `STORE_UNAVAILABLE`
 */
export async function advance(store: EvmStore, names: readonly string[]): Promise<boolean> {
  let hasMore = false
  for (const name of names) hasMore = (await advanceOne(store, name)) || hasMore
  return hasMore
}

async function advanceOne(store: EvmStore, name: string): Promise<boolean> {
  const row = await fetchFirst(store, sql<EventTableRow>`select * from event_table where name = ${name}`)
  const at = await store.snapshot().catch((error: unknown) => {
    if ((error as StoreError).code === 'STORE_EMPTY') return undefined
    throw error
  })
  if (row === undefined || at === undefined || at.height < row.next_height) return false
  const { source, nextHeight } = ofRow(row)
  const filter = filterOf(source)
  const query = { order: 'asc', from: nextHeight, limit: BATCH } as const
  const found: Logs.Log[] = []
  let after: Logs.LogPlace | undefined
  // The events of a block are stored together, so the logs of the first block must all be read.
  do {
    const { logs, stoppedAt } = await Logs.page(store, at, filter, { ...query, after })
    found.push(...logs)
    after = logs.length === BATCH ? logs.at(-1) : stoppedAt
  } while (after?.height === nextHeight)
  const next = after?.height ?? at.height + 1n
  const rows = rowsOf(
    name,
    source.event,
    found.filter(({ height }) => height < next),
  )
  return store.driver.transaction(async (session) => {
    const [now] = await session.query('select next_height from event_table where name = $1 for update', [
      name,
    ])
    if (await isSharded(session)) {
      await untilFinished(session.query)
      await commitTogether(session)
    }
    const kept = await session.query('select from block where height = $1 and hash = $2', [
      String(at.height),
      at.hash,
    ])
    // If the blocks were undone in the meantime, or another process has decoded them, nothing is stored.
    if (now?.['next_height'] !== nextHeight || kept.length === 0) return true
    if (rows.count > 0) await session.copy(rows.target, rows.finish())
    await session.query('update event_table set next_height = $2 where name = $1', [name, String(next)])
    return next <= at.height
  })
}

function rowsOf(
  name: string,
  event: EventAbi.EventAbi,
  logs: readonly Logs.Log[],
): TableRows<Record<string, unknown>> {
  const rows = new TableRows<Record<string, unknown>>(`"${name}"`, quoted(tableOf(event)))
  const columns = columnNames(event)
  for (const log of logs) {
    const values = EventDecoder.decode(event, log)
    if (values === undefined) continue
    const { height, logIndex, transactionIndex, address } = log
    rows.add({
      '"height"': height,
      '"log_index"': logIndex,
      '"transaction_index"': transactionIndex,
      '"address"': address,
      ...Object.fromEntries(values.map((value, i) => [`"${columns[i]}"`, value])),
    })
  }
  return rows
}
