import type { Session } from '../../internal/Driver.ts'
import { SPAN } from '../../internal/partitions.ts'
import {
  DATA_KINDS,
  type KindName,
  PRUNABLE,
  type PrunableKind,
  type ReplacedTable,
  TABLE_RETENTION,
  tablesOf,
} from '../DataKinds.ts'
import { EVM_PARTITIONED, type EVM_TABLES } from '../EvmSchema.ts'

/**
 * For each kind of data, the number of seconds before the newest block for which it is kept. Kinds that are not given
 * are kept forever.
 */
export type Retention = { readonly [K in PrunableKind]?: bigint | undefined }

/** Options of `EvmWriter.prune`. */
export interface PruneOptions {
  readonly keep: Retention
  /** Number of newest blocks that are never pruned. It must exceed the depth of reorgs. */
  readonly depth: bigint
  /** Tables of events that are still filled. Logs that they have not decoded yet are kept. */
  readonly eventTables?: readonly string[] | undefined
  /** Maximum number of rows to delete in one database transaction, apart from those of one block; default 5,000. */
  readonly batch?: number | undefined
}

/**
 * Rows are removed once they are more than this fraction of the kept ones. Until then, whole partitions may become
 * removable, which costs less than deleting their rows.
 */
const EXCESS_FRACTION = 4n

/**
 * Stores the heights below which data is about to be removed, before any of it is. Readers that find rows missing
 * therefore also find these heights.
 */
export async function announce(
  session: Session,
  { keep, depth, eventTables = [] }: PruneOptions,
): Promise<void> {
  const [chain] = await session.query(
    'select first_height, cursor.height, cursor.time from chain cross join cursor',
  )
  if (chain === undefined) return
  const { first_height: first, height, time } = chain as Record<string, bigint>
  if (first === undefined || height === undefined || time === undefined) return
  const [events] = await session.query(
    'select min(next_height) as next from event_table where name = any($1)',
    [eventTables],
  )
  const decoded = events?.['next']
  const pruned = new Map(await readPruned(session))
  for (const kind of PRUNABLE) {
    const seconds = keep[kind]
    if (seconds === undefined) continue
    const [oldest] = await session.query(
      'select height from block where time >= $1 order by time, height limit 1',
      [String(time - seconds)],
    )
    let until = (oldest?.['height'] as bigint | undefined) ?? height
    if (until > height - depth) until = height - depth
    const isDecoded = kind === 'logs' || kind === 'events'
    if (isDecoded && typeof decoded === 'bigint' && until > decoded) until = decoded
    if (kind === 'transactions') until = referredFrom(pruned, first, until)
    const from = pruned.get(kind) ?? first
    const below = nextHeight(from, until, height)
    if (below <= from) continue
    pruned.set(kind, below)
    const put = `insert into pruned (kind, below) values ($1, $2) on conflict (kind) do update set below = excluded.below`
    await session.query(put, [kind, String(below)])
    if (kind === 'events')
      await session.query('update event_table set from_height = greatest(from_height, $1::int8)', [
        String(below),
      ])
  }
}

/**
 * Returns the height below which no transaction is needed: at most `until`, and none of the other kinds of data is
 * kept there.
 */
function referredFrom(pruned: ReadonlyMap<KindName, bigint>, first: bigint, until: bigint): bigint {
  let least = until
  for (const kind of PRUNABLE) {
    const from = pruned.get(kind) ?? first
    if (DATA_KINDS[kind].refersToTransactions && from < least) least = from
  }
  return least
}

/** Returns the height up to which rows from `from` on are removed, if those below `until` are not needed any more. */
function nextHeight(from: bigint, until: bigint, tip: bigint): bigint {
  const boundary = until - (until % SPAN)
  if (boundary > from) return boundary
  return EXCESS_FRACTION * (until - from) >= tip - until ? until : from
}

/** Returns the heights below which rows of each kind were removed or are being removed. */
export async function readPruned(session: Session): Promise<ReadonlyMap<KindName, bigint>> {
  const rows = await session.query('select kind, below from pruned')
  return new Map(rows.map(({ kind, below }) => [kind as KindName, below as bigint]))
}

/** A table from which rows are removed by their heights. */
export interface PrunedTable {
  readonly name: string
  readonly below: bigint
  readonly isPartitioned: boolean
}

/** The tables with rows to remove, including those of decoded events. */
export interface PrunedTables {
  readonly byHeight: readonly PrunedTable[]
  readonly replaced: readonly { readonly name: ReplacedTable; readonly below: bigint }[]
}

/** Returns the tables with rows to remove. */
export async function prunedTables(session: Session): Promise<PrunedTables> {
  const tables: PrunedTable[] = []
  const replaced: PrunedTables['replaced'][number][] = []
  for (const [kind, below] of await readPruned(session)) {
    const own = tablesOf(kind, 'height')
    replaced.push(...tablesOf(kind, 'replaced').map((name) => ({ name, below })))
    const events = kind === 'events' ? await session.query('select name from event_table order by name') : []
    for (const name of [...own, ...events.map((row) => row['name'] as string)])
      tables.push({ name, below, isPartitioned: EVM_PARTITIONED.includes(name) })
  }
  return { byHeight: tables, replaced }
}

