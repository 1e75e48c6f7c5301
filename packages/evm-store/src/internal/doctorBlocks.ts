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

/** The state of a check of all blocks. */
interface Scan {
  /** Height of the chain's first block. */
  readonly first: bigint
  readonly isEventsOnly: boolean
  readonly pruned: ReadonlyMap<KindName, bigint>
  readonly most: number
  readonly tell: (table: string, height: bigint, message: string) => void
  /** The last block that was checked. */
  before: BlockRow | undefined
  /** Height of the next block. */
  next: bigint
  blocks: bigint
}

/** Checks all blocks with their rows, page by page. */
export async function blockFaults(
  session: Session,
  { most = 100, onProgress, signal }: DoctorOptions,
): Promise<BlockFaults> {
  const [chain] = await session.query('select first_height, events_only from chain')
  const [cursor] = await session.query('select height, hash from cursor')
  const faults: Fault[] = []
  const first = (chain?.['first_height'] as bigint | undefined) ?? 0n
  const scan: Scan = {
    first,
    isEventsOnly: chain?.['events_only'] === true,
    pruned: await readPruned(session),
    most,
    tell(table, height, message) {
      if (faults.length < most) faults.push({ table, height, message })
    },
    before: undefined,
    next: first,
    blocks: 0n,
  }
  for (;;) {
    signal?.throwIfAborted()
    if (!(await checkPage(session, scan))) break
    onProgress?.(scan.next - 1n)
  }
  checkCursor(scan, cursor)
  return { blocks: scan.blocks, faults }
}

/** Checks the next blocks. Returns whether more may follow. */
async function checkPage(session: Session, scan: Scan): Promise<boolean> {
  const start = scan.next
  const page = (await session.query('select * from block where height >= $1 order by height limit $2', [
    String(start),
    PAGE,
  ])) as unknown as readonly BlockRow[]
  const rows = await rowsOf(session, page)
  const gaps = await gapsOf(session, page)
  const stale = await staleOf(session, page)
  for (const block of page) {
    const own = Object.fromEntries(BLOCK_TABLES.map((table) => [table, rows[table]?.get(block.height) ?? []]))
    const all = { ...own, block } as unknown as BlockRows
    checkBlock(scan, all, gaps.has(block.height), stale.get(block.height))
  }
  const isLast = page.length < PAGE
  const last = isLast ? END : (page.at(-1)?.height ?? END)
  const headersFrom = scan.pruned.get('blocks') ?? 0n
  const unpruned = start < headersFrom ? headersFrom : start
  for (const { table, height } of await orphans(session, page, unpruned, last, scan.most)) {
    scan.tell(table, height, 'the table has rows of a block that is not stored')
  }
  return !isLast
}

/** `stale` is the chain digest from which the block's chain digest follows, if it is to be computed again. */
function checkBlock(scan: Scan, rows: BlockRows, isUntraced: boolean, stale: Uint8Array | undefined): void {
  const { before, first, pruned, isEventsOnly, tell } = scan
  const { block } = rows
  const headersFrom = pruned.get('blocks') ?? 0n
  // Of removed headers, only the first one remains.
  if (before !== undefined && scan.next < headersFrom) scan.next = headersFrom
  if (block.height !== scan.next)
    tell('block', scan.next, `block ${scan.next} is missing; the next stored block is ${block.height}`)
  const previous = before?.height === block.height - 1n ? before : undefined
  for (const message of faultsOf(rows, {
    previous,
    isFirst: block.height === first,
    isUntraced,
    lastDigest: stale ?? previous?.chain_digest ?? NO_CHAIN_DIGEST,
    pruned,
    isEventsOnly,
  })) {
    tell('block', block.height, message)
  }
  scan.before = block
  scan.next = block.height + 1n
  scan.blocks++
}

function checkCursor({ before, next, tell }: Scan, cursor: Row | undefined): void {
  const end = before && `${before.height} ${Hex.encode(before.hash)}`
  const stands = cursor && `${cursor['height']} ${Hex.encode(cursor['hash'] as Uint8Array)}`
  if (end === stands) return
  const message = `expected the cursor at ${end ?? 'no block'}, got ${stands ?? 'no cursor'}`
  tell('cursor', before?.height ?? next, message)
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

function* faultsOf(rows: BlockRows, around: Surroundings): Iterable<string> {
  const { block } = rows
  const { lastDigest, isUntraced, pruned } = around
  const isMissing = (table: BlockTable) => isPruned(pruned, table, block.height)
  const computed = new BlockCopies().add(rows, lastDigest, isUntraced)
  yield* linkFaults(block, around.previous)
  // The digest of a block with missing rows can't be computed.
  yield* digestFaults(block, DIGESTED_TABLES.some(isMissing) ? block.digest : computed.digest, around)
  if (!isMissing('log')) yield* logFaultsOf(rows, computed.log_digest)
  yield* sumFaults(rows, around, !around.isEventsOnly && !isMissing('transaction'))
}

/** Compares a block with the one before it, if that is stored. */
function* linkFaults(block: BlockRow, before: BlockRow | undefined): Iterable<string> {
  if (before !== undefined && !Bytes.equals(before.hash, block.parent_hash)) {
    yield `expected parent hash ${Hex.encode(before.hash)}, got ${Hex.encode(block.parent_hash)}`
  }
  const { settled_height: settled } = block
  const least = before?.settled_height ?? 0n
  if (settled !== null && (settled >= block.height || settled < least))
    yield `expected a settled height from ${least} to ${block.height - 1n}, got ${settled}`
}

/** Returns whether what is summed over all blocks can't be computed, because the block before is not stored. */
const isGiven = ({ previous, isFirst }: Surroundings): boolean => previous === undefined && !isFirst

function* digestFaults(block: BlockRow, digest: Uint8Array, around: Surroundings): Iterable<string> {
  if (!Bytes.equals(digest, block.digest)) {
    yield `expected block digest ${Hex.encode(digest)} (computed from its rows), got ${Hex.encode(block.digest)}`
  }
  const chain_digest = chainDigest(around.lastDigest, digest)
  if (!isGiven(around) && !Bytes.equals(chain_digest, block.chain_digest)) {
    yield `expected chain digest ${Hex.encode(chain_digest)} (computed from the blocks), got ${Hex.encode(block.chain_digest)}`
  }
}

function* sumFaults(
  { block, transaction, creation }: BlockRows,
  around: Surroundings,
  hasTransactions: boolean,
): Iterable<string> {
  const before = around.previous?.cumulative_transactions ?? 0n
  const cumulative = before + BigInt(hasTransactions ? transaction.length : block.transactions)
  const sums: readonly (readonly [name: string, expected: unknown, actual: unknown])[] = [
    [
      'cumulative number of transactions',
      isGiven(around) ? block.cumulative_transactions : cumulative,
      block.cumulative_transactions,
    ],
    ['creations', creation.length, block.creations],
    ['contracts', creation.filter(({ succeeded }) => succeeded).length, block.contracts],
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
