import { Bytes, CHAIN_ALIASES, type ChainAlias, Id, isFirnError } from '@firn/codec'
import { Blocks, StateDigest, type Store, Transactions } from '@firn/store'
import * as DecodedBlock from '../DecodedBlock.ts'
import type { Source, SourceBlock } from '../Source.ts'
import { followedOf } from '../StoreSource.ts'
import type { Finding } from './Finding.ts'
import { replayBlocks } from './replayBlocks.ts'

export type { Finding } from './Finding.ts'

/** Digest of a chain after the block at `height`. */
export interface Digest {
  readonly chain: ChainAlias
  readonly height: bigint
  readonly digest: Uint8Array
}

/** Result of {@link examine}. */
export interface Examination {
  readonly findings: readonly Finding[]
  /** Number of checked blocks of each chain. */
  readonly blocks: Readonly<Record<ChainAlias, number>>
  /** Digests after every thousandth block and after the last one. */
  readonly digests: readonly Digest[]
  /** Digest over all tables; undefined if it was not computed. */
  readonly state: Uint8Array | undefined
}

/** Options of {@link examine}. */
export interface DoctorOptions {
  readonly store: Store
  /** Source whose heights and blocks are compared with those in the database, such as nodes. */
  readonly source?: Source | undefined
  /** Number of blocks by which the database may lag behind the source; default 10. */
  readonly lag?: number
  /**
   * Whether to apply all blocks again in memory and compare the resulting tables. This takes as long as
   * indexing.
   */
  readonly replay?: boolean
  readonly onProgress?: (chain: ChainAlias, height: bigint, tip: bigint) => void
}

/** Number of blocks that are read at once, and number of blocks between two reported digests. */
const STEP = 1_000
/** Maximum number of findings reported per check and chain. */
const MOST = 20

type Report = (finding: Finding) => void
type BlockRow = Awaited<ReturnType<typeof Blocks.rows>>[number]

/**
 * Checks that a database is complete: that heights have no gaps, and that the ids, parents, digests and
 * transactions of all blocks are right. With a source, it also compares heights and every thousandth block.
 * Returns all mismatches as findings.
 * @throws StoreError `STORE_EMPTY`, `STORE_UNAVAILABLE`; the signal's reason
 */
