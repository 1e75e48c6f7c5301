import { Bytes, Hex, Id } from '@firn/codec'
import * as Answers from '../Answers.ts'
import type { Block } from '../BlockStore.ts'
import * as Segments from '../Segments.ts'
import { SyncError } from '../SyncError.ts'
import type { Tip } from '../Tip.ts'
import type { Context } from './Context.ts'
import { fetchAncestors, type Wanted } from './Fetch.ts'
import { commit, conflict, type StoredChain, wrongRoot } from './StoredChain.ts'

/** A walk from a block to its ancestors. */
export interface Walk {
  /** The next block to fetch, and its height if it is known. */
  id: Uint8Array
  height: bigint | undefined
  /** True if the block is an ancestor of an accepted one, so that a mismatch is not the walk's fault. */
  readonly isAccepted: boolean
}

/** How a walk ends: at stored blocks, or because the peers that were asked do not have its next block. */
export type End = 'done' | 'unknown'

/** All walks through one chain. */
export interface Walks {
  readonly context: Context
  readonly chain: StoredChain
  /** Peers that have the accepted blocks. */
  readonly peers: readonly Uint8Array[] | undefined
  /** The walk that fetches each block, by the block's id in hex. */
  readonly byBlock: Map<string, Walk>
  /** The highest accepted block. */
  tip: Tip
}

const NO_ID = new Uint8Array()

/**
 * Fetches and stores the ancestors of a walk's block, until it meets stored blocks, the root or another walk.
 * @throws SyncError
 */
export async function run(walks: Walks, walk: Walk): Promise<End> {
  const { chain, byBlock } = walks
  if (Bytes.equals(walk.id, chain.root.id)) return 'done'
  await findHeight(walks, walk)
  for (;;) {
    report(walks)
    if (!advance(chain, walk) || !claim(byBlock, walk)) return 'done'
    const key = Hex.encodeBare(walk.id)
    try {
      const end = await step(walks, walk)
      if (end !== undefined) return end
    } finally {
      if (byBlock.get(key) === walk) byBlock.delete(key)
    }
  }
}

/** Reports how many blocks up to the tip are stored. */
export function report({ context, chain, tip }: Walks, isLast = false): void {
  const stored = Segments.count(chain.segments, chain.root.height + 1n, tip.height)
  context.progress('fetching', { isLast, tip: tip.height, stored })
}

async function findHeight(walks: Walks, walk: Walk): Promise<void> {
  if (walk.height !== undefined) return
  const known = await walks.chain.store.getById(walk.id)
  if (known === undefined) return
  walk.height = known.height
  raise(walks, walk, known)
}

/** Moves a walk below the stored blocks. Returns false where it ends. */
function advance(chain: StoredChain, walk: Walk): boolean {
  const { root, segments } = chain
  const segment = walk.height === undefined ? undefined : Segments.at(segments, walk.height)
  if (segment !== undefined) {
    walk.id = segment.parentId
    walk.height = segment.from - 1n
  }
  if (walk.height === undefined || walk.height > root.height) return true
  if (walk.height === root.height && !Bytes.equals(walk.id, root.id)) {
    if (walk.isAccepted) throw wrongRoot(root, walk.id)
    conflict(chain, { id: walk.id, height: walk.height })
  }
  return false
}

/**
 * Registers a walk at its block. If there is another one at the same block, this walk ends, except one from an accepted
 * block that meets one from a checkpoint: accepted blocks are asked for more urgently.
 */
function claim(byBlock: Map<string, Walk>, walk: Walk): boolean {
  const key = Hex.encodeBare(walk.id)
  const other = byBlock.get(key)
  if (other !== undefined && (other.isAccepted || !walk.isAccepted)) return false
  byBlock.set(key, walk)
  return true
}

/** Fetches and stores a walk's next blocks. Returns undefined if it goes on. */
async function step(walks: Walks, walk: Walk): Promise<End | undefined> {
  const { context, chain } = walks
  const { root, signal } = chain
  const { id, height, isAccepted } = walk
  const blocks = await fetchAncestors(context, wantedBlocks(walks, walk), signal)
  if (blocks === undefined) return 'unknown'
  const [top, lowest] = [blocks[0] as Block, blocks.at(-1) as Block]
  if (isAccepted && top.height === root.height && !Bytes.equals(id, root.id)) throw wrongRoot(root, id)
  if (height !== undefined && top.height !== height) {
    if (isAccepted) throw unexpectedHeight(top, height)
    conflict(chain, top)
    return 'done'
  }
  const wanted = blocks.filter((block) => block.height > root.height)
  const outcome = wanted.length === 0 ? 'conflict' : await commit(chain, wanted, isAccepted)
  raise(walks, walk, top)
  walk.id = lowest.parentId
  walk.height = lowest.height - 1n
  return outcome === 'stored' ? undefined : 'done'
}

function raise(walks: Walks, { isAccepted }: Walk, { id, height }: Tip): void {
  if (isAccepted && height > walks.tip.height) walks.tip = { id, height }
}

/** Returns the request for a walk's next blocks, with the check of the answer. */
function wantedBlocks({ context, chain, peers }: Walks, { id, isAccepted }: Walk): Wanted<readonly Block[]> {
  const isEnd = (block: Block) =>
    block.height <= chain.root.height + 1n ||
    Bytes.equals(Segments.at(chain.segments, block.height - 1n)?.id ?? NO_ID, block.parentId)
  return {
    id,
    engine: 'chain',
    isAccepted,
    ...(peers && { peers }),
    async check(containers) {
      const linked = Answers.linkedBlocks(context.chain, id, containers, isEnd)
      const valid = await context.verify(linked.blocks)
      const wrong = linked.blocks.findIndex((_, i) => valid[i] !== true)
      const checked = wrong < 0 ? linked.blocks : linked.blocks.slice(0, wrong)
      const fault = wrong < 0 ? linked.fault : 'signature'
      const bytes = checked.reduce((sum, block) => sum + block.bytes.length, 0)
      return { bytes, ...(checked.length > 0 && { value: checked }), ...(fault && { fault }) }
    },
  }
}

function unexpectedHeight({ id, height }: Tip, expected: bigint): SyncError {
  return new SyncError(
    'SYNC_HEIGHT',
    `block ${Id.format(id)} has height ${height}, but its child has height ${expected + 1n}`,
    { details: { id: Id.format(id) } },
  )
}
