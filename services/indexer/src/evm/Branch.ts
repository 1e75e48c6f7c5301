import { Bytes } from '@firn/codec'
import { IndexerError } from '../IndexerError.ts'
import type { EvmUpstreams } from './EvmUpstreams.ts'

/** What {@link findFork} needs. */
export interface ForkOptions {
  readonly upstreams: Pick<EvmUpstreams, 'canonical'>
  /** The hash of a stored block; undefined where none is stored. */
  readonly hashAt: (height: bigint) => Promise<Uint8Array | undefined>
  /** The newest stored block. */
  readonly height: bigint
  /** The first stored block. */
  readonly firstHeight: bigint
  /** Most blocks that may be undone. */
  readonly maxDepth: number
  readonly signal: AbortSignal
}

/** How the stored blocks stand to the nodes' chain. */
export type Fork =
  /** The newest stored block that both agree on is the newest stored one, or it isn't known now. */
  | { readonly kind: 'none' }
  /** Blocks above `ancestor` were replaced. `isShorter`: the nodes have no block as high as the newest stored one, so they may lag. */
  | { readonly kind: 'fork'; readonly ancestor: bigint; readonly isShorter: boolean }
  /** All blocks that may be undone, and more, were replaced. */
  | { readonly kind: 'deep'; readonly error: IndexerError }

/** Heights compared in the first step; twice as many in each after it. */
const FIRST_STEP = 4
const LARGEST_STEP = 64

/**
 * Finds the newest stored block that is still on the chain, by comparing hashes from the newest one down.
 * @throws IndexerError when no node answers; StoreError
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
  const message = `none of the blocks stored from height ${height} down to ${depth} below (the first is ${firstHeight}) is on the nodes' chain any more: it was rewritten deeper than may be undone`
  return new IndexerError('INDEXER_REORGANISATION', message, { details: { height: `${height}`, depth } })
}
