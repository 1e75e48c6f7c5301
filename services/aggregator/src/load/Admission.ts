import type { Clock } from '@firn/runtime'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { AggregatorError } from '../AggregatorError.ts'

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

/** The turn of one request. */
export interface Place {
  /** Milliseconds for which the request has waited for its turn. */
  readonly waitedMs: number
  /**
   * Frees the capacity of the turn, because no validators are being queried. The request may continue. Repeated calls
   * have no effect.
   */
  readonly giveWay: () => void
  /** Reports the end of the request, and whether the message was signed. Repeated calls have no effect. */
  leave(isSigned: boolean): void
  /** Returns an `AGGREGATOR_BUSY` error for a request whose turn came too late. Absent if it did not wait. */
  busy?(): AggregatorError
}

/**
 * Decides when the collection of signatures starts, in the order of the requests but alternating between batches and
 * single requests, so that collections do not slow
 * each other down until all of them miss their deadlines. Created by {@link createAdmission}.
 */
export interface Admission {
  /**
   * Resolves when it is the request's turn.
   * @throws AggregatorError `AGGREGATOR_BUSY` if the turn would come too late, or has not come in time; the reason of
   * the signal if it aborts
   */
  enter(entrant: Entrant): Promise<Place>
}

/** Options of {@link createAdmission}. */
export interface AdmissionDependencies {
  /** Number of queries that may be in progress. */
  readonly capacity: number
  readonly clock: Clock
  readonly register: Registry
  /** Returns a number in [0, 1), which spreads the retries of refused callers. */
  readonly random?: () => number
}

/** Cost of a request apart from its queries, expressed in queries. */
const FIXED_COST = 64
/** Usual time from the start of a turn to the signed message, until it is learned. */
const USUAL_MS = 1_500
/**
 * Time after which a turn no longer takes capacity, because its validators are probably silent: a multiple of the usual
 * time, but at least `leastMs`.
 */
const GIVE_WAY = { factor: 4, leastMs: 1_000 }
/** Minimum time to reserve for collecting signatures. Twice the usual time is reserved if that is more. */
const LEAST_RESERVE_MS = 1_000
/** Weight of the latest observation in the usual time of a signed request. */
const LATEST = 0.2
/**
 * The speed of the lines is known once this multiple of the capacity has left them since they began. Turns start and end in
 * groups, so a few of them say nothing about the speed.
 */
const KNOWN_AFTER = 2
/** A request is refused early if its line needs this many times as long as the request can wait. */
const TOO_LONG = 2
/** Milliseconds between two checks whether the waiting requests can still be in time. */
const CHECK_MS = 500
const LONGEST_RETRY_MS = 60_000
const JITTER = 0.2

/** A caller that waits for its turn. */
interface Caller {
  readonly entrant: Entrant
  /** Ends the wait: with an error, or because the turn has started. */
  readonly settle: (error?: Error) => void
}

