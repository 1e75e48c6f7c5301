import type { Block } from '@firn/evm'
import type { Wanted } from './assemble.ts'
import { blockWeight } from './blockWeight.ts'

/** What {@link createWindow} needs. */
export interface WindowOptions {
  /** Blocks from the first wanted one on, as many as are to be had. */
  readonly fetch: (wanted: readonly Wanted[], signal: AbortSignal) => Promise<readonly Block[]>
  /** Blocks to ask for together. */
  readonly groupBlocks: () => number
  /** Groups on their way at a time. */
  readonly groups: number
  /** What the blocks on their way and not yet taken may weigh together, in bytes. */
  readonly bytes: number
  readonly signal: AbortSignal
}

/** Blocks on their way, ahead of what is written, in order. */
export interface Window {
  /** Asks for more, up to `to`, where there is room. `hash` is that of the block at `to`, where it is known. */
  fill(to: bigint, hash?: string): void
  /** The blocks of the first group, possibly fewer than it wanted: what lacks is asked for at the next `fill`. */
  take(): Promise<readonly Block[]>
  /** The blocks of groups that are there already, whole ones, at most so many groups' worth. */
  takeReady(most: number): readonly Block[]
  /** Forgets all, and begins at a height. */
  reset(from: bigint): void
}

interface Group {
  readonly wanted: readonly Wanted[]
  readonly promise: Promise<readonly Block[]>
  blocks: readonly Block[] | undefined
}

/** A guess before any block is known. */
const FIRST_WEIGHT = 100_000

/** Returns a window that begins at a height. */
export function createWindow(from: bigint, options: WindowOptions): Window {
  let groups: Group[] = []
  let next = from
  /** Where a group came short: asked for again before all others. */
  let gap: readonly Wanted[] = []
  let weight = FIRST_WEIGHT
  let current = new AbortController()
  const begin = (wanted: readonly Wanted[]): Group => {
    const promise = options.fetch(wanted, AbortSignal.any([options.signal, current.signal]))
    const group: Group = { wanted, promise, blocks: undefined }
    promise.then(
      (blocks) => {
        group.blocks = blocks
      },
      // Seen by who takes it.
      () => undefined,
    )
    return group
  }
  const took = (group: Group, blocks: readonly Block[]): readonly Block[] => {
    groups.shift()
    // By number: that hash may be of no block any more.
    gap = group.wanted.slice(blocks.length).map(({ height }) => ({ height }))
    for (const block of blocks) weight += (blockWeight(block) - weight) / 64
    return blocks
  }
  return {
    fill(to, hash) {
      if (gap.length > 0) {
        groups.unshift(begin(gap))
        gap = []
      }
      const blocksAhead = () => groups.reduce((sum, { wanted }) => sum + wanted.length, 0)
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
