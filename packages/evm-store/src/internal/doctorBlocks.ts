import { Bytes, Hex } from '@firn/codec'
import { formatArray, type Row, type Session } from '@firn/sql'
import type { KindName } from '../DataKinds.ts'
import {
  BLOCK_TABLES,
  type BlockRow,
  type BlockTable,
  DIGESTED_TABLES,
  EVM_TABLES,
  type TransactionRow,
} from '../EvmSchema.ts'
import type { DoctorOptions, Fault } from '../Examination.ts'
import { BlockCopies, chainDigest, NO_CHAIN_DIGEST } from './BlockCopies.ts'
import type { BlockRows } from './blockRows.ts'
import { isPruned, readPruned } from './prune.ts'

/** Number of blocks read at a time, with all their rows. */
const PAGE = 16
/** The highest possible height. */
const END = 2n ** 63n - 1n

/** The faults found in blocks. */
export interface BlockFaults {
  readonly blocks: bigint
  readonly faults: readonly Fault[]
}

/** Checks all blocks with their rows, page by page. */
export async function blockFaults(
  session: Session,
  { most = 100, onProgress, signal }: DoctorOptions,
): Promise<BlockFaults> {
  const [chain] = await session.query('select first_height, events_only from chain')
  const [cursor] = await session.query('select height, hash from cursor')
  const pruned = await readPruned(session)
  const headersFrom = pruned.get('blocks') ?? 0n
  const faults: Fault[] = []
  const tell = (table: string, height: bigint, message: string) => {
    if (faults.length < most) faults.push({ table, height, message })
  }
  let before: BlockRow | undefined
  const first = (chain?.['first_height'] as bigint | undefined) ?? 0n
  const isEventsOnly = chain?.['events_only'] === true
  let next = first
  let blocks = 0n
  for (;;) {
    signal?.throwIfAborted()
    const page = (await session.query('select * from block where height >= $1 order by height limit $2', [
      String(next),
      PAGE,
    ])) as unknown as readonly BlockRow[]
    const rows = await rowsOf(session, page)
    const gaps = await gapsOf(session, page)
    const stale = await staleOf(session, page)
    const start = next
    for (const block of page) {
      // Of removed headers, only the first one remains.
      if (before !== undefined && next < headersFrom) next = headersFrom
      if (block.height !== next)
        tell('block', next, `block ${next} is missing; the next stored block is ${block.height}`)
      const own = Object.fromEntries(
        BLOCK_TABLES.map((table) => [table, rows[table]?.get(block.height) ?? []]),
      )
      const all = { ...own, block } as unknown as BlockRows
      const previous = before?.height === block.height - 1n ? before : undefined
      const isFirst = block.height === first
      for (const message of faultsOf(all, {
        previous,
        isFirst,
        isUntraced: gaps.has(block.height),
        lastDigest: stale.get(block.height) ?? previous?.chain_digest ?? NO_CHAIN_DIGEST,
        pruned,
        isEventsOnly,
      })) {
        tell('block', block.height, message)
      }
      before = block
      next = block.height + 1n
      blocks++
    }
    const last = page.length < PAGE ? END : (page.at(-1)?.height ?? END)
    const unpruned = start < headersFrom ? headersFrom : start
    for (const { table, height } of await orphans(session, page, unpruned, last, most)) {
      tell(table, height, 'the table has rows of a block that is not stored')
    }
    if (page.length < PAGE) break
    onProgress?.(next - 1n)
  }
  const end = before && `${before.height} ${Hex.encode(before.hash)}`
  const stands = cursor && `${cursor['height']} ${Hex.encode(cursor['hash'] as Uint8Array)}`
  if (end !== stands) {
    tell(
      'cursor',
      before?.height ?? next,
      `expected the cursor at ${end ?? 'no block'}, got ${stands ?? 'no cursor'}`,
    )
  }
  return { blocks, faults }
}

type Rows = { readonly [T in BlockTable]?: Map<bigint, Row[]> }

/** Reads the rows that blocks have in the tables {@link OWN}, and groups them by table and height. */
async function rowsOf(session: Session, page: readonly BlockRow[]): Promise<Rows> {
  const rows: { [T in BlockTable]?: Map<bigint, Row[]> } = {}
  for (const table of OWN) {
    const order = Object.keys(EVM_TABLES[table].columns).filter((name) => PLACES.includes(name))
    const found = await session.query(
      `select * from ${table} where height = any($1::int8[]) order by ${order.join(', ')}`,
      [formatArray(page.map(({ height }) => height))],
    )
    rows[table] = Map.groupBy(found, (row) => row['height'] as bigint)
  }
  return rows
}

/** Returns the heights of the blocks that are stored without their traces. */
async function gapsOf(session: Session, page: readonly BlockRow[]): Promise<ReadonlySet<bigint>> {
  const heights = formatArray(page.map(({ height }) => height))
  const rows = await session.query('select height from trace_gap where height = any($1::int8[])', [heights])
  return new Set(rows.map(({ height }) => height as bigint))
}

