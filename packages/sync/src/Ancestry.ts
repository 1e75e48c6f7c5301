import { Bytes, Hex, Id } from '@firn/codec'
import { backoff } from '@firn/runtime'
import * as Answers from './Answers.ts'
import type { Block, BlockStore } from './BlockStore.ts'
import type { Context } from './internal/Context.ts'
import { childOf } from './internal/children.ts'
import { fetchAncestors, type Wanted } from './internal/Fetch.ts'
import * as Segments from './Segments.ts'
import { SyncError } from './SyncError.ts'

/** A block by id and height. */
export interface Tip {
  readonly id: Uint8Array
  readonly height: bigint
}

/** A block that is known to be on the chain. Its height is learned from the block if it is not known. */
export interface Checkpoint {
  readonly id: Uint8Array
  readonly height?: bigint
}

/** What is to be fetched. */
export interface Ancestry {
  /** The block below the first one that is fetched: the genesis, or the last one that the caller has. */
  readonly root: Tip
  /** Accepted blocks. */
  readonly accepted: readonly Uint8Array[]
  /** Blocks from which the chain is fetched at the same time. One that no peer has delays nothing. */
  readonly checkpoints?: readonly Checkpoint[]
  readonly store: BlockStore
  /** Peers that have the accepted blocks and are asked first, so that others are not blamed for a small delay. */
  readonly peers?: readonly Uint8Array[]
}

/** A walk from a block to its ancestors. */
interface Walk {
  /** The next block to fetch, and its height if it is known. */
  id: Uint8Array
  height: bigint | undefined
  /** True if the block is an ancestor of an accepted one, so that a mismatch is not the walk's fault. */
  isAccepted: boolean
}

/** The outcome of storing a walk's blocks. */
type Committed = 'stored' | 'conflict'

/** How a walk ends: at stored blocks, or because the peers that were asked do not have its next block. */
type End = 'done' | 'unknown'

/** A checkpoint that is not complete, and when to try it again. */
interface Waiting {
  readonly walk: Walk
  readonly failures: number
  readonly notBefore: number
}

const NO_ID = new Uint8Array()
const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 300_000
/** Errors of a block, as opposed to those of the store. */
const CHAIN_ERRORS: readonly string[] = ['SYNC_HEIGHT', 'SYNC_UNREADABLE']

/**
 * Stores all blocks above the root up to the accepted ones, and returns the highest of these. Walks go backwards from
 * the accepted blocks and from the checkpoints, until they meet heights that are stored.
 */