/** Returns the oldest partition of a table that only has rows to remove; undefined if there is none. */
export async function oldestPartition(
  session: Session,
  { name, below }: PrunedTable,
): Promise<string | undefined> {
  const [row] = await session.query(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = to_regclass($1) and substring(c.relname from '\\d+$')::int8 < $2
      order by substring(c.relname from '\\d+$')::int8 limit 1`,
    [name, String(below / SPAN)],
  )
  return row?.['name'] as string | undefined
}

/** Milliseconds to wait for readers of a table. Meanwhile, other readers and the writer wait too. */
const LOCK_MS = 200

/** SQLSTATE of a statement that did not get a lock in time. */
export const LOCK_TIMEOUT = '55P03'

/** Drops a partition. Fails with the SQLSTATE {@link LOCK_TIMEOUT} if readers keep the table locked. */
export async function dropPartition(session: Session, partition: string): Promise<void> {
  await session.query(`set local lock_timeout = ${LOCK_MS}`)
  await session.query(`drop table ${partition}`)
}

/**
 * Deletes the oldest rows to remove, about `batch` of them, which have a height of at least `from`. Returns the height
 * below which no row is left.
 */
export async function deleteOldest(
  session: Session,
  { name, below }: PrunedTable,
  from: bigint | undefined,
  batch: number,
): Promise<bigint> {
  const oldest = await oldestRows(session, name, { from, below, batch })
  if (oldest === undefined) return below
  if (ACTIVITY_TABLES.includes(name)) await recordActivity(session, name, oldest)
  const heights = [String(oldest.first), String(oldest.until)]
  await session.query(`delete from "${name}" where height >= $1 and height < $2`, heights)
  return oldest.until
}

/** Heights of rows: from `first` on, and below `until`. */
interface Heights {
  readonly first: bigint
  readonly until: bigint
}

/** Returns the heights of the oldest rows of a table within a range, about `batch` rows; undefined if there are none. */
async function oldestRows(
  session: Session,
  table: string,
  {
    from = 0n,
    below,
    batch,
  }: { readonly from: bigint | undefined; readonly below: bigint; readonly batch: number },
): Promise<Heights | undefined> {
  const [oldest] = await session.query(
    `select height from "${table}" where height >= $1 and height < $2 order by height limit 1`,
    [String(from), String(below)],
  )
  const first = oldest?.['height'] as bigint | undefined
  if (first === undefined) return undefined
  const [last] = await session.query(
    `select height from "${table}" where height >= $1 and height < $2 order by height offset $3 limit 1`,
    [String(first), String(below), batch],
  )
  return { first, until: last === undefined ? below : (last['height'] as bigint) + 1n }
}

/** The pruned tables whose rows are activity of addresses. */
const ACTIVITY_TABLES: readonly string[] = ['transaction', 'transfer'] satisfies (keyof typeof EVM_TABLES)[]

/**
 * Stores the last activity of the oldest rows of a partition that will be dropped, about `batch` of them, which have a
 * height of at least `from`. Returns the height to continue from; undefined at the end.
 */
export async function recordOldest(
  session: Session,
  { name, below }: PrunedTable,
  {
    partition,
    from,
    batch,
  }: { readonly partition: string; readonly from: bigint | undefined; readonly batch: number },
): Promise<bigint | undefined> {
  if (!ACTIVITY_TABLES.includes(name)) return undefined
  const oldest = await oldestRows(session, partition, { from, below, batch })
  if (oldest !== undefined) await recordActivity(session, partition, oldest)
  return oldest?.until
}

/** An undo to a later height looks for the last activity of an address here, if the kept rows have none. */
async function recordActivity(session: Session, table: string, { first, until }: Heights): Promise<void> {
  await session.query(
    `insert into pruned_activity as p (address, last, sender_last)
      select s.address, max(b.time - b.time % 3600), max(b.time - b.time % 3600) filter (where s.is_sender)
      from "${table}" t join block b on b.height = t.height
        cross join lateral (values (t.sender, true), (t.recipient, false)) as s (address, is_sender)
      where t.height >= $1 and t.height < $2 and s.address is not null group by s.address
      on conflict (address) do update set last = greatest(p.last, excluded.last),
        sender_last = greatest(p.sender_last, excluded.sender_last)`,
    [String(first), String(until)],
  )
}

/** Returns whether rows of a table's block may be missing. */
export function isPruned(
  pruned: ReadonlyMap<KindName, bigint>,
  table: keyof typeof EVM_TABLES,
  height: bigint,
): boolean {
  return height < (pruned.get(TABLE_RETENTION[table].kind) ?? 0n)
}
