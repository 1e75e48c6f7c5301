import { Bytes } from '@firn/codec'
import { IndexerError } from '../common/IndexerError.ts'
import type { EvmUpstreams } from './upstream/EvmUpstreams.ts'

/** Options of {@link findFork}. */
export interface ForkOptions {
  readonly upstreams: Pick<EvmUpstreams, 'canonical'>
  /** Returns the hash of the stored block at a height; undefined if none is stored. */
  readonly hashAt: (height: bigint) => Promise<Uint8Array | undefined>
  /** Height of the newest stored block. */
  readonly height: bigint
  /** Height of the first stored block. */
  readonly firstHeight: bigint
  /** Maximum number of blocks that a reorg may remove. */
  readonly maxDepth: number
  /** Whether the node with the higher head is right where two nodes differ; see `EvmUpstreams.canonical`. */
  readonly decides?: boolean
  readonly signal: AbortSignal
}

/** Relation of the stored blocks to the nodes' chain. */
export type Fork =
  /** The newest stored block is on the chain. */
  | { readonly kind: 'none' }
  /** The nodes do not agree at present on whether the newest stored block is on the chain. */
  | { readonly kind: 'unknown' }
  /**
   * Blocks above `ancestor` were replaced. With `isShorter`, the nodes have no block at the height of the
   * newest stored block, so they may be lagging.
   */
  | { readonly kind: 'fork'; readonly ancestor: bigint; readonly isShorter: boolean }
  /** The reorg is deeper than `maxDepth`. */
  | { readonly kind: 'deep'; readonly error: IndexerError }

/** Number of heights compared in the first step. It doubles with each step. */
const FIRST_STEP = 4
const LARGEST_STEP = 64

/**
 * Finds the newest stored block that is still on the chain by comparing hashes, starting with the newest
 * stored block.
 * @throws IndexerError if no node answers; StoreError
 */
export async function findFork(options: ForkOptions): Promise<Fork> {
  const { upstreams, hashAt, height, firstHeight, maxDepth, decides, signal } = options
  const lowest = height - BigInt(maxDepth) > firstHeight ? height - BigInt(maxDepth) : firstHeight
  let isReplaced = false
  let isShorter = false
  for (let [top, step] = [height, FIRST_STEP]; top >= lowest; step = Math.min(step * 2, LARGEST_STEP)) {
    const count = Math.min(step, Number(top - lowest) + 1)
    const heights = Array.from({ length: count }, (_, i) => top - BigInt(i))
    const hashes = await upstreams.canonical(heights, signal, decides)
    for (const [i, at] of heights.entries()) {
      const hash = hashes[i]
      if (hash === undefined && at === height) isShorter = true
      if (hash === undefined) continue
      const stored = await hashAt(at)
      if (stored === undefined || !Bytes.equals(stored, hash)) isReplaced = true
      else if (isReplaced) return { kind: 'fork', ancestor: at, isShorter }
      else return { kind: at === height ? 'none' : 'unknown' }
    }
    top -= BigInt(count)
  }
  return isReplaced ? { kind: 'deep', error: tooDeep(height, maxDepth, firstHeight) } : { kind: 'unknown' }
}

function tooDeep(height: bigint, depth: number, firstHeight: bigint): IndexerError {
  const message = `the reorg is too deep: none of the stored blocks from height ${height} down to ${depth} blocks below it is still on the nodes' chain (the first stored height is ${firstHeight})`
  return new IndexerError('INDEXER_REORGANISATION', message, { details: { height: `${height}`, depth } })
}
