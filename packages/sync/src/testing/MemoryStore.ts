import { Hex } from '@firn/codec'
import type { Block, BlockStore, Interval } from '../BlockStore.ts'

/** Blocks in memory, which stay when the store is opened again. */
export interface Disk {
  readonly blocks: Map<bigint, Block>
  readonly heights: Map<string, bigint>
}

/** Returns an empty disk. */
export function createDisk(): Disk {
  return { blocks: new Map(), heights: new Map() }
}

/**
 * Returns a block store on a disk. `pass` is called at the begin of each operation, and a change is made when its promise
 * resolves.
 */
export function open(disk: Disk, pass: () => Promise<void> = async () => undefined): BlockStore {
  return {
    async intervals(above) {
      await pass()
      const intervals: Interval[] = []
      const heights = [...disk.blocks.keys()].filter((height) => height > above)
      for (const height of heights.sort((a, b) => Number(a - b))) {
        const last = intervals.at(-1)
        if (last !== undefined && last.to + 1n === height)
          intervals[intervals.length - 1] = { from: last.from, to: height }
        else intervals.push({ from: height, to: height })
      }
      return intervals
    },
    async put(blocks) {
      await pass()
      for (const block of blocks) {
        disk.blocks.set(block.height, block)
        disk.heights.set(Hex.encodeBare(block.id), block.height)
      }
    },
    async get(height) {
      await pass()
      return disk.blocks.get(height)
    },
    async getById(id) {
      await pass()
      const height = disk.heights.get(Hex.encodeBare(id))
      return height === undefined ? undefined : disk.blocks.get(height)
    },
    async remove({ from, to }) {
      await pass()
      for (let height = from; height <= to; height++) {
        const block = disk.blocks.get(height)
        if (block === undefined) continue
        disk.blocks.delete(height)
        disk.heights.delete(Hex.encodeBare(block.id))
      }
    },
  }
}