export async function examine(options: DoctorOptions, signal: AbortSignal): Promise<Examination> {
  const { store, source } = options
  const at = await store.snapshot(signal)
  const findings: Finding[] = []
  const counts = new Map<string, number>()
  const report: Report = (finding) => {
    const key = `${finding.check} ${finding.chain}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    if (count <= MOST) findings.push(finding)
  }
  const digests: Digest[] = []
  const blocks = { P: 0, X: 0, C: 0 }
  const network = await store.network()
  const followed = network === undefined ? CHAIN_ALIASES : followedOf(network)
  for (const chain of CHAIN_ALIASES) {
    const { height, blockId } = at[chain]
    const walk = { options, chain, tip: height, report, digests }
    const { last, count } = await walkChain(walk, signal)
    blocks[chain] = count
    checkCursor(chain, last, { height, blockId }, report)
    if (source !== undefined && followed.includes(chain))
      await checkSource({ ...options, source }, chain, height, report, signal)
  }
  const state = await digestOf(store, report)
  if (options.replay && state !== undefined && findings.length === 0) {
    const message = await replayBlocks(store, state, signal)
    if (message !== undefined) report({ chain: undefined, check: 'state', height: undefined, message })
  }
  return { findings, blocks, digests, state }
}

interface Walk {
  readonly options: DoctorOptions
  readonly chain: ChainAlias
  readonly tip: bigint
  readonly report: Report
  readonly digests: Digest[]
}

type Last = { readonly row: BlockRow; readonly containerId: Uint8Array | undefined }

/** Checks every block of a chain in ascending order. Returns the last block. */
async function walkChain(
  { options, chain, tip, report, digests }: Walk,
  signal: AbortSignal,
): Promise<{ readonly last: Last | undefined; readonly count: number }> {
  let last: Last | undefined
  let count = 0
  // The database contains only the hash of the C-chain's block 0, so there are no bytes to check.
  let next = chain === 'C' ? 1n : 0n
  while (next <= tip) {
    signal.throwIfAborted()
    const end = next - (next % BigInt(STEP)) + BigInt(STEP)
    const rows = await Blocks.rows(options.store, chain, next, end < tip + 1n ? end : tip + 1n)
    for (const row of rows) {
      if (row.height !== next) report(gap(chain, next, row.height))
      const containerId = checkBlock(chain, row, last, report)
      last = { row, containerId }
      next = row.height + 1n
    }
    count += rows.length
    await checkTransactions(options.store, chain, rows, report)
    const until = end < tip + 1n ? end : tip + 1n
    if (next < until) report(gap(chain, next, until))
    next = until
    if (last !== undefined) digests.push({ chain, height: last.row.height, digest: last.row.digest })
    options.onProgress?.(chain, next - 1n, tip)
  }
  return { last, count }
}

function gap(chain: ChainAlias, from: bigint, until: bigint): Finding {
  const range = until - from === 1n ? `block ${from} is` : `blocks ${from} to ${until - 1n} are`
  return { chain, check: 'gap', height: from, message: `${chain}-chain: ${range} missing` }
}

/** Checks a row against the block's bytes and the previous row. Returns the container's id. */
function checkBlock(
  chain: ChainAlias,
  row: BlockRow,
  last: Last | undefined,
  report: Report,
): Uint8Array | undefined {
  const { height } = row
  const tell = (check: Finding['check'], message: string) =>
    report({ chain, check, height, message: `${chain}-chain block ${height}: ${message}` })
  const before = last !== undefined && last.row.height === height - 1n ? last : undefined
  const opened = open(chain, row, (message) => tell('block', message))
  if (opened !== undefined) {
    compareRow(row, opened, tell)
    if (before !== undefined) compareParents(before, opened, (message) => tell('parent', message))
  }
  const isFirst = height === (chain === 'C' ? 1n : 0n)
  const digest = isFirst ? Id.EMPTY : before?.row.digest
  if (digest !== undefined && !Bytes.equals(Id.hash(Bytes.concat(digest, row.id)), row.digest)) {
    tell('digest', 'the stored digest does not match the blocks up to this height')
  }
  return row.container_id ?? undefined
}

/** Compares a row with the block in its bytes. */
function compareRow(
  row: BlockRow,
  { bytes, id, height, parentId }: DecodedBlock.DecodedBlock,
  tell: (check: Finding['check'], message: string) => void,
): void {
  const inner = row.container.subarray(row.inner_offset, row.inner_offset + row.inner_length)
  if (!Bytes.equals(bytes, inner)) tell('block', 'the inner block is not at the offset given in the row')
  if (!Bytes.equals(id, row.id)) tell('block', `expected the block id ${name(id)}, got ${name(row.id)}`)
  if (height !== row.height) tell('block', `the stored bytes belong to block ${height}`)
  if (!Bytes.equals(parentId, row.parent_id))
    tell('parent', "the parent id in the row differs from the one in the block's bytes")
}

/** Compares the parents that a block names with the previous row. */
function compareParents(
  { row, containerId }: Last,
  { parentId, container }: DecodedBlock.DecodedBlock,
  tell: (message: string) => void,
): void {
  if (!Bytes.equals(parentId, row.id)) tell(`expected the parent id ${name(row.id)}, got ${name(parentId)}`)
  if (container?.parentId === undefined || containerId === undefined) return
  if (!Bytes.equals(container.parentId, containerId))
    tell("the container's parent is not the previous container")
}

function open(
  chain: ChainAlias,
  row: BlockRow,
  tell: (message: string) => void,
): DecodedBlock.DecodedBlock | undefined {
  const { container: bytes, container_id: id } = row
  const kind = id === null ? 'block' : 'container'
  try {
    const opened = DecodedBlock.decode(chain, {
      kind,
      bytes,
      ...(id === null ? {} : { id }),
      origin: 'the database',
    })
    return { ...opened, id: opened.container === undefined ? opened.id : innerIdOf(chain, opened) }
  } catch (error) {
    if (!isFirnError(error)) throw error
    tell(error.message)
    return undefined
  }
}

function innerIdOf(chain: ChainAlias, { bytes }: DecodedBlock.DecodedBlock): Uint8Array {
  return DecodedBlock.decode(chain, { kind: 'block', bytes, origin: '' }).id
}

function checkCursor(
  chain: ChainAlias,
  last: Last | undefined,
  { height, blockId }: { readonly height: bigint; readonly blockId: Uint8Array },
  report: Report,
): void {
  const tell = (message: string) =>
    report({ chain, check: 'cursor', height, message: `${chain}-chain: ${message}` })
  if (last === undefined) {
    if (height > 0n) tell(`the cursor is at height ${height}, but the database has no blocks`)
  } else if (last.row.height === height && !Bytes.equals(last.row.id, blockId)) {
    tell(
      `the cursor at height ${height} names block ${name(blockId)}, but the stored block there is ${name(last.row.id)}`,
    )
  }
}

/**
 * Checks that the stored transaction rows match the transaction counts of the blocks. Genesis transactions
 * are not counted, because no block's bytes contain them.
 */
async function checkTransactions(
  store: Store,
  chain: ChainAlias,
  rows: readonly BlockRow[],
  report: Report,
): Promise<void> {
  const blocks = rows.filter(({ height }) => height > 0n)
  const [first, last] = [blocks[0], blocks.at(-1)]
  if (first === undefined || last === undefined) return
  const counts = await Transactions.counts(store, chain, first.height, last.height)
  for (const { height, transactions } of blocks) {
    const actual = counts.get(height) ?? 0
    if (actual === transactions) continue
    const message = `${chain}-chain block ${height}: expected ${transactions} stored transactions, got ${actual}`
    report({ chain, check: 'transactions', height, message })
  }
}

/**
 * Checks that the source is at least as high as the database and at most `lag` blocks ahead. Checks that both have
 * the same block at their highest common height, and at every thousandth height below it.
 */
async function checkSource(
  { store, source, lag = 10 }: DoctorOptions & { readonly source: Source },
  chain: ChainAlias,
  tip: bigint,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const tell = (height: bigint, message: string) =>
    report({ chain, check: 'source', height, message: `${chain}-chain: ${message}` })
  const theirs = (await source.tip(chain, signal)) ?? 0n
  if (theirs > tip + BigInt(lag))
    tell(tip, `the database ends at height ${tip}, but ${source.name} ends at ${theirs}`)
  const end = theirs < tip ? theirs : tip
  if (theirs < tip)
    tell(tip, `${source.name} has blocks up to height ${theirs}, but the database has blocks up to ${tip}`)
  for (let height = end % BigInt(STEP); height <= end; height += BigInt(STEP)) {
    if (height === 0n) continue
    const [given] = await source.blocks(chain, height, 1, signal)
    const row = await Blocks.idsAt(store, chain, height)
    if (given === undefined) tell(height, `${source.name} does not return block ${height}`)
    if (given === undefined || row === undefined) continue
    const id = idOf(chain, given)
    if (id instanceof Uint8Array && Bytes.equals(id, row.id)) continue
    const theirs =
      id instanceof Uint8Array ? `${name(id)} at ${source.name}` : `unreadable at ${source.name}: ${id}`
    tell(height, `block ${height} is ${name(row.id)} in the database, but ${theirs}`)
  }
}

/** Returns the inner block's id, or the reason why the block from the source is invalid. */
function idOf(chain: ChainAlias, given: SourceBlock): Uint8Array | string {
  try {
    return innerIdOf(chain, DecodedBlock.decode(chain, given))
  } catch (error) {
    if (isFirnError(error)) return error.message
    throw error
  }
}

async function digestOf(store: Store, report: Report): Promise<Uint8Array | undefined> {
  try {
    return await StateDigest.of(store)
  } catch (error) {
    if (!isFirnError(error)) throw error
    report({
      chain: undefined,
      check: 'state',
      height: undefined,
      message: `cannot compute the digest of the tables: ${error.message}`,
    })
    return undefined
  }
}

function name(id: Uint8Array): string {
  return Id.format(id)
}
