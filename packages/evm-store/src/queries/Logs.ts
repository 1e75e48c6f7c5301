import { behind, fetchFirst, fetchRows, type Order, orderBy } from '@firn/sql'
import { type RawBuilder, sql } from 'kysely'
import type { EvmSnapshot } from '../EvmSnapshot.ts'
import type { EvmStore } from '../EvmStore.ts'
import { narrowed, ofValue, type Range, within } from './Range.ts'
import type { InBlock } from './Transactions.ts'

/** The position of a log: its block and its index. */
export interface LogPlace {
  readonly height: bigint
  readonly logIndex: bigint
}

/** A log with its block and transaction. */
export interface Log extends LogPlace, InBlock {
  readonly transactionIndex: number
  readonly transactionHash: Uint8Array
  readonly address: Uint8Array
  /** The topics, of 32 bytes each; at most four. */
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
}

/** The logs to return, as in a filter of `eth_getLogs`. */
export interface LogFilter {
  /** Contracts that emitted the logs; empty for all contracts. */
  readonly addresses: readonly Uint8Array[]
  /**
   * The accepted values of each topic. An empty list accepts any value, but the log must have a topic at this
   * position. Logs may have more topics.
   */
  readonly topics: readonly (readonly Uint8Array[])[]
}

/** A part of a list of logs. */
export interface LogPage {
  readonly logs: readonly Log[]
  /**
   * Position up to which logs were examined, if the query stopped before the end of the range and before the limit.
   * Undefined otherwise.
   */
  readonly stoppedAt: LogPlace | undefined
}

/** Options of {@link page}. */
export interface LogQuery extends Range {
  readonly order: Order
  readonly after: LogPlace | undefined
  readonly limit: number
  /** Maximum number of logs to examine; default 20,000. */
  readonly mostExamined?: number
  /** Number of bytes of data after which the page ends; default 16 MiB. */
  readonly mostBytes?: number
}

const MOST_EXAMINED = 20_000
const MOST_BYTES = 16 << 20
/** Number of logs up to which a query counts the candidates of an index. */
const MOST_COUNTED = 1_000
/** Maximum number of topics of a log. */
const TOPICS = 4

const PLACE = [sql`t.height`, sql`t.log_index`]

/** Selects the height from which on all logs are stored. */
export const LOGS_FROM = sql`select case when logs_from is not null
  then greatest(logs_from, (select below from pruned where kind = 'logs')) end as height from chain`

/**
 * Returns the height from which on the logs of all blocks are stored, or undefined if logs are not stored. Logs may be
 * pruned while they are read. An answer is complete if this height, read after the logs, is not above their range.
 *
 * @example
 * ```ts
 * import { EvmLogs, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const height = await EvmLogs.completeFrom(store)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function completeFrom(store: EvmStore): Promise<bigint | undefined> {
  const row = await fetchFirst(store, sql<{ height: bigint | null }>`${LOGS_FROM}`)
  return row?.height ?? undefined
}

/**
 * Returns the height from which on all logs that match a filter are stored, or undefined if they are not stored. It
 * differs from {@link completeFrom} on a chain of which only events are stored.
 *
 * @example
 * ```ts
 * import { EvmLogs, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * declare const filter: EvmLogs.LogFilter
 * const height = await EvmLogs.matchesCompleteFrom(store, filter)
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function matchesCompleteFrom(
  store: EvmStore,
  { addresses, topics: [topic0 = []] }: LogFilter,
): Promise<bigint | undefined> {
  const from = await completeFrom(store)
  if (from !== undefined || topic0.length === 0) return from
  const everyone = [new Uint8Array()]
  // A contract's logs are stored if they were selected themselves, or the logs of all contracts were.
  const row = await fetchFirst(
    store,
    sql<{ height: bigint | null }>`
    select case when bool_and(s.height is not null) then greatest(max(s.height),
      (select below from pruned where kind = 'logs')) end as height
    from unnest(${sql.val([...topic0])}::bytea[]) as t (topic0)
    cross join unnest(${sql.val(addresses.length === 0 ? everyone : [...addresses])}::bytea[]) as a (address)
    left join lateral (select min(from_height) as height from log_selection
      where topic0 = t.topic0 and address in (a.address, ''::bytea)) as s on true`,
  )
  return row?.height ?? undefined
}

/**
 * Returns the logs that match a filter, sorted by position. The number of logs
 * that a query examines, and the size of a page, are limited. If it stops before the end of the range, the page says where, and the next page
 * can start there.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { EvmLogs, type EvmStore } from '@firn/evm-store'
 *
 * declare const store: EvmStore
 * const at = await store.snapshot()
 * const contract = Hex.decode('0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7')
 * const filter = { addresses: [contract], topics: [] }
 * const { logs } = await EvmLogs.page(store, at, filter, { order: 'desc', after: undefined, limit: 25 })
 * ```
 * @throws StoreError `STORE_UNAVAILABLE`
 */
