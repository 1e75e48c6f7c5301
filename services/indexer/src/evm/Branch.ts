import { Bytes } from '@firn/codec'
import { IndexerError } from '../IndexerError.ts'
import type { EvmUpstreams } from './EvmUpstreams.ts'

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
  readonly signal: AbortSignal
}

/** Relation of the stored blocks to the nodes' chain. */
export type Fork =
  /** The newest stored block is still on the chain, or the nodes cannot confirm its removal at present. */
  | { readonly kind: 'none' }
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
  const { upstreams, hashAt, height, firstHeight, maxDepth, signal } = options
  const lowest = height - BigInt(maxDepth) > firstHeight ? height - BigInt(maxDepth) : firstHeight
  let isReplaced = false
  let isShorter = false
  for (let [top, step] = [height, FIRST_STEP]; top >= lowest; step = Math.min(step * 2, LARGEST_STEP)) {
    const count = Math.min(step, Number(top - lowest) + 1)
    const heights = Array.from({ length: count }, (_, i) => top - BigInt(i))
    const hashes = await upstreams.canonical(heights, signal)
    for (const [i, at] of heights.entries()) {
      const hash = hashes[i]
      if (hash === undefined && at === height) isShorter = true
      if (hash === undefined) continue
      const stored = await hashAt(at)
      if (stored === undefined || !Bytes.equals(stored, hash)) isReplaced = true
      else return isReplaced ? { kind: 'fork', ancestor: at, isShorter } : { kind: 'none' }
    }
    top -= BigInt(count)
  }
  return isReplaced ? { kind: 'deep', error: tooDeep(height, maxDepth, firstHeight) } : { kind: 'none' }
}

function tooDeep(height: bigint, depth: number, firstHeight: bigint): IndexerError {
  const message = `the reorg is too deep: none of the stored blocks from height ${height} down to ${depth} blocks below it is still on the nodes' chain (the first stored height is ${firstHeight})`
  return new IndexerError('INDEXER_REORGANISATION', message, { details: { height: `${height}`, depth } })
}
