import { Bytes, type ChainAlias, Id } from '@firn/codec'
import type { Block } from './BlockStore.ts'
import * as Containers from './Containers.ts'
import type { DropReason } from './Events.ts'
import { SyncError } from './SyncError.ts'

/** The part of an answer that is what was asked for. */
export interface LinkedBlocks {
  /** Blocks of descending heights: the one that was asked for, its parent, and so on. */
  readonly blocks: readonly Block[]
  /** Why the rest of the answer is wrong; undefined if it is not. */
  readonly fault?: DropReason
}

/**
 * Returns the containers of an answer as blocks, as far as each has the id that was asked for: `id` for the first one,
 * then the parent's. Stops before the rest of the answer when `isEnd` returns true for a block. Signatures are not
 * checked.
 *
 * @throws SyncError `SYNC_UNREADABLE`, `SYNC_HEIGHT`
 * @example
 * ```ts
 * import { Answers } from '@firn/sync'
 *
 * declare const id: Uint8Array, containers: readonly Uint8Array[]
 * const { blocks, fault } = Answers.linkedBlocks('P', id, containers, ({ height }) => height === 1n)
 * ```
 */
export function linkedBlocks(
  chain: ChainAlias,
  id: Uint8Array,
  containers: readonly Uint8Array[],
  isEnd: (block: Block) => boolean,
): LinkedBlocks {
  const blocks: Block[] = []
  let wanted = id
  for (const bytes of containers) {
    const identified = tryIdentify(chain, bytes)
    if (identified === undefined || !Bytes.equals(identified.id, wanted)) {
      return { blocks, fault: 'wrong-container' }
    }
    const block = identified.read()
    const child = blocks.at(-1)
    if (child !== undefined && block.height !== child.height - 1n) throw wrongHeight(child, block)
    blocks.push(block)
    if (isEnd(block)) break
    wanted = block.parentId
  }
  return { blocks }
}

function tryIdentify(chain: ChainAlias, bytes: Uint8Array): Containers.Identified | undefined {
  try {
    return Containers.identify(chain, bytes)
  } catch {
    // The bytes are no block of this chain, so they are not the one that was asked for.
    return undefined
  }
}

/** Returns the error for a block whose height is not one below its child's. */
function wrongHeight(child: Block, parent: Block): SyncError {
  return new SyncError(
    'SYNC_HEIGHT',
    `block ${Id.format(parent.id)} has height ${parent.height}, but its child ${Id.format(child.id)} has height ${child.height}`,
    { details: { id: Id.format(child.id) } },
  )
}