/** Returns the chain digests from which the digests of blocks are to be computed again, by the height of the block. */
async function staleOf(
  session: Session,
  page: readonly BlockRow[],
): Promise<ReadonlyMap<bigint, Uint8Array>> {
  const heights = formatArray(page.map(({ height }) => height))
  const text = 'select height, before from stale_digest where height = any($1::int8[])'
  const rows = await session.query(text, [heights])
  return new Map(rows.map(({ height, before }) => [height as bigint, before as Uint8Array]))
}

/**
 * Returns the heights from `first` to `last` that have rows but no block: at most `most` heights per table, lowest
 * first.
 */
async function orphans(
  session: Session,
  page: readonly BlockRow[],
  first: bigint,
  last: bigint,
  most: number,
): Promise<readonly { readonly table: BlockTable; readonly height: bigint }[]> {
  const values = [String(first), String(last), formatArray(page.map(({ height }) => height)), most]
  const found: { table: BlockTable; height: bigint }[] = []
  for (const table of OWN) {
    const rows = await session.query(
      `select distinct height from ${table} where height >= $1 and height <= $2 and height <> all($3::int8[])
        order by height limit $4`,
      values,
    )
    found.push(...rows.map(({ height }) => ({ table, height: height as bigint })))
  }
  return found
}

/** What the faults of a block depend on besides its rows. */
interface Surroundings {
  /** The block before it; undefined if its header is not stored. */
  readonly previous: BlockRow | undefined
  readonly isFirst: boolean
  /** Whether the block is stored without its traces. */
  readonly isUntraced: boolean
  /** The chain digest from which the block's chain digest follows. */
  readonly lastDigest: Uint8Array
  readonly pruned: ReadonlyMap<KindName, bigint>
  readonly isEventsOnly: boolean
}

function* faultsOf(
  rows: BlockRows,
  { previous: before, isFirst, isUntraced, lastDigest, pruned, isEventsOnly }: Surroundings,
): Iterable<string> {
  const { block, transaction } = rows
  if (before !== undefined && !Bytes.equals(before.hash, block.parent_hash)) {
    yield `expected parent hash ${Hex.encode(before.hash)}, got ${Hex.encode(block.parent_hash)}`
  }
  const { settled_height: settled } = block
  if (settled !== null && (settled >= block.height || settled < (before?.settled_height ?? 0n)))
    yield `expected a settled height from ${before?.settled_height ?? 0n} to ${block.height - 1n}, got ${settled}`
  const computed = new BlockCopies().add(rows, lastDigest, isUntraced)
  const isMissing = (table: BlockTable) => isPruned(pruned, table, block.height)
  // The digest of a block with missing rows can't be computed.
  const digest = DIGESTED_TABLES.some(isMissing) ? block.digest : computed.digest
  if (!Bytes.equals(digest, block.digest)) {
    yield `expected block digest ${Hex.encode(digest)} (computed from its rows), got ${Hex.encode(block.digest)}`
  }
  // What is summed over all blocks can't be computed without the one before.
  const isGiven = before === undefined && !isFirst
  const chain_digest = chainDigest(lastDigest, digest)
  if (!isGiven && !Bytes.equals(chain_digest, block.chain_digest)) {
    yield `expected chain digest ${Hex.encode(chain_digest)} (computed from the blocks), got ${Hex.encode(block.chain_digest)}`
  }
  if (!isMissing('log')) yield* logFaultsOf(rows, computed.log_digest)
  const hasTransactions = !isEventsOnly && !isMissing('transaction')
  const cumulative =
    (before?.cumulative_transactions ?? 0n) +
    BigInt(hasTransactions ? transaction.length : block.transactions)
  const sums: readonly (readonly [name: string, expected: unknown, actual: unknown])[] = [
    [
      'cumulative number of transactions',
      isGiven ? block.cumulative_transactions : cumulative,
      block.cumulative_transactions,
    ],
    ['creations', rows.creation.length, block.creations],
    ['contracts', rows.creation.filter(({ succeeded }) => succeeded).length, block.contracts],
  ]
  const ofTransactions: typeof sums = [
    ['transactions', transaction.length, block.transactions],
    ['gas', total(transaction, ({ gas_used }) => gas_used), block.gas_executed],
    ['fees', total(transaction, ({ gas_used, gas_price }) => gas_used * gas_price), block.fees_spent],
    ['gas prices', total(transaction, ({ gas_price }) => gas_price), block.gas_price_sum],
  ]
  for (const [name, expected, actual] of [...sums, ...(hasTransactions ? ofTransactions : [])]) {
    if (expected !== actual) yield `${name}: expected ${expected}, got ${actual}`
  }
}

function* logFaultsOf({ block, log }: BlockRows, log_digest: Uint8Array | null): Iterable<string> {
  if (block.log_digest === null || log_digest === null) {
    if (log.length > 0) yield `expected no logs, because the block has no log digest, got ${log.length}`
  } else if (!Bytes.equals(log_digest, block.log_digest)) {
    yield `expected log digest ${Hex.encode(log_digest)} (computed from its logs), got ${Hex.encode(block.log_digest)}`
  }
}

/** The tables of {@link BLOCK_TABLES} except `block`. */
const OWN = BLOCK_TABLES.filter((table) => table !== 'block')
const PLACES = ['height', 'log_index', 'transaction_index', 'position']

function total(rows: readonly TransactionRow[], of: (row: TransactionRow) => bigint): bigint {
  return rows.reduce((all, row) => all + of(row), 0n)
}
