import { type Session, SPAN, StoreError } from '@firn/sql'
import {
  DATA_KINDS,
  type HeightKind,
  type KindName,
  PRUNABLE,
  type PrunableKind,
  TABLE_RETENTION,
} from '../DataKinds.ts'
import { type EVM_TABLES, LAST_HOURS } from '../EvmSchema.ts'
import { startOf } from './Rollups.ts'
import { firstStale } from './staleDigests.ts'

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
  /** Maximum number of rows to delete in one database transaction, unless one block has more; default 5,000. */
  readonly batch?: number | undefined
}

/**
 * Rows are removed once they are more than this fraction of the kept ones. Until then, whole partitions may become
 * removable, which costs less than deleting their rows.
 */
const EXCESS_FRACTION = 4n

/** The stored blocks. */
interface Stored {
  readonly first: bigint
  readonly height: bigint
  /** Time of the newest block, in Unix seconds. */
  readonly time: bigint
  /** The lowest height that an undo can reach. */
  readonly reach: bigint
  /** Height of the next block whose logs are decoded into events or messages; undefined if none are. */
  readonly decoded: bigint | undefined
  /** Whether there are tables of events, filled or not. */
  readonly hasEvents: boolean
}

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
    `select least(min(next_height) filter (where name = any($1)), (select next_height from icm_progress)) as next,
      count(*) > 0 as any from event_table`,
    [eventTables],
  )
  const decoded = (events?.['next'] as bigint | null | undefined) ?? undefined
  const hasEvents = events?.['any'] === true
  const stored = { first, height, time, reach: height - depth, decoded, hasEvents }
  const pruned = new Map(await readPruned(session))
  for (const kind of PRUNABLE) {
    const seconds = kind === 'blocks' ? headerSeconds(keep) : keep[kind]
    if (seconds === undefined) continue
    const from = pruned.get(kind) ?? (kind === 'metrics' ? ((await timeOf(session, first)) ?? 0n) : first)
    const below =
      kind === 'metrics'
        ? least(startOf('day', time - seconds), await neededByUndo(session, kind, stored.reach))
        : nextHeight(from, await neededFrom(session, stored, { kind, seconds, pruned }), height)
    if (below <= from) continue
    pruned.set(kind, below)
    const put = `insert into pruned (kind, below) values ($1, $2) on conflict (kind) do update set below = excluded.below`
    await session.query(put, [kind, String(below)])
    if (kind === 'events')
      await session.query('update event_table set from_height = greatest(from_height, $1::int8)', [
        String(below),
      ])
  }
  await session.query(LOST_GAPS)
}

/**
 * Traces can't be added to a block whose traces or transactions were removed. The chain digest of the first kept header depends on the
 * header before it.
 */
const LOST_GAPS = `delete from trace_gap g using pruned p where (p.kind in ('traces', 'transactions')
  and g.height < p.below) or (p.kind = 'blocks' and g.height <= p.below)`

/** The headers' times tell which heights are within a period, so headers are kept for the longest period. */
function headerSeconds({ metrics: _, ...ofHeights }: Retention): bigint | undefined {
  if (ofHeights.blocks === undefined) return undefined
  return Object.values(ofHeights).reduce<bigint>((most, one = 0n) => (one > most ? one : most), 0n)
}

/** Returns the lowest height from which on the rows of a kind are needed. */
async function neededFrom(
  session: Session,
  { first, height, time, reach, decoded, hasEvents }: Stored,
  {
    kind,
    seconds,
    pruned,
  }: { readonly kind: HeightKind; readonly seconds: bigint; readonly pruned: ReadonlyMap<KindName, bigint> },
): Promise<bigint> {
  const [oldest] = await session.query(
    'select height from block where time >= $1 order by time, height limit 1',
    [String(time - seconds)],
  )
  const begin = (oldest?.['height'] as bigint | undefined) ?? height
  // Blocks before the first kept header may be within the period, too.
  const needed = [begin > (pruned.get('blocks') ?? first - 1n) ? begin : first]
  needed.push(await neededByUndo(session, kind, reach))
  const stale = kind === 'blocks' ? await firstStale(session) : undefined
  // The chain digest of this block follows from the one before.
  if (stale !== undefined) needed.push(stale - 1n)
  if (decoded !== undefined && (kind === 'logs' || kind === 'events')) needed.push(decoded)
  for (const other of PRUNABLE) {
    if (other === 'events' && !hasEvents) continue
    const { refersTo }: { readonly refersTo: readonly KindName[] } = DATA_KINDS[other]
    if (refersTo.includes(kind)) needed.push(pruned.get(other) ?? first)
  }
  return needed.reduce(least)
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

/**
 * Returns from where on an undo of the blocks from `lowest` on needs the rows of a kind: a height, or a time for `metrics`. It
 * sums the hour of this block again from its blocks, which needs the block before them, and the day from its hours. It
 * changes how many addresses were last active in the 24 hours before.
 */
async function neededByUndo(session: Session, kind: PrunableKind, lowest: bigint): Promise<bigint> {
  if (kind !== 'metrics' && kind !== 'blocks') return lowest
  const time = await timeOf(session, lowest)
  if (time === undefined) return 0n
  if (kind === 'metrics') return startOf('day', time) - LAST_HOURS * HOUR
  const [last] = await session.query(
    'select height from block where time < $1 order by time desc, height desc limit 1',
    [String(startOf('hour', time))],
  )
  return (last?.['height'] as bigint | undefined) ?? 0n
}

const HOUR = 3_600n

async function timeOf(session: Session, height: bigint): Promise<bigint | undefined> {
  const [block] = await session.query('select time from block where height = $1', [String(height)])
  return block?.['time'] as bigint | undefined
}

/** Returns the height up to which rows from `from` on are removed, if rows below `until` are no longer needed. */
function nextHeight(from: bigint, until: bigint, tip: bigint): bigint {
  if (EXCESS_FRACTION * (until - from) >= tip - until) return until
  const boundary = until - (until % SPAN)
  return boundary > from ? boundary : from
}

/**
 * Returns the heights below which rows of each kind were removed or are being removed. For `metrics`, it is a time in Unix
 * seconds.
 */
export async function readPruned(session: Session): Promise<ReadonlyMap<KindName, bigint>> {
  const rows = await session.query('select kind, below from pruned')
  return new Map(rows.map(({ kind, below }) => [kind as KindName, below as bigint]))
}

/**
 * Returns the kinds whose removed data an undo to a height would need, with the heights or times below which it was
 * removed.
 */
export async function missingAbove(
  session: Session,
  height: bigint,
): Promise<readonly (readonly [kind: KindName, below: bigint])[]> {
  const missing: [KindName, bigint][] = []
  for (const [kind, below] of await readPruned(session))
    if (below > (await neededByUndo(session, kind as PrunableKind, height + 1n))) missing.push([kind, below])
  return missing
}

/** @throws StoreError `STORE_CURSOR` if data that an undo to a height needs was pruned */
export async function assertNotPruned(session: Session, height: bigint): Promise<void> {
  for (const [kind, below] of await missingAbove(session, height)) {
    const message = `cannot undo to height ${height}: ${kind} below ${below} were pruned`
    throw new StoreError('STORE_CURSOR', message, { details: { kind, below, actual: height } })
  }
}

/** Returns whether rows of a table's block may be missing. */
export function isPruned(
  pruned: ReadonlyMap<KindName, bigint>,
  table: keyof typeof EVM_TABLES,
  height: bigint,
): boolean {
  return height < (pruned.get(TABLE_RETENTION[table].kind) ?? 0n)
}
