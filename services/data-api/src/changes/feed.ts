import { Hex } from '@firn/codec'
import { withAnySignal } from '@firn/runtime'
import type { EvmSchema, EvmStore } from '@firn/store/evm'
import { EvmChanges } from '@firn/store/evm'

/** Maximum number of changes per read, which limits the memory for a slow reader. */
const BATCH = 500

/** Timing of a feed. */
export interface Pace {
  /** Time without changes after which a heartbeat is sent, in milliseconds. */
  readonly heartbeatMs: number
  /** Sleeps for the given time. Rejects when the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/**
 * Yields a chain's changes after a sequence number as server-sent events: `block` for each stored block, and
 * `undo` for each block that a reorg removes. A reorg's `undo` events start with the newest block. The event
 * id is the sequence number, so a reader can resume after a disconnect without gaps or duplicates. Ends when
 * the signal aborts.
 * @throws StoreError `STORE_EMPTY`, `STORE_HALTED` or `STORE_UNINDEXED` once the chain is no longer served; `STORE_PRUNED` if
 * changes that the reader has not read were removed
 */
export async function* feed(
  store: EvmStore,
  after: bigint,
  { heartbeatMs, sleep }: Pace,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let last = after
  yield ': changes\n\n'
  while (!signal.aborted) {
    const advanced = nextAdvance(store, signal)
    try {
      // Reading the snapshot throws if the chain is no longer served, which ends the feed.
      await store.snapshot()
      const changes = await EvmChanges.after(store, last, BATCH)
      for (const change of changes) {
        yield event(change)
        last = change.sequence
      }
      if (changes.length === BATCH) continue
      const silence = new AbortController()
      const pause = withAnySignal([signal, silence.signal], (either) => sleep(heartbeatMs, either)).then(
        () => true,
        () => false,
      )
      const isSilent = await Promise.race([pause, advanced.promise.then(() => false)])
      silence.abort()
      if (isSilent) yield ': still here\n\n'
    } finally {
      advanced.end()
    }
  }
}

/**
 * Starts to listen for new rows. Must be called before each read, because rows could otherwise be stored
 * unnoticed during the read.
 */
function nextAdvance(store: EvmStore, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const unlisten = store.onAdvance(resolve)
  const settle = () => resolve()
  signal.addEventListener('abort', settle, { once: true })
  return {
    promise,
    end: () => {
      unlisten()
      signal.removeEventListener('abort', settle)
    },
  }
}

function event({ sequence, undone, height, hash, parent_hash, time }: EvmSchema.ChangeRow): string {
  const data = JSON.stringify({
    cursor: String(sequence),
    blockNumber: String(height),
    blockHash: Hex.encode(hash),
    parentHash: Hex.encode(parent_hash),
    blockTimestamp: Number(time),
  })
  return `id: ${sequence}\nevent: ${undone ? 'undo' : 'block'}\ndata: ${data}\n\n`
}
