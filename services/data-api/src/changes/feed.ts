import { Hex } from '@firn/codec'
import type { EvmSchema, EvmStore } from '@firn/store/evm'
import { EvmChangePages } from '@firn/store/evm'

/** Changes that are read at a time: what a slow reader makes the service hold. */
const BATCH = 500

/** How a feed waits. */
export interface Pace {
  /** A sign of life is sent after so long a silence, milliseconds. */
  readonly heartbeatMs: number
  /** Sleeps, or rejects once the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/**
 * Server-sent events of what comes after a sequence number: `block` for each block that is stored, `undo` for each that a
 * reorganisation takes away, the newest of these first. An event's id is its sequence number, with which a reader goes on after a
 * break; nothing is left out and nothing comes twice. Ends with the signal.
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
      const changes = await EvmChangePages.after(store, last, BATCH)
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

/** Listens before the rows are read, so that none that comes meanwhile is waited for. */
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
