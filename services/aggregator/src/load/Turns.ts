import type { Clock } from '@firn/runtime'
import type { AdmissionMetrics } from './AdmissionMetrics.ts'

/** A request that waits for its turn to query validators. */
export interface Entrant {
  /** Equal for requests that share one collection of signatures. They share a turn as well. */
  readonly key: string
  /** Number of validators to query. With 0, the request needs no turn. */
  readonly queries: number
  /** Time at which the request must have ended, as returned by `clock.now()`. */
  readonly end: number
  readonly signal: AbortSignal
  /**
   * Whether the request belongs to a batch or job. Such requests take turns with all others, so that a batch does not
   * delay single requests for long. They are not refused early, because the batch has already been accepted.
   */
  readonly isBatch: boolean
}

/** A caller that waits for its turn. */
export interface Caller {
  readonly entrant: Entrant
  /** Ends the wait: with an error, or because the turn has started. */
  readonly settle: (error?: Error) => void
}

/** A place in the order of the requests, which equal requests share. */
export interface Turn {
  readonly key: string
  readonly cost: number
  /** The line in which the turn waits. */
  line: Line
  readonly waiting: Set<Caller>
  /** Number of callers whose turn it is. */
  users: number
  startedAt: number | undefined
  isSigned: boolean
  /** Aborts the timer of {@link GIVE_WAY}; undefined when the turn takes no capacity. */
  timer: AbortController | undefined
}

/** Turns that wait, in their order. */
export interface Line {
  readonly turns: Set<Turn>
  cost: number
}

/** The turns of all requests, and the speed at which they start. */
export interface State {
  /** Number of queries that may be in progress. */
  readonly capacity: number
  readonly clock: Clock
  /** Returns a number in [0, 1), which spreads the retries of refused callers. */
  readonly random: () => number
  readonly metrics: AdmissionMetrics
  /** All turns, waiting or started. */
  readonly turns: Map<string, Turn>
  /** The waiting turns of single requests and of batches. */
  readonly singles: Line
  readonly batches: Line
  /** Whether the latest turn that left a line was of a batch. */
  wasBatch: boolean
  /** Cost of the started turns that take capacity. */
  taken: number
  /** Usual time from the start of a turn to the signed message. */
  usualMs: number
  /** Time for which the lines moved since they began, and the cost that left them. The latest turns have more weight. */
  moved: { ms: number; cost: number }
  /** Time at which the lines last moved, or began. */
  movedAt: number
  /** Time of the last check of the waiting requests. */
  checkedAt: number
  /** Latest time at which refused callers try again, according to their `Retry-After`. */
  promisedUntil: number
}

/** Returns the turn that starts next: the first one of the line that did not move last, or else of the other one. */
export function next({ singles, batches, wasBatch }: State): Turn | undefined {
  const [single] = singles.turns
  const [batch] = batches.turns
  return wasBatch ? (single ?? batch) : (batch ?? single)
}

/** Returns whether no turn waits. */
export function isEmpty({ singles, batches }: State): boolean {
  return singles.turns.size + batches.turns.size === 0
}

/** Adds a turn at the end of a line. */
export function push(line: Line, turn: Turn): void {
  line.turns.add(turn)
  line.cost += turn.cost
}

/** Removes a turn from its line. */
export function take(turn: Turn): void {
  turn.line.turns.delete(turn)
  turn.line.cost -= turn.cost
}

/** Moves a turn to the end of another line. */
export function move(turn: Turn, line: Line): void {
  take(turn)
  turn.line = line
  push(line, turn)
}

/** A turn that costs more than the capacity starts alone. */
export function hasRoom({ taken, capacity }: State, { cost }: Turn): boolean {
  return taken === 0 || taken + cost <= capacity
}

/** Returns the number of callers that wait. */
export function countWaiting({ singles, batches }: State): number {
  let count = 0
  for (const { turns } of [singles, batches]) for (const { waiting } of turns) count += waiting.size
  return count
}
