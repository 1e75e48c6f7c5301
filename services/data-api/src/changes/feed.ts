import { EvmChanges, type EvmStore } from '@firn/evm-store'
import { BATCH, type Pace, type RecentChanges, startRecentChanges, toChange } from './RecentChanges.ts'

/** A reader of a {@link Feed}. */
export interface Reader {
  /** Sequence number of the last change that it knows. */
  readonly after: bigint
  /** Pays for changes that are read from the database only for this reader. */
  readonly pay: (changes: number) => Promise<void>
  readonly signal: AbortSignal
}

/** The changes of a chain for any number of readers, which share one read of the database for each block. */
export interface Feed {
  /**
   * Yields a chain's changes after a sequence number as server-sent events: `block` for each stored block, and
   * `undo` for each block that a reorg removes. A reorg's `undo` events start with the newest block. The event
   * id is the sequence number, so a reader can resume after a disconnect without gaps or duplicates. The signal ends it
   * with its reason.
   * @throws StoreError `STORE_EMPTY`, `STORE_HALTED` or `STORE_UNINDEXED` once the chain is no longer served; `STORE_PRUNED` if
   * changes that the reader has not read were removed; errors of `pay`
   */
  read(reader: Reader): AsyncGenerator<string>
}

/** Creates a feed. Without readers, it does not read the database. */
export function createFeed(store: EvmStore, pace: Pace): Feed {
  let readers = 0
  let recent: RecentChanges | undefined
  return {
    async *read({ after, pay, signal }) {
      readers += 1
      try {
        yield ': changes\n\n'
        for (let last = after; ; ) {
          if (recent === undefined || recent.isEnded) recent = startRecentChanges(store, pace)
          await recent.begun
          signal.throwIfAborted()
          const known = recent.after(last)
          const changes = known ?? (await EvmChanges.after(store, last, BATCH)).map(toChange)
          if (known === undefined) await pay(changes.length)
          for (const { text } of changes) yield text
          last = changes.at(-1)?.sequence ?? last
          if (changes.length > 0) continue
          await recent.next(signal)
          if (recent.after(last)?.length === 0) yield ': still here\n\n'
        }
      } finally {
        readers -= 1
        if (readers === 0) recent?.stop()
      }
    },
  }
}