export async function page(
  store: EvmStore,
  at: EvmSnapshot,
  filter: LogFilter,
  query: LogQuery,
): Promise<LogPage> {
  if (filter.topics.length > TOPICS) return { logs: [], stoppedAt: undefined }
  const key = await chooseKey(store, at, filter, query)
  const { order, limit, mostExamined = MOST_EXAMINED, mostBytes = MOST_BYTES } = query
  // All logs of a single key match, so no more than a page of each value is read.
  const most = Math.floor(mostExamined / key.values.length)
  const examined = Math.max(1, keysOf(filter).length < 2 ? Math.min(most, limit) : most)
  const [first, last] = order === 'asc' ? [sql`asc`, sql`desc`] : [sql`desc`, sql`asc`]
  // A key that reached its limit may have further logs after its last one, so the page ends at the first of these.
  const rows = await fetchRows(
    store,
    sql<Found>`
    with examined as materialized (select t.value, t.height, t.log_index, t.size, ${matching(filter)} as matches
      from ${ofEach(key, (value) => {
        const columns = sql`${value} as value, t.height, t.log_index, t.address, t.topic0, t.topic1, t.topic2, t.topic3`
        return sql`select ${columns}, octet_length(t.data) as size from log as t
          where ${inRange(key, value, at, query)} limit ${examined}`
      })} as t),
    ends as (select distinct on (value) height, log_index from examined
      where value in (select value from examined group by value having count(*) >= ${examined})
      order by value, height ${last}, log_index ${last}),
    stop as (select height, log_index from ends order by height ${first}, log_index ${first} limit 1),
    matched as (select height, log_index, size from examined where matches
      and not exists (select from stop where ${behindStop(order)})
      order by height ${first}, log_index ${first} limit ${limit}),
    sized as (select *, sum(size) over (order by height ${first}, log_index ${first}) as bytes from matched),
    places as (select height, log_index, false as "isStop" from sized where bytes - size < ${mostBytes}
      union all select height, log_index, true from stop)
    select p."isStop", t.height, t.log_index as "logIndex", t.transaction_index as "transactionIndex", t.address,
      t.topic0, t.topic1, t.topic2, t.topic3, t.data, coalesce(x.hash, l.hash) as "transactionHash", b.hash as "blockHash", b.time,
      b.time_milliseconds as "timeMilliseconds"
    from places as p join log as t on t.height = p.height and t.log_index = p.log_index
    left join transaction as x on x.height = t.height and x.transaction_index = t.transaction_index
    left join log_transaction as l on l.height = t.height and l.transaction_index = t.transaction_index
    join block as b on b.height = t.height ${orderBy(PLACE, order)}`,
  )
  const logs = rows.filter(({ isStop }) => !isStop).map(toLog)
  if (logs.length === limit) return { logs, stoppedAt: undefined }
  const isLarge = logs.reduce((sum, { data }) => sum + data.length, 0) >= mostBytes
  const stop = isLarge ? logs.at(-1) : rows.find(({ isStop }) => isStop)
  return { logs, stoppedAt: stop && { height: stop.height, logIndex: stop.logIndex } }
}

type Found = Omit<Log, 'topics'> & {
  readonly isStop: boolean
  readonly [topic: `topic${number}`]: Uint8Array | null
}

