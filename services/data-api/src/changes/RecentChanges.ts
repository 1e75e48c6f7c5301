import { Hex } from '@firn/codec'
import { EvmChanges, type EvmSchema, type EvmStore } from '@firn/evm-store'
import { createWaiters } from './Waiters.ts'

/** A change of a chain, as it is sent. */
export interface Change {
  readonly sequence: bigint
  readonly text: string
}

/** Timing of {@link RecentChanges}. */
export interface Pace {
  /** Time without changes after which readers are resumed anyway, in milliseconds. Lost notifications are found then. */
  readonly heartbeatMs: number
  /** Sleeps for the given time. Rejects when the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** The newest changes of a chain in memory. They end when the chain can no longer be read, or when they are stopped. */
export interface RecentChanges {
  readonly isEnded: boolean
  /**
   * Resolves when changes are in memory.
   * @throws StoreError
   */
  readonly begun: Promise<void>
  /** Returns the changes after a sequence number; undefined if some of them are not in memory. */
  after(sequence: bigint): readonly Change[] | undefined
  /**
   * Resolves when there are new changes from now on, or after a time without any.
   * @throws StoreError; the reason of the signal
   */
  next(signal: AbortSignal): Promise<void>
  stop(): void
}

/** Number of changes that are read at once. */
export const BATCH = 500
/** Number of changes in memory. */
const MOST_RECENT = 1_000

/** Starts to keep the changes from now on. Each new block is read once. */
export function startRecentChanges(store: EvmStore, pace: Pace): RecentChanges {
  const stop = new AbortController()
  const waiters = createWaiters()
  const begun = Promise.withResolvers<void>()
  begun.promise.catch(() => undefined)
  let isEnded = false
  let reason: unknown
  let wake = () => {}
  /** All changes after this one are in memory. */
  let from = 0n
  let changes: readonly Change[] = []

  const read = async (last: bigint): Promise<readonly Change[]> => {
    // Reading the snapshot throws if the chain is no longer served. It is shared with all requests.
    const { sequence } = await store.snapshot()
    return sequence <= last ? [] : (await EvmChanges.after(store, last, BATCH)).map(toChange)
  }
  const loop = async () => {
    let last = (await store.snapshot()).sequence
    from = last
    begun.resolve()
    while (!stop.signal.aborted) {
      // The notification must be awaited before the read, because changes could be stored unnoticed during it.
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      const added = await read(last)
      last = added.at(-1)?.sequence ?? last
      const all = [...changes, ...added]
      from = all.at(-MOST_RECENT - 1)?.sequence ?? from
      changes = all.slice(-MOST_RECENT)
      if (added.length > 0) waiters.resume()
      if (added.length < BATCH && (await isSilent(woken, pace, stop.signal))) waiters.resume()
    }
  }
  const unlisten = store.onAdvance(() => wake())
  const end = (error: unknown) => {
    isEnded = true
    reason = error
    unlisten()
    begun.reject(error)
    waiters.fail(error)
  }
  loop().then(() => end(stop.signal.reason), end)
  return {
    get isEnded() {
      return isEnded || stop.signal.aborted
    },
    begun: begun.promise,
    after: (sequence) =>
      sequence < from
        ? undefined
        : changes.slice(changes.findLastIndex((one) => one.sequence <= sequence) + 1),
    next: (signal) => (isEnded ? Promise.reject(reason) : waiters.wait(signal)),
    stop: () => {
      stop.abort()
      wake()
    },
  }
}

/** Waits for a notification, and returns whether there was none in time. */
async function isSilent(
  woken: Promise<void>,
  { heartbeatMs, sleep }: Pace,
  signal: AbortSignal,
): Promise<boolean> {
  const silence = new AbortController()
  const end = () => silence.abort()
  signal.addEventListener('abort', end, { once: true })
  const slept = sleep(heartbeatMs, silence.signal).then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([slept, woken.then(() => false)])
  } finally {
    end()
    signal.removeEventListener('abort', end)
  }
}

/** The event of each kind of change. */
const EVENTS: { readonly [K in EvmSchema.ChangeKind]: string } = {
  added: 'block',
  undone: 'undo',
  traced: 'traces',
}

/** Converts a stored change to a server-sent event. */
export function toChange({ sequence, kind, height, hash, parent_hash, time }: EvmSchema.ChangeRow): Change {
  const data = JSON.stringify({
    cursor: String(sequence),
    blockNumber: String(height),
    blockHash: Hex.encode(hash),
    parentHash: Hex.encode(parent_hash),
    blockTimestamp: Number(time),
  })
  return { sequence, text: `id: ${sequence}\nevent: ${EVENTS[kind]}\ndata: ${data}\n\n` }
}
