import type { Block } from '@firn/evm'
import { withAnySignal } from '@firn/runtime'
import { blockWeight } from './blockWeight.ts'
import type { BlockRequest } from './upstream/assemble.ts'

/** Options of {@link createWindow}. */
export interface WindowOptions {
  /** Fetches blocks, from the first requested one up to the first unavailable one. */
  readonly fetch: (requests: readonly BlockRequest[], signal: AbortSignal) => Promise<readonly Block[]>
  /** Returns the number of blocks in the next group. */
  readonly groupBlocks: () => number
  /** Maximum number of groups fetched concurrently. */
  readonly groups: number
  /** Memory limit for requested and buffered blocks together, in bytes. */
  readonly bytes: number
  readonly signal: AbortSignal
}

/** Prefetches blocks in order, ahead of the writer. */
export interface Window {
  /**
   * Requests more blocks up to the height `to`, if the memory limit allows it. `hash` is the hash of the
   * block at `to`, if known.
   */
  fill(to: bigint, hash?: string): void
  /**
   * Returns the blocks of the first group, which can be fewer than requested. The next `fill` requests the
   * missing blocks.
   */
  take(): Promise<readonly Block[]>
  /** Returns the blocks of the first groups whose requests have finished; at most `most` blocks. */
  takeReady(most: number): readonly Block[]
  /** Discards all blocks and requests, and continues at the height `from`. */
  reset(from: bigint): void
}

interface Group {
  readonly requests: readonly BlockRequest[]
  readonly promise: Promise<readonly Block[]>
  blocks: readonly Block[] | undefined
}

/** Estimated size of a block in bytes until the first block is known. */
const FIRST_WEIGHT = 100_000

/** Creates a window that starts at a height. */
export function createWindow(from: bigint, options: WindowOptions): Window {
  let groups: Group[] = []
  let next = from
  /** Missing blocks of an incomplete group. They are requested before all others. */
  let gap: readonly BlockRequest[] = []
  let weight = FIRST_WEIGHT
  let current = new AbortController()
  const begin = (requests: readonly BlockRequest[]): Group => {
    const signals = [options.signal, current.signal]
    const promise = withAnySignal(signals, (signal) => options.fetch(requests, signal))
    const group: Group = { requests, promise, blocks: undefined }
    promise.then(
      (blocks) => {
        group.blocks = blocks
      },
      // The rejection is handled by the caller of `take`.
      () => undefined,
    )
    return group
  }
  const took = (group: Group, blocks: readonly Block[]): readonly Block[] => {
    groups.shift()
    // The blocks are requested again by height, because a reorg may have removed the old hash.
    gap = group.requests.slice(blocks.length).map(({ height }) => ({ height }))
    for (const block of blocks) weight += (blockWeight(block) - weight) / 64
    return blocks
  }
  return {
    fill(to, hash) {
      if (gap.length > 0) {
        groups.unshift(begin(gap))
        gap = []
      }
      const blocksAhead = () => groups.reduce((sum, { requests }) => sum + requests.length, 0)
      while (next <= to && groups.length < options.groups) {
        const size = options.groupBlocks()
        if (groups.length > 0 && (blocksAhead() + size) * weight > options.bytes) return
        const count = Math.min(size, Number(to - next) + 1)
        const heights = Array.from({ length: count }, (_, i) => next + BigInt(i))
        groups.push(begin(heights.map((height) => ({ height, ...(height === to ? { hash } : {}) }))))
        next += BigInt(count)
      }
    },
    async take() {
      const [group] = groups
      return group === undefined ? [] : took(group, await group.promise)
    },
    takeReady(most) {
      const blocks: Block[] = []
      for (let group = groups[0]; group?.blocks !== undefined && gap.length === 0; group = groups[0]) {
        if (blocks.length + group.blocks.length > most) break
        blocks.push(...took(group, group.blocks))
      }
      return blocks
    },
    reset(height) {
      current.abort()
      current = new AbortController()
      groups = []
      gap = []
      next = height
    },
  }
}
