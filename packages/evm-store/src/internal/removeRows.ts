import { type Session, SPAN } from '@firn/sql'
import { DATA_KINDS, type KindName, type ReplacedTable, tablesOf } from '../DataKinds.ts'
import { EVM_PARTITIONED } from '../EvmSchema.ts'
import { readPruned } from './prune.ts'

/** A table whose oldest rows are removed, and how; see `TABLE_RETENTION`. */
export interface PrunedTable {
  readonly name: string
  readonly removal: 'height' | 'sequence' | 'hour'
  /** Height of the oldest row that may be removed. */
  readonly from: bigint
  /** Rows of lower heights are removed; with the removal `hour`, rows of hours that start earlier. */
  readonly below: bigint
  readonly isPartitioned: boolean
}

/** The tables with rows to remove, including tables of decoded events. Each comes after the tables that refer to it. */
export interface PrunedTables {
  readonly oldest: readonly PrunedTable[]
  readonly replaced: readonly { readonly name: ReplacedTable; readonly below: bigint }[]
}

/** Returns the tables with rows to remove. */
export async function prunedTables(session: Session): Promise<PrunedTables> {
  const pruned = await readPruned(session)
  const [chain] = await session.query('select first_height from chain')
  const first = chain?.['first_height'] as bigint
  const oldest: PrunedTable[] = []
  const replaced: PrunedTables['replaced'][number][] = []
  for (const kind of Object.keys(DATA_KINDS) as KindName[]) {
    const below = pruned.get(kind)
    if (below === undefined) continue
    const add = (removal: PrunedTable['removal'], names: readonly string[]) =>
      oldest.push(
        ...names.map((name) => {
          // The chain's first header remains: metrics and the comparison with nodes need it.
          const from = name === 'block' ? first + 1n : 0n
          return { name, removal, from, below, isPartitioned: EVM_PARTITIONED.includes(name) }
        }),
      )
    for (const removal of ['height', 'sequence', 'hour'] as const) add(removal, tablesOf(kind, removal))
    if (kind === 'events') {
      const events = await session.query('select name from event_table order by name')
      add(
        'height',
        events.map((row) => row['name'] as string),
      )
    }
    replaced.push(...tablesOf(kind, 'replaced').map((name) => ({ name, below })))
  }
  return { oldest, replaced }
}

