import type { Clock } from '@firn/runtime'
import type { Tracker } from './JobProgress.ts'

/** Minimum time between two events of a job, in milliseconds. */
const INTERVAL_MS = 250
/** Additional time for each validator, because each event compares all validators. */
const INTERVAL_MS_PER_VALIDATOR = 2
/** Maximum length of the events that are kept for callers that reconnect, in characters. */
const MAX_HISTORY = 65_536
/** The id of the last event of every job. */
export const LAST_ID = 'end'

/** One server-sent event of a job. */
export interface JobEvent {
  readonly id: string
  readonly name: 'progress' | 'done' | 'failed'
  /** JSON. */
  readonly data: string
}

/** Receives the events of a job. */
export interface Listener {
  send(event: JobEvent): void
  /** Called after the last event, or if the events end early. */
  end(): void
}

/** The events of one job that runs in this process. Created by {@link createFeed}. */
export interface Feed {
  /** Must be called when the progress changes. */
  changed(): void
  /**
   * Adds a listener, and returns a function that removes it, or undefined if the feed has ended. Sends all events
   * after the event with the id `after` if they are still known, and otherwise the whole progress.
   */
  listen(after: string | undefined, listener: Listener): (() => void) | undefined
  /** Sends the last event, if any, and ends the listeners. */
  end(last?: JobEvent): void
}

/** Options of {@link createFeed}. */
export interface FeedOptions {
  readonly tracker: Pick<Tracker, 'view' | 'changes' | 'validators'>
  /** Prefix of the events' ids, which must differ each time a job is taken up. */
  readonly prefix: string
  readonly clock: Clock
  /** Aborts when the job ends. */
  readonly signal: AbortSignal
}

/** Creates the feed of a job. Until the first listener comes, it does nothing. */
export function createFeed({ tracker, prefix, clock, signal }: FeedOptions): Feed {
  const listeners = new Set<Listener>()
  const history: JobEvent[] = []
  let historySize = 0
  let sequence = 0
  let isWatched = false
  let isScheduled = false
  let isEnded = false
  const idOf = (number: number) => `${prefix}-${number}`
  const keep = (event: JobEvent) => {
    history.push(event)
    historySize += event.data.length
    while (historySize > MAX_HISTORY && history.length > 1) historySize -= history.shift()?.data.length ?? 0
  }
  const emit = () => {
    isScheduled = false
    const changes = tracker.changes()
    if (changes === undefined) return
    sequence += 1
    const event = { id: idOf(sequence), name: 'progress', data: JSON.stringify(changes) } as const
    keep(event)
    for (const listener of listeners) listener.send(event)
  }
  const snapshot = (): JobEvent => {
    // What the first listener receives now is not repeated in the next event.
    if (!isWatched) tracker.changes()
    isWatched = true
    const view = { isComplete: true, ...tracker.view({ validators: true }) }
    return { id: idOf(sequence), name: 'progress', data: JSON.stringify(view) }
  }
  return {
    changed: () => {
      if (!isWatched || isScheduled) return
      isScheduled = true
      const delay = INTERVAL_MS + INTERVAL_MS_PER_VALIDATOR * tracker.validators
      clock.sleep(delay, signal).then(emit, () => {})
    },
    listen: (after, listener) => {
      if (isEnded) return undefined
      const place = history.findIndex(({ id }) => id === after)
      const missed = place < 0 ? [snapshot()] : history.slice(place + 1)
      for (const event of missed) listener.send(event)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    end: (last) => {
      isEnded = true
      for (const listener of listeners) {
        if (last !== undefined) listener.send(last)
        listener.end()
      }
      listeners.clear()
    },
  }
}