interface Turn {
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
interface Line {
  readonly turns: Set<Turn>
  cost: number
}

interface State extends Required<AdmissionDependencies> {
  readonly metrics: ReturnType<typeof createMetrics>
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

/** Lets every request start at once. It is for further collections of a request that has had its turn. */
export const OPEN: Admission = { enter: async () => FREE }

const FREE: Place = { waitedMs: 0, giveWay: () => undefined, leave: () => undefined }

/** Returns an admission without requests. */
export function createAdmission(dependencies: AdmissionDependencies): Admission {
  const state: State = {
    random: Math.random,
    ...dependencies,
    metrics: createMetrics(dependencies.register, () => countWaiting(state)),
    turns: new Map(),
    singles: { turns: new Set(), cost: 0 },
    batches: { turns: new Set(), cost: 0 },
    wasBatch: false,
    taken: 0,
    usualMs: USUAL_MS,
    moved: { ms: 0, cost: 0 },
    movedAt: 0,
    checkedAt: 0,
    promisedUntil: 0,
  }
  return { enter: (entrant) => enter(state, entrant) }
}

async function enter(state: State, entrant: Entrant): Promise<Place> {
  const { key, queries, signal, isBatch } = entrant
  signal.throwIfAborted()
  if (queries === 0) return FREE
  const known = state.turns.get(key)
  if (known?.startedAt !== undefined) return use(state, known, 0)
  if (known !== undefined) {
    if (!isBatch && known.line === state.batches) move(known, state.singles)
    return wait(state, known, entrant)
  }
  const cost = queries + FIXED_COST
  const isIdle = isEmpty(state)
  const line = isBatch ? state.batches : state.singles
  const lateMs = isIdle ? 0 : delayOf(state, line.cost + cost, entrant)
  if (lateMs > 0) throw refuse(state, cost, lateMs)
  const turn: Turn = {
    key,
    cost,
    line,
    waiting: new Set(),
    users: 0,
    startedAt: undefined,
    isSigned: false,
    timer: undefined,
  }
  state.turns.set(key, turn)
  if (isIdle && hasRoom(state, turn)) {
    begin(state, turn)
    state.metrics.waited(0)
    return use(state, turn, 0)
  }
  if (isIdle) {
    state.moved = { ms: 0, cost: 0 }
    state.movedAt = state.clock.now()
  }
  push(line, turn)
  return wait(state, turn, entrant)
}

/** Waits for a turn to start. */
function wait(state: State, turn: Turn, entrant: Entrant): Promise<Place> {
  const { clock, metrics } = state
  const { signal } = entrant
  const since = clock.now()
  return new Promise((resolve, reject) => {
    const timer = new AbortController()
    const settle = (error?: Error) => {
      turn.waiting.delete(caller)
      timer.abort()
      signal.removeEventListener('abort', onAbort)
      const waitedMs = clock.now() - since
      metrics.waited(waitedMs)
      if (error === undefined) return resolve(use(state, turn, waitedMs))
      reject(error)
      if (turn.waiting.size === 0) abandon(state, turn)
    }
    const onAbort = () => settle(signal.reason)
    const caller = { entrant, settle }
    turn.waiting.add(caller)
    signal.addEventListener('abort', onAbort, { once: true })
    clock.sleep(Math.max(0, latestStart(state, entrant) - since), timer.signal).then(
      () => turn.waiting.has(caller) && settle(refuse(state, turn.cost, 0)),
      () => undefined,
    )
  })
}

/** Adds a caller whose turn it is. */
function use(state: State, turn: Turn, waitedMs: number): Place {
  turn.users += 1
  let isDone = false
  const leave = (isSigned: boolean) => {
    if (isDone) return
    isDone = true
    turn.users -= 1
    turn.isSigned ||= isSigned
    if (turn.users === 0) finish(state, turn)
  }
  const place = { waitedMs, giveWay: () => giveWay(state, turn), leave }
  return waitedMs === 0 ? place : { ...place, busy: () => refuse(state, turn.cost, 0) }
}

function begin(state: State, turn: Turn): void {
  const { clock, usualMs } = state
  const giveWayMs = Math.max(GIVE_WAY.leastMs, GIVE_WAY.factor * usualMs)
  turn.startedAt = clock.now()
  turn.timer = new AbortController()
  state.taken += turn.cost
  clock.sleep(giveWayMs, turn.timer.signal).then(
    () => giveWay(state, turn),
    () => undefined,
  )
}

/** Frees the capacity of a turn. Its callers may continue. */
function giveWay(state: State, turn: Turn): void {
  if (turn.timer === undefined) return
  turn.timer.abort()
  turn.timer = undefined
  state.taken -= turn.cost
  advance(state)
}

function finish(state: State, turn: Turn): void {
  state.turns.delete(turn.key)
  if (turn.isSigned) {
    const ms = state.clock.now() - (turn.startedAt ?? 0)
    state.usualMs += LATEST * (ms - state.usualMs)
  }
  giveWay(state, turn)
}

/** Removes a waiting turn that has no caller any more. */
function abandon(state: State, turn: Turn): void {
  state.turns.delete(turn.key)
  take(turn)
  advance(state)
}

/** Starts the next turns while there is capacity. */
function advance(state: State): void {
  for (let turn = next(state); turn !== undefined && hasRoom(state, turn); turn = next(state)) {
    state.wasBatch = turn.line === state.batches
    take(turn)
    observe(state, turn.cost)
    begin(state, turn)
    for (const { settle } of [...turn.waiting]) settle()
  }
  if (state.clock.now() - state.checkedAt >= CHECK_MS) checkLine(state)
}

/** Returns the turn that starts next: the first one of the line that did not move last, or else of the other one. */
function next({ singles, batches, wasBatch }: State): Turn | undefined {
  const [single] = singles.turns
  const [batch] = batches.turns
  return wasBatch ? (single ?? batch) : (batch ?? single)
}

function isEmpty({ singles, batches }: State): boolean {
  return singles.turns.size + batches.turns.size === 0
}

function push(line: Line, turn: Turn): void {
  line.turns.add(turn)
  line.cost += turn.cost
}

function take(turn: Turn): void {
  turn.line.turns.delete(turn)
  turn.line.cost -= turn.cost
}

function move(turn: Turn, line: Line): void {
  take(turn)
  turn.line = line
  push(line, turn)
}

/** Refuses the waiting callers whose turn would come too late, so that they can try again elsewhere or later. */
function checkLine(state: State): void {
  state.checkedAt = state.clock.now()
  let cost = 0
  for (const turn of state.singles.turns) {
    for (const { entrant, settle } of [...turn.waiting]) {
      const lateMs = delayOf(state, cost + turn.cost, entrant)
      if (lateMs > 0) settle(refuse(state, turn.cost, lateMs))
    }
    if (turn.waiting.size > 0) cost += turn.cost
  }
}

/** A turn that costs more than the capacity starts alone. */
function hasRoom({ taken, capacity }: State, { cost }: Turn): boolean {
  return taken === 0 || taken + cost <= capacity
}

/** Records that a turn of this cost has left its line. */
function observe(state: State, cost: number): void {
  const now = state.clock.now()
  const kept = Math.max(0, 1 - cost / (2 * KNOWN_AFTER * state.capacity))
  const { moved } = state
  state.moved = { ms: moved.ms * kept + now - state.movedAt, cost: moved.cost * kept + cost }
  state.movedAt = now
}

/** Returns the milliseconds that the lines need for this cost, or 0 while their speed is not known. */
function timeOf({ moved, capacity }: State, cost: number): number {
  return moved.cost < KNOWN_AFTER * capacity ? 0 : (cost * moved.ms) / moved.cost
}

/**
 * Returns by how many milliseconds the turn of a single request would come too late that starts when this cost has left
 * its line, or 0 if it may be in time. Meanwhile, as much may leave the line of the batches. Requests of a batch are
 * never too late before their time ends.
 */
function delayOf(state: State, cost: number, entrant: Entrant): number {
  if (entrant.isBatch) return 0
  const waitMs = timeOf(state, cost + Math.min(cost, state.batches.cost))
  const availableMs = latestStart(state, entrant) - state.clock.now()
  return waitMs > TOO_LONG * availableMs ? waitMs - availableMs : 0
}

/** Returns the latest time at which the collection of signatures may start. */
function latestStart({ clock, usualMs }: State, { end }: Entrant): number {
  const now = clock.now()
  return end - Math.min(Math.max(LEAST_RESERVE_MS, 2 * usualMs), (end - now) / 2)
}

/**
 * Returns the error for a caller that must try again. Refused callers get different times, one after another, at the
 * speed of the queue, so that there is capacity for each of them when they come back.
 */
function refuse(state: State, cost: number, lateMs: number): AggregatorError {
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

function countWaiting({ singles, batches }: State): number {
  let count = 0
  for (const { turns } of [singles, batches]) for (const { waiting } of turns) count += waiting.size
  return count
}

function createMetrics(register: Registry, length: () => number) {
  const registers = [register]
  new Gauge({
    name: 'signature_aggregator_queue_length',
    help: 'Number of requests that wait for their turn',
    registers,
    collect() {
      this.set(length())
    },
  })
  const seconds = new Histogram({
    name: 'signature_aggregator_queue_seconds',
    help: 'Seconds for which requests waited for their turn',
    buckets: [0.001, 0.01, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60],
    registers,
  })
  const refusals = new Counter({
    name: 'signature_aggregator_queue_refused_total',
    help: 'Number of requests that were refused because their turn would come too late',
    registers,
  })
  return { waited: (ms: number) => seconds.observe(ms / 1_000), refused: () => refusals.inc() }
}
