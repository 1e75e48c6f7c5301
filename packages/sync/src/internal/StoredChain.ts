import { Bytes, Id } from '@firn/codec'
import type { Block, BlockStore } from '../BlockStore.ts'
import * as Segments from '../Segments.ts'
import { SyncError } from '../SyncError.ts'
import type { Tip } from '../Tip.ts'

/** The blocks in the store above the root, of which not all are linked yet. */
export interface StoredChain {
  readonly store: BlockStore
  /** The block below the first one that is stored. */
  readonly root: Tip
  readonly signal: AbortSignal
  readonly onConflict: (id: Uint8Array, height: bigint) => void
  readonly onStored: (count: number) => void
  segments: readonly Segments.Segment[]
  /** The end of the changes that were requested. */
  changes: Promise<unknown>
}

/** The outcome of storing blocks. */
export type Committed = 'stored' | 'conflict'

/** Reads which blocks are stored. */
export async function openStoredChain(
  options: Omit<StoredChain, 'segments' | 'changes'>,
): Promise<StoredChain> {
  const { store, root } = options
  return { ...options, segments: await readSegments(store, root.height), changes: Promise.resolve() }
}

/**
 * Stores linked blocks, the highest one first, as far as they are not stored yet. Blocks that are linked to different
 * ones than the stored are wrong if they are accepted; otherwise the given ones are. Changes happen one after another, and
 * none after the signal is aborted.
 * @throws SyncError `SYNC_ROOT`, `SYNC_STORE`; the signal's reason
 */
export function commit(
  chain: StoredChain,
  blocks: readonly Block[],
  isAccepted: boolean,
): Promise<Committed> {
  const result = chain.changes.then(() => {
    chain.signal.throwIfAborted()
    return commitNow(chain, blocks, isAccepted)
  })
  chain.changes = result.catch(() => undefined)
  return result
}

/** Reports a block that is not on the accepted chain. */
export function conflict(chain: StoredChain, { id, height }: Tip): 'conflict' {
  chain.onConflict(id, height)
  return 'conflict'
}

/**
 * Blocks that are not linked are never stored at successive heights, because after a kill only the heights are
 * known.
 */
async function commitNow(
  chain: StoredChain,
  blocks: readonly Block[],
  isAccepted: boolean,
): Promise<Committed> {
  const fresh = await withoutStored(chain, blocks, isAccepted)
  if (fresh === undefined) return conflict(chain, blocks[0] as Block)
  const [first] = fresh
  if (first === undefined) return 'stored'
  if (!(await isLinkedAbove(chain, first, isAccepted))) return conflict(chain, first)
  const { linked, outcome } = await linkBelow(chain, fresh, isAccepted)
  const [highest, lowest] = [linked[0], linked.at(-1)]
  if (highest === undefined || lowest === undefined) return outcome
  await chain.store.put(linked)
  const { parentId } = lowest
  const added = { from: lowest.height, to: highest.height, id: highest.id, parentId }
  chain.segments = Segments.add(chain.segments, added)
  chain.onStored(linked.length)
  return outcome
}

/** Returns the blocks that are not stored; undefined if they conflict with stored ones, which are removed if they are wrong. */
async function withoutStored(
  chain: StoredChain,
  blocks: readonly Block[],
  isAccepted: boolean,
): Promise<readonly Block[] | undefined> {
  const top = blocks[0] as Block
  const overlapping = Segments.at(chain.segments, top.height)
  if (overlapping === undefined) return blocks
  if (Bytes.equals((await read(chain.store, top.height)).id, top.id))
    return blocks.filter(({ height }) => height < overlapping.from)
  if (!isAccepted) return undefined
  await remove(chain, overlapping, top.height)
  return blocks
}

/** Returns whether a block is the parent of the stored one above it, if there is one, which is removed if it is wrong. */
async function isLinkedAbove(chain: StoredChain, block: Block, isAccepted: boolean): Promise<boolean> {
  const above = Segments.at(chain.segments, block.height + 1n)
  if (above === undefined || Bytes.equals(above.parentId, block.id)) return true
  if (isAccepted) await remove(chain, above, above.from)
  return isAccepted
}

/**
 * Returns the blocks down to the first one that is linked to a stored block or to the root. Stored blocks that an
 * accepted one shows to be wrong are removed.
 */
async function linkBelow(
  chain: StoredChain,
  blocks: readonly Block[],
  isAccepted: boolean,
): Promise<{ readonly linked: readonly Block[]; readonly outcome: Committed }> {
  const { root } = chain
  const linked: Block[] = []
  for (const block of blocks) {
    if (block.height === root.height + 1n && !Bytes.equals(block.parentId, root.id)) {
      if (isAccepted) throw wrongRoot(root, block.parentId)
      return { linked: [], outcome: conflict(chain, block) }
    }
    const below = Segments.at(chain.segments, block.height - 1n)
    const isLinked = below !== undefined && Bytes.equals(below.id, block.parentId)
    if (below !== undefined && !isLinked) {
      if (!isAccepted) return { linked, outcome: conflict(chain, block) }
      await remove(chain, below, below.to)
    }
    linked.push(block)
    if (isLinked) break
  }
  return { linked, outcome: 'stored' }
}

/** Removes the blocks of a segment from a height on. */
async function remove(chain: StoredChain, segment: Segments.Segment, from: bigint): Promise<void> {
  const { store } = chain
  conflict(chain, { id: segment.id, height: segment.to })
  await store.remove({ from, to: segment.to })
  const others = chain.segments.filter((other) => other !== segment)
  if (from === segment.from) chain.segments = others
  else {
    const { id } = await read(store, from - 1n)
    chain.segments = Segments.add(others, { ...segment, to: from - 1n, id })
  }
}

async function readSegments(store: BlockStore, root: bigint): Promise<readonly Segments.Segment[]> {
  const segments: Segments.Segment[] = []
  for (const { from, to } of await store.intervals(root)) {
    const [lowest, highest] = await Promise.all([read(store, from), read(store, to)])
    segments.push({ from, to, id: highest.id, parentId: lowest.parentId })
  }
  return segments
}

async function read(store: BlockStore, height: bigint): Promise<Block> {
  const block = await store.get(height)
  if (block !== undefined) return block
  throw new SyncError(
    'SYNC_STORE',
    `the block store has no block at height ${height}, which is in its intervals`,
  )
}

/** Returns the error for accepted blocks that lead to another root. */
export function wrongRoot({ id, height }: Tip, actual: Uint8Array): SyncError {
  const details = { height: String(height), expected: Id.format(id), actual: Id.format(actual) }
  return new SyncError(
    'SYNC_ROOT',
    `the accepted chain has block ${details.actual} at height ${height}, but expected ${details.expected}. Check that the genesis and the bootstrappers are of the same network.`,
    { details },
  )
}
