import type { BlockStore } from './BlockStore.ts'
import { runCheckpoints } from './internal/Checkpoints.ts'
import type { Context } from './internal/Context.ts'
import { childOf } from './internal/children.ts'
import { openStoredChain } from './internal/StoredChain.ts'
import { report, run, type Walks } from './internal/Walks.ts'
import type { Checkpoint, Tip } from './Tip.ts'

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

/**
 * Stores all blocks above the root up to the accepted ones, and returns the highest of these. Walks go backwards from
 * the accepted blocks and from the checkpoints, until they meet heights that are stored.
 */
export async function fetchAncestry(context: Context, ancestry: Ancestry): Promise<Tip> {
  const { root, store, peers, accepted: ids, checkpoints = [] } = ancestry
  const child = childOf(context.signal)
  try {
    const chain = await openStoredChain({
      store,
      root,
      signal: child.signal,
      onConflict: (id, height) => context.events.onConflict?.(id, height),
      onStored: context.countStored,
    })
    const walks: Walks = { context, chain, peers, byBlock: new Map(), tip: root }
    const accepted = Promise.all(ids.map((id) => run(walks, { id, height: undefined, isAccepted: true })))
    const others = runCheckpoints(walks, checkpoints)
    try {
      // The checkpoints' walks end only by an error before the accepted ones do, or because all are done.
      await Promise.race([accepted, Promise.all(others).then(() => accepted)])
    } finally {
      child.abort()
      await Promise.allSettled([accepted, ...others])
      await chain.changes
    }
    context.signal.throwIfAborted()
    report(walks, true)
    return walks.tip
  } finally {
    child.release()
  }
}
