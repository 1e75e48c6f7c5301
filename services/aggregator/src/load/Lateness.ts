import { AggregatorError } from '../errors/AggregatorError.ts'
import { countWaiting, type Entrant, type State } from './Turns.ts'

/** Minimum time to reserve for collecting signatures. Twice the usual time is reserved if that is more. */
const LEAST_RESERVE_MS = 1_000
/**
 * The speed of the lines is known once this multiple of the capacity has left them since they began. Turns start and end in
 * groups, so a few of them say nothing about the speed.
 */
const KNOWN_AFTER = 2
/** A request is refused early if its line needs this many times as long as the request can wait. */
const TOO_LONG = 2
const LONGEST_RETRY_MS = 60_000
const JITTER = 0.2

/** Records that a turn of this cost has left its line. */
export function observe(state: State, cost: number): void {
  const now = state.clock.now()
  const kept = Math.max(0, 1 - cost / (2 * KNOWN_AFTER * state.capacity))
  const { moved } = state
  state.moved = { ms: moved.ms * kept + now - state.movedAt, cost: moved.cost * kept + cost }
  state.movedAt = now
}

/** Returns the milliseconds that the lines need for this cost, or 0 while their speed is not known. */
export function timeOf({ moved, capacity }: State, cost: number): number {
  return moved.cost < KNOWN_AFTER * capacity ? 0 : (cost * moved.ms) / moved.cost
}

/**
 * Returns by how many milliseconds the turn of a single request would come too late that starts when this cost has left
 * its line, or 0 if it may be in time. Meanwhile, as much may leave the line of the batches. Requests of a batch are
 * never too late before their time ends.
 */
export function delayOf(state: State, cost: number, entrant: Entrant): number {
  if (entrant.isBatch) return 0
  const waitMs = timeOf(state, cost + Math.min(cost, state.batches.cost))
  const availableMs = latestStart(state, entrant) - state.clock.now()
  return waitMs > TOO_LONG * availableMs ? waitMs - availableMs : 0
}

/** Returns the latest time at which the collection of signatures may start. */
export function latestStart({ clock, usualMs }: State, { end }: Entrant): number {
  const now = clock.now()
  return end - Math.min(Math.max(LEAST_RESERVE_MS, 2 * usualMs), (end - now) / 2)
}

/**
 * Returns the error for a caller that must try again. Refused callers get different times, one after another, at the
 * speed of the queue, so that there is capacity for each of them when they come back.
 */
export function refuse(state: State, cost: number, lateMs: number): AggregatorError {
  const { clock, metrics, random } = state
  const now = clock.now()
  const next = Math.max(state.promisedUntil, now + lateMs) + timeOf(state, cost)
  state.promisedUntil = Math.min(next, now + LONGEST_RETRY_MS)
  metrics.refused()
  const waitMs = (state.promisedUntil - now) * (1 - JITTER + 2 * JITTER * random())
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return new AggregatorError(
    'AGGREGATOR_BUSY',
    `${countWaiting(state)} requests are waiting, so this one could not end in time; try again in ${retryAfterSeconds} s`,
    { details: { headers: { 'retry-after': String(retryAfterSeconds) } } },
  )
}