function toLog({ isStop: _, topic0, topic1, topic2, topic3, ...log }: Found): Log {
  const topics = [topic0, topic1, topic2, topic3].filter((topic) => topic !== null && topic !== undefined)
  return { ...log, topics }
}

/** An index to read by, with the values to read. */
interface Key {
  /** The indexed expression; undefined if logs are read by their position only. */
  readonly column: RawBuilder<unknown> | undefined
  /** The condition of a partial index. */
  readonly condition: RawBuilder<unknown>
  /** The values to read; at least one. */
  readonly values: readonly Uint8Array[]
}

const EVERYTHING: Key = { column: undefined, condition: sql`true`, values: [new Uint8Array()] }

/** Returns the key with the fewest logs in the range, counted up to a limit. */
async function chooseKey(store: EvmStore, at: EvmSnapshot, filter: LogFilter, query: LogQuery): Promise<Key> {
  const keys = keysOf(filter)
  const [first = EVERYTHING] = keys
  if (keys.length < 2) return first
  const counts = keys.map((key) => {
    const candidates = ofEach(
      key,
      (value) => sql`select 1 from log as t where ${inRange(key, value, at, query)} limit ${MOST_COUNTED}`,
    )
    return sql`(select count(*)::int from (select 1 from ${candidates} as t limit ${MOST_COUNTED}) as counted)`
  })
  const row = await fetchFirst(store, sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`)
  const least = Math.min(...(row?.counts ?? []))
  return keys[row?.counts.indexOf(least) ?? 0] ?? first
}

function keysOf({ addresses, topics }: LogFilter): readonly Key[] {
  const keys: Key[] =
    addresses.length === 0 ? [] : [{ ...EVERYTHING, column: sql`t.address`, values: addresses }]
  topics.forEach((values, i) => {
    if (values.length === 0) return
    const topic = topicAt(i)
    const condition = sql`${topic} is not null`
    if (i === 0) keys.push({ column: topic, condition, values })
    else
      keys.push({
        column: sql`substr(${topic}, 25)`,
        condition,
        values: values.map((value) => value.subarray(24)),
      })
  })
  return keys.map((key) => ({ ...key, values: distinct(key.values) }))
}

function topicAt(position: number): RawBuilder<unknown> {
  return sql.ref(`t.topic${position}`)
}

function distinct(values: readonly Uint8Array[]): readonly Uint8Array[] {
  return [...new Map(values.map((value) => [value.toString(), value])).values()]
}

/** Returns an SQL subquery with the rows that `rows` selects for each value of a key. */
function ofEach(
  { values }: Key,
  rows: (value: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const all = values.map((value) => sql`(${rows(sql`${value}::bytea`)})`)
  return sql`(${sql.join(all, sql` union all `)})`
}

/** Returns the condition for the rows of a key in a range, and the clause that sorts them. */
function inRange(
  { column, condition }: Key,
  value: RawBuilder<unknown>,
  at: EvmSnapshot,
  { order, after, ...range }: LogQuery,
): RawBuilder<unknown> {
  const narrow = narrowed(range, after, order)
  const where = sql`${within(sql`t.height`, at, narrow)} and ${behind(PLACE, after && [after.height, after.logIndex], order)}`
  if (column === undefined) return sql`${where} ${orderBy(PLACE, order)}`
  return sql`${ofValue(column, value, at, narrow)} and ${condition} and ${where} ${orderBy([column, ...PLACE], order)}`
}

/** Returns the condition that a log matches a filter. */
function matching({ addresses, topics }: LogFilter): RawBuilder<boolean> {
  const isAny = (column: RawBuilder<unknown>, values: readonly Uint8Array[]) =>
    sql`${column} = any(${sql.val([...values])}::bytea[])`
  const conditions = topics.map((values, i) =>
    values.length === 0 ? sql`${topicAt(i)} is not null` : sql`coalesce(${isAny(topicAt(i), values)}, false)`,
  )
  if (addresses.length > 0) conditions.push(isAny(sql`t.address`, addresses))
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`
}

function behindStop(order: Order): RawBuilder<boolean> {
  const sign = order === 'asc' ? sql`>` : sql`<`
  return sql`(examined.height, examined.log_index) ${sign} (stop.height, stop.log_index)`
}
