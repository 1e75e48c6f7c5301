import { type Clock, type Logger, pause, withAnySignal } from '@firn/runtime'
import { type ServiceStore, WebhookSources, WebhookTail } from '@firn/service-store'
import { createWakeUp } from '../delivery/WakeUp.ts'

/** What a reader gets: messages, or none after a time without any. */
export interface Read {
  readonly messages: readonly WebhookTail.TailDelivery[]
  /** Time in Unix milliseconds up to which there are no other messages. */
  readonly readMs: number
}

/** Reads the new messages of webhooks for any number of readers together. */
export interface Tail {
  /** Waits for messages after a place, for at most `withinMs` milliseconds. Resolves early if the signal aborts. */
  next(reader: WebhookTail.Reader, withinMs: number, signal: AbortSignal): Promise<Read>
  /** Wakes the readers, because messages may have been stored. */
  wake(): void
  close(): Promise<void>
}

/** Options of {@link createTail}. */
export interface TailOptions {
  readonly store: ServiceStore
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Pick<Logger, 'warn'>
  /** Poll interval in milliseconds without a notification; default 1,000. */
  readonly idleMs?: number | undefined
}

/** Number of messages that a reader gets at once. */
const BATCH = 20
const IDLE_MS = 1_000

interface Waiting extends WebhookTail.Reader {
  readonly resolve: (read: Read) => void
  /** Time of the last look for its messages; undefined before the first one. */
  readMs: number | undefined
}

/** Creates a tail. All readers that wait share one statement, so that a new message is not looked for by each of them. */
export function createTail({ store, clock, random, logger, idleMs = IDLE_MS }: TailOptions): Tail {
  const waiting = new Set<Waiting>()
  const wakeUp = createWakeUp(clock)
  const stop = new AbortController()
  /** Whether all readers may have messages, and not only those that have just begun to wait. */
  let isNew = false
  let lookedMs = Number.NEGATIVE_INFINITY

  const look = async () => {
    const readMs = clock.now()
    // Messages of other processes are found even if the database does not tell of them.
    const isAll = isNew || readMs - lookedMs >= idleMs
    if (isAll) lookedMs = readMs
    isNew = false
    const readers = [...waiting].filter((one) => isAll || one.readMs === undefined)
    const found = await WebhookTail.after(store, readers, BATCH)
    for (const [i, reader] of readers.entries()) {
      reader.readMs = readMs
      const messages = found[i] ?? []
      if (messages.length === 0) continue
      waiting.delete(reader)
      reader.resolve({ messages, readMs })
    }
  }
  const wake = () => {
    isNew = true
    wakeUp.wake()
  }
  const looking = (async () => {
    const { signal } = stop
    for (let failures = 0; !signal.aborted; ) {
      const woken = wakeUp.next()
      try {
        if (waiting.size > 0) await look()
        failures = 0
        await woken.within(idleMs, signal)
      } catch (error) {
        isNew = true
        if (failures++ === 0) logger.warn({ err: error }, 'streams of webhooks wait for the database')
        await pause(failures, { clock, random }, signal)
      }
    }
  })()
  WebhookSources.listen(store, wake)

  return {
    wake,
    next(reader, withinMs, signal) {
      const { promise, resolve } = Promise.withResolvers<Read>()
      const done = new AbortController()
      const one: Waiting = { ...reader, resolve, readMs: undefined }
      const end = () => {
        waiting.delete(one)
        resolve({ messages: [], readMs: one.readMs ?? 0 })
      }
      if (signal.aborted || stop.signal.aborted) end()
      else {
        waiting.add(one)
        wakeUp.wake()
        withAnySignal([done.signal, signal, stop.signal], (any) => clock.sleep(withinMs, any)).then(end, end)
      }
      return promise.finally(() => done.abort())
    },
    async close() {
      stop.abort()
      await looking
    },
  }
}
