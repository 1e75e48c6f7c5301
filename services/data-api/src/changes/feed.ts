import { Hex } from '@firn/codec'
import type { EvmSchema, EvmStore } from '@firn/store/evm'
import { EvmChanges } from '@firn/store/evm'

/** Number of changes read at a time: the memory that a slow reader costs the service. */
const BATCH = 500

/** The timing of a feed. */
export interface Pace {
  /** Milliseconds of silence after which a heartbeat is sent. */
  readonly heartbeatMs: number
  /** Sleeps, or rejects once the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/**
 * Yields server-sent events after a sequence number: `block` for each stored block, `undo` for each block
 * that a reorg removes, the newest of these first. An event's id is its sequence number, with which a reader
 * resumes after a disconnect; nothing is skipped and nothing is repeated. Ends with the signal.
 * @throws StoreError `STORE_EMPTY` or `STORE_HALTED` once the chain is no longer served
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
      // Ends the feed of a chain that is no longer served.
      await store.snapshot()
      const changes = await EvmChanges.after(store, last, BATCH)
      for (const change of changes) {
        yield event(change)
        last = change.sequence
      }
      if (changes.length === BATCH) continue
      const silence = new AbortController()
      const pause = sleep(heartbeatMs, AbortSignal.any([signal, silence.signal])).then(
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

/** Listens before the rows are read, so that none that arrives meanwhile is missed. */
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
