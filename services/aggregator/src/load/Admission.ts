import type { Clock } from '@firn/runtime'
import type { Registry } from 'prom-client'
import type { AggregatorError } from '../errors/AggregatorError.ts'
import { createAdmissionMetrics } from './AdmissionMetrics.ts'
import { delayOf, latestStart, observe, refuse } from './Lateness.ts'
import {
  countWaiting,
  type Entrant,
  hasRoom,
  isEmpty,
  move,
  next,
  push,
  type State,
  type Turn,
  take,
} from './Turns.ts'

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
/** Weight of the latest observation in the usual time of a signed request. */
const LATEST = 0.2
/** Milliseconds between two checks whether the waiting requests can still be in time. */
const CHECK_MS = 500

/** Lets every request start at once. It is for further collections of a request that has had its turn. */
export const OPEN: Admission = { enter: async () => FREE }

const FREE: Place = { waitedMs: 0, giveWay: () => undefined, leave: () => undefined }

/** Returns an admission without requests. */
export function createAdmission(dependencies: AdmissionDependencies): Admission {
  const state: State = {
    random: Math.random,
    ...dependencies,
    metrics: createAdmissionMetrics(dependencies.register, () => countWaiting(state)),
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

/** Removes a waiting turn whose caller has left. */
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