/** Returns the oldest partition of a table that has rows to remove, and only such rows; undefined if there is none. */
export async function oldestPartition(
  session: Session,
  { name, from, below }: PrunedTable,
): Promise<string | undefined> {
  const partitions = await session.query(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = to_regclass($1) and substring(c.relname from '\\d+$')::int8 < $2
      order by substring(c.relname from '\\d+$')::int8 limit 2`,
    [name, String(below / SPAN)],
  )
  const [oldest, next] = partitions.map((row) => row['name'] as string)
  if (oldest === undefined || from === 0n) return oldest
  // The partition with the first header remains.
  const [row] = await session.query(`select from "${oldest}" where height >= $1 limit 1`, [String(from)])
  return row === undefined ? next : oldest
}

/** Milliseconds to wait for readers of a table. Meanwhile, other readers and the writer wait too. */
const LOCK_MS = 200

/** SQLSTATE of a statement that did not get a lock in time. */
export const LOCK_TIMEOUT = '55P03'

/**
 * Drops a partition, or empties it if it has a row that remains. Fails with the SQLSTATE {@link LOCK_TIMEOUT} if readers keep
 * the table locked.
 */
export async function dropPartition(
  session: Session,
  { from }: PrunedTable,
  partition: string,
): Promise<void> {
  await session.query(`set local lock_timeout = ${LOCK_MS}`)
  const [first] = await session.query(`select * from "${partition}" where height < $1`, [String(from)])
  if (first === undefined) {
    await session.query(`drop table "${partition}"`)
    return
  }
  await session.query(`truncate "${partition}"`)
  const names = Object.keys(first)
  const values = Object.values(first).map((value) => (typeof value === 'bigint' ? String(value) : value))
  await session.query(
    `insert into "${partition}" (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    values,
  )
}

/**
 * Deletes the oldest rows to remove, about `batch` of them, which have a height of at least `from`. Returns where the next
 * call continues; `below` if no row to remove is left.
 */
export async function deleteOldest(
  session: Session,
  table: PrunedTable,
  from: bigint,
  batch: number,
): Promise<bigint> {
  const { name, removal, below } = table
  if (removal === 'sequence') return deleteChanges(session, below, batch)
  if (removal === 'hour') return deleteHours(session, table, batch)
  const oldest = await oldestRows(session, name, { from, below, batch })
  if (oldest === undefined) return below
  await recordActivity(session, table, name, oldest)
  const heights = [String(oldest.first), String(oldest.until)]
  await session.query(`delete from "${name}" where height >= $1 and height < $2`, heights)
  return oldest.until
}

/** Deletes the oldest changes, all of lower heights. The last one of them remains, as the position to continue from. */
async function deleteChanges(session: Session, below: bigint, batch: number): Promise<bigint> {
  const changes = await session.query('select sequence, height from change order by sequence limit $1', [
    batch,
  ])
  const kept = changes.findIndex(({ height }) => (height as bigint) >= below)
  const last = changes.at(kept === -1 ? -1 : Math.max(kept - 1, 0))
  if (last !== undefined)
    await session.query('delete from change where sequence < $1', [String(last['sequence'])])
  return kept === -1 && changes.length === batch ? 0n : below
}

/** Deletes the totals of the oldest hours. */
async function deleteHours(session: Session, { name, below }: PrunedTable, batch: number): Promise<bigint> {
  const [next] = await session.query(
    `select start from ${name} where period = 'hour' and start < $1 order by start offset $2 limit 1`,
    [String(below), batch],
  )
  const until = (next?.['start'] as bigint | undefined) ?? below
  await session.query(`delete from ${name} where period = 'hour' and start < $1`, [String(until)])
  return until
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
  { from, below, batch }: { readonly from: bigint; readonly below: bigint; readonly batch: number },
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

/**
 * Stores the last activity of the oldest rows of a partition that will be dropped, about `batch` of them, which have a
 * height of at least `from`. Returns the height to continue from; undefined at the end.
 */
export async function recordOldest(
  session: Session,
  table: PrunedTable,
  {
    partition,
    from,
    batch,
  }: { readonly partition: string; readonly from: bigint | undefined; readonly batch: number },
): Promise<bigint | undefined> {
  if (table.name in ACTIVITY === false) return undefined
  const { below } = table
  const oldest = await oldestRows(session, partition, { from: from ?? table.from, below, batch })
  if (oldest !== undefined) await recordActivity(session, table, partition, oldest)
  return oldest?.until
}

const SIDES = `cross join lateral (values (t.sender, true, false), (t.recipient, false, false))
  as s (address, is_sender, is_deployer)`
/**
 * For each table whose rows show the activity of addresses, the rows and the addresses `s`. Creations remain, but they
 * have the times of their blocks.
 */
const ACTIVITY: Readonly<Record<string, (source: string) => string>> = {
  transaction: (source) => `"${source}" t join block b on b.height = t.height ${SIDES}`,
  transfer: (source) => `"${source}" t join block b on b.height = t.height ${SIDES}`,
  block: (source) => `creation t join "${source}" b on b.height = t.height
    cross join lateral (values (case when t.succeeded then t.creator end, false, true)) as s (address, is_sender, is_deployer)`,
}

/** An undo to a later height looks for the last activity of an address here, if the kept rows have none. */
async function recordActivity(
  session: Session,
  { name }: PrunedTable,
  source: string,
  { first, until }: Heights,
): Promise<void> {
  const rows = ACTIVITY[name]
  if (rows === undefined) return
  await session.query(
    `insert into pruned_activity as p (address, last, sender_last, deployer_last)
      select s.address, ${LAST} filter (where not s.is_deployer), ${LAST} filter (where s.is_sender),
        ${LAST} filter (where s.is_deployer)
      from ${rows(source)}
      where t.height >= $1 and t.height < $2 and s.address is not null
        and (not s.is_deployer or (select has_traces from chain)) group by s.address
      on conflict (address) do update set last = greatest(p.last, excluded.last),
        sender_last = greatest(p.sender_last, excluded.sender_last),
        deployer_last = greatest(p.deployer_last, excluded.deployer_last)`,
    [String(first), String(until)],
  )
}

const LAST = 'max(b.time - b.time % 3600)'
