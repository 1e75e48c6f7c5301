import { Bytes, Hex } from '@firn/codec'
import type { IndexedBlock } from '@firn/evm-store'
import { StoreError } from '@firn/sql'
import type { Sink } from '../evm/Following.ts'

/**
 * An in-memory writer. Like the database's writer, it accepts only a block that follows the last one. For
 * tests only.
 */
export interface MemorySink extends Sink {
  readonly blocks: readonly IndexedBlock[]
  /** Returns how often blocks were removed. */
  readonly undos: () => number
}

/** Creates an in-memory writer without blocks. For tests only. */
export function createMemorySink(): MemorySink {
  const blocks: IndexedBlock[] = []
  const known = new Map<string, bigint>()
  let undos = 0
  const tip = () => blocks.at(-1)?.block
  return {
    blocks,
    undos: () => undos,
    get cursor() {
      const block = tip()
      return block && { height: block.height, hash: block.hash, time: block.timestamp, settledHeight: null }
    },
    hashAt: async (height) => blocks.find(({ block }) => block.height === height)?.block.hash,
    timeAt: async (height) => blocks.find(({ block }) => block.height === height)?.block.timestamp,
    unknownContracts: async (addresses) => addresses.filter((one) => !known.has(Hex.encode(one))),
    async commit(batch) {
      for (const one of batch) {
        const last = tip()
        const follows =
          last === undefined ||
          (one.block.height === last.height + 1n && Bytes.equals(one.block.parentHash, last.hash))
        if (!follows) throw new StoreError('STORE_CURSOR', 'the block does not follow the last one')
        for (const { address } of one.contracts) {
          if (known.has(Hex.encode(address))) throw new StoreError('STORE_CURSOR', 'duplicate contract')
          known.set(Hex.encode(address), one.block.height)
        }
        blocks.push(one)
      }
      await new Promise((settle) => setImmediate(settle))
    },
    async undo(height) {
      undos += 1
      while ((tip()?.height ?? -1n) > height) blocks.pop()
      for (const [address, at] of known) if (at > height) known.delete(address)
    },
  }
}