export async function fetchAncestry(context: Context, ancestry: Ancestry): Promise<Tip> {
  const { root, store } = ancestry
  let segments = await readSegments(store, root.height)
  const child = childOf(context.signal)
  const { signal } = child
  const walks = new Map<string, Walk>()
  let tip = root
  let tail: Promise<unknown> = Promise.resolve()

  /** Runs changes of the store one after another, and none after the end. */
  const exclusively = <T>(change: () => Promise<T>): Promise<T> => {
    const result = tail.then(() => {
      signal.throwIfAborted()
      return change()
    })
    tail = result.catch(() => undefined)
    return result
  }
  const report = (isLast = false) =>
    context.progress('fetching', {
      isLast,
      tip: tip.height,
      stored: Segments.count(segments, root.height + 1n, tip.height),
    })
  const conflict = ({ id, height }: { readonly id: Uint8Array; readonly height: bigint }) => {
    context.events.onConflict?.(id, height)
    return 'conflict' as const
  }
  const remove = async (segment: Segments.Segment, from: bigint) => {
    conflict({ id: segment.id, height: segment.to })
    await store.remove({ from, to: segment.to })
    const others = segments.filter((other) => other !== segment)
    if (from === segment.from) segments = others
    else {
      const { id } = await read(store, from - 1n)
      segments = Segments.add(others, { ...segment, to: from - 1n, id })
    }
  }

  /**
   * Stores the blocks of a walk that are not stored yet. Blocks that are linked to different ones than the stored are
   * wrong where the walk begins at an accepted block; otherwise the walk is. Blocks that are not linked are never stored
   * at successive heights, because after a kill only the heights are known.
   */
  const commit = async (walk: Walk, blocks: readonly Block[]): Promise<Committed> => {
    const top = blocks[0] as Block
    const overlapping = Segments.at(segments, top.height)
    let fresh = blocks
    if (overlapping !== undefined) {
      if (Bytes.equals((await read(store, top.height)).id, top.id)) {
        fresh = blocks.filter(({ height }) => height < overlapping.from)
        if (fresh.length === 0) return 'stored'
      } else if (!walk.isAccepted) return conflict(top)
      else await remove(overlapping, top.height)
    }
    const first = fresh[0] as Block
    const above = Segments.at(segments, first.height + 1n)
    if (above !== undefined && !Bytes.equals(above.parentId, first.id)) {
      if (!walk.isAccepted) return conflict(first)
      await remove(above, above.from)
    }
    const taken: Block[] = []
    let outcome: Committed = 'stored'
    for (const block of fresh) {
      if (block.height === root.height + 1n && !Bytes.equals(block.parentId, root.id)) {
        if (walk.isAccepted) throw wrongRoot(root, block.parentId)
        return conflict(block)
      }
      taken.push(block)
      const below = Segments.at(segments, block.height - 1n)
      if (below === undefined) continue
      if (Bytes.equals(below.id, block.parentId)) break
      if (!walk.isAccepted) {
        taken.pop()
        outcome = conflict(block)
        break
      }
      await remove(below, below.to)
    }
    const [highest, lowest] = [taken[0], taken.at(-1)]
    if (highest === undefined || lowest === undefined) return outcome
    await store.put(taken)
    segments = Segments.add(segments, {
      from: lowest.height,
      to: highest.height,
      id: highest.id,
      parentId: lowest.parentId,
    })
    context.countStored(taken.length)
    return outcome
  }

  /** Moves a walk below the stored blocks. Returns false where it ends. */
  const advance = (walk: Walk): boolean => {
    const segment = walk.height === undefined ? undefined : Segments.at(segments, walk.height)
    if (segment !== undefined) {
      walk.id = segment.parentId
      walk.height = segment.from - 1n
    }
    if (walk.height === undefined || walk.height > root.height) return true
    if (walk.height === root.height && !Bytes.equals(walk.id, root.id)) {
      if (walk.isAccepted) throw wrongRoot(root, walk.id)
      conflict({ id: walk.id, height: walk.height })
    }
    return false
  }

  /** Fetches and stores a walk's next blocks. Returns undefined if it goes on. */
  const step = async (walk: Walk): Promise<End | undefined> => {
    const { id, height } = walk
    const isEnd = (block: Block) =>
      block.height <= root.height + 1n ||
      Bytes.equals(Segments.at(segments, block.height - 1n)?.id ?? NO_ID, block.parentId)
    const blocks = await fetchAncestors(context, wantedBlocks(context, walk, isEnd, ancestry.peers), signal)
    if (blocks === undefined) return 'unknown'
    const [top, lowest] = [blocks[0] as Block, blocks.at(-1) as Block]
    if (walk.isAccepted && top.height === root.height && !Bytes.equals(id, root.id)) throw wrongRoot(root, id)
    if (height !== undefined && top.height !== height) {
      if (walk.isAccepted) throw unexpectedHeight(top, height)
      conflict(top)
      return 'done'
    }
    const wanted = blocks.filter((block) => block.height > root.height)
    const outcome = wanted.length === 0 ? 'conflict' : await exclusively(() => commit(walk, wanted))
    raise(walk, top)
    walk.id = lowest.parentId
    walk.height = lowest.height - 1n
    return outcome === 'stored' ? undefined : 'done'
  }
  const raise = (walk: Walk, { id, height }: Tip) => {
    if (walk.isAccepted && height > tip.height) tip = { id, height }
  }

  /**
   * Places a walk on the map. If there is another one at the same block, this walk ends, except one from an accepted
   * block that meets one from a checkpoint: accepted blocks are asked for more urgently.
   */
  const claim = (walk: Walk): boolean => {
    const key = Hex.encodeBare(walk.id)
    const other = walks.get(key)
    if (other !== undefined && (other.isAccepted || !walk.isAccepted)) return false
    walks.set(key, walk)
    return true
  }
  const run = async (walk: Walk): Promise<End> => {
    if (Bytes.equals(walk.id, root.id)) return 'done'
    if (walk.height === undefined) {
      const known = await store.getById(walk.id)
      if (known !== undefined) {
        walk.height = known.height
        raise(walk, known)
      }
    }
    for (;;) {
      report()
      if (!advance(walk) || !claim(walk)) return 'done'
      const key = Hex.encodeBare(walk.id)
      try {
        const end = await step(walk)
        if (end !== undefined) return end
      } finally {
        if (walks.get(key) === walk) walks.delete(key)
      }
    }
  }

  const waiting: Waiting[] = (ancestry.checkpoints ?? []).map(({ id, height }) => ({
    walk: { id, height, isAccepted: false },
    failures: 0,
    notBefore: 0,
  }))
  /** Walks from one checkpoint after another. Those that no peer has are tried again later. */
  const runCheckpoints = async () => {
    for (;;) {
      const next = waiting.pop()
      if (next === undefined) return
      const waitMs = next.notBefore - context.clock.now()
      if (waitMs > 0) await context.clock.sleep(waitMs, signal)
      if ((await tolerate(next.walk, run(next.walk))) === 'done') continue
      const failures = next.failures + 1
      const pause = { random: context.random, first: FIRST_RETRY_MS, longest: LONGEST_RETRY_MS }
      waiting.unshift({ ...next, failures, notBefore: context.clock.now() + backoff(failures, pause) })
    }
  }
  /** A checkpoint whose block is wrong ends its own walk only. */
  const tolerate = (walk: Walk, end: Promise<End>) =>
    end.catch((error) => {
      if (!(error instanceof SyncError) || !CHAIN_ERRORS.includes(error.code)) throw error
      conflict({ id: walk.id, height: walk.height ?? 0n })
      return 'done' as const
    })

  try {
    const accepted = Promise.all(
      ancestry.accepted.map((id) => run({ id, height: undefined, isAccepted: true })),
    )
    const others = Array.from(
      { length: Math.min(context.options.maxRequests, waiting.length) },
      runCheckpoints,
    )
    try {
      // The checkpoints' walks end only by an error before the accepted ones do, or because all are done.
      await Promise.race([accepted, Promise.all(others).then(() => accepted)])
    } finally {
      child.abort()
      await Promise.allSettled([accepted, ...others])
      await tail
    }
    context.signal.throwIfAborted()
    report(true)
    return tip
  } finally {
    child.release()
  }
}

/** Returns the request for a walk's next blocks, with the check of the answer. */
function wantedBlocks(
  context: Context,
  { id, isAccepted }: Walk,
  isEnd: (block: Block) => boolean,
  peers: readonly Uint8Array[] | undefined,
): Wanted<readonly Block[]> {
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

/** Returns the stored blocks above the root. */
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

function wrongRoot({ id, height }: Tip, actual: Uint8Array): SyncError {
  const details = { height: String(height), expected: Id.format(id), actual: Id.format(actual) }
  return new SyncError(
    'SYNC_ROOT',
    `the accepted chain has block ${details.actual} at height ${height}, but expected ${details.expected}. Check that the genesis and the bootstrappers are of the same network.`,
    { details },
  )
}

function unexpectedHeight({ id, height }: Tip, expected: bigint): SyncError {
  return new SyncError(
    'SYNC_HEIGHT',
    `block ${Id.format(id)} has height ${height}, but its child has height ${expected + 1n}`,
    { details: { id: Id.format(id) } },
  )
}
