import { isFirnError } from '@firn/codec'
import { Reads } from '@firn/ledger'
import type { DecodedBlock, WithContents } from './DecodedBlock.ts'
import type { FollowOptions } from './FollowOptions.ts'
import type { Sink } from './Sink.ts'

type Rules = Parameters<typeof Reads.of>[0]

/** Reads the records that blocks need from the database, before the blocks are applied. */
export interface Prefetch {
  /** Requests what a block needs. Blocks that arrive while records are being read are served together. */
  add(block: DecodedBlock, contents: WithContents['contents']): void
  /**
   * Waits for records that are being read. If there are none, reads what the block needs, including the record
   * that was missing.
   * @throws StoreError
   */
  read(block: DecodedBlock, record: Pick<Reads.Read, 'table' | 'key'>): Promise<void>
  /** Waits until nothing is being read. */
  end(): Promise<void>
}

/** Creates the prefetch of the records of a sink. */
export function createPrefetch(
  rules: Rules,
  { fetch }: Pick<Sink, 'fetch'>,
  { stopwatch }: Pick<FollowOptions, 'stopwatch'>,
): Prefetch {
  let pending: Reads.Read[] = []
  let flight: Promise<void> | undefined
  /** The block whose records are read, and all of them that were missing so far. */
  let current: DecodedBlock | undefined
  let missing: Reads.Read[] = []
  const readsOf = ({ chain, bytes }: DecodedBlock, contents?: WithContents['contents']): Reads.Read[] => {
    try {
      return Reads.of(rules, chain, bytes, contents)
    } catch (error) {
      if (!isFirnError(error)) throw error
      // The block is malformed. The ledger rejects it with the same error when it is applied.
      return []
    }
  }
  const run = async () => {
    try {
      // Blocks of one answer arrive together, so they are collected first.
      for (await Promise.resolve(); pending.length > 0; ) {
        const reads = pending
        pending = []
        await fetch?.(reads)
      }
    } catch (error) {
      // A block that needs the records reads them again, and reports the failure.
      if (!isFirnError(error)) throw error
    } finally {
      flight = undefined
    }
  }
  return {
    add(block, contents) {
      if (fetch === undefined) return
      for (const read of readsOf(block, contents)) pending.push(read)
      flight ??= run()
    },
    async read(block, { table, key }) {
      if (current !== block) missing = []
      current = block
      missing.push({ table, key, source: undefined })
      await stopwatch.waiting('read', async () => flight ?? fetch?.([...readsOf(block), ...missing]))
    },
    async end() {
      pending = []
      await flight
    },
  }
}
