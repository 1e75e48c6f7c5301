import { backoff } from '@firn/runtime'
import * as Collection from '../Collection.ts'
import * as Entry from '../Entry.ts'
import type { Refusal } from '../Refusals.ts'
import * as Retry from '../Retry.ts'
import { entryAt, nodeAt, type State } from './State.ts'

/** A node of a validator. */
export interface NodePlace {
  readonly index: number
  readonly place: number
}

/** A node whose refusal is remembered from an earlier run. */
export interface RememberedNode extends NodePlace {
  readonly refusal: Refusal
}

/**
 * The retries of nodes that answered "not yet". Such nodes usually change their answer together, when the chain accepts
 * the message. Therefore a round queries only a part of the validators, and when one of them signs, all others are
 * queried at once. The last round that is in time for a caller queries all of them, too.
 */
export interface Rounds {
  readonly state: State
  /** Returns the time until which rounds may start, as returned by `clock.now()`. */
  readonly until: () => number
  /** Nodes that wait for a round. */
  waiting: NodePlace[]
  /** Nodes that the latest round has queried. */
  asked: NodePlace[]
  /** Number of rounds so far, which determines the delay of the next one. */
  count: number
  /** Time of the next round, as returned by `clock.now()`; Infinity if no node waits. */
  next: number
  /** True if the next round queries all waiting validators, because a validator has changed its answer. */
  isForAll: boolean
  /** True while all refusals were reports of the P-chain's state; see {@link Retry.isState}. */
  isState: boolean
}

/** A round queries one of this many waiting validators, so that each is queried in every third round. */
const PARTS = 3

/**
 * Delays may grow to the time since the start of the run, divided by this number. Therefore the number of requests grows
 * only with the logarithm of the time until the deadline.
 */
const SLOWDOWN = 10

/** Returns the state before the first refusal. */
export function create(state: State, until: () => number): Rounds {
  const next = Number.POSITIVE_INFINITY
  return { state, until, waiting: [], asked: [], count: 0, next, isForAll: false, isState: true }
}

/** Adds a node that answered "not yet" with this code, and schedules a round if none is scheduled. */
export function add(rounds: Rounds, node: NodePlace, code: number | undefined): void {
  rounds.waiting.push(node)
  rounds.isState &&= Retry.isState(rounds.state.job.chainKind, code)
  if (rounds.next === Number.POSITIVE_INFINITY) rounds.next = after(rounds, now(rounds))
}

/** Adds nodes that refused in earlier runs. The next round is due as if the latest refusal had arrived in this run. */
export function addRemembered(rounds: Rounds, nodes: readonly RememberedNode[]): void {
  if (nodes.length === 0) return
  rounds.waiting.push(...nodes)
  rounds.isState = nodes.every(({ refusal }) =>
    Retry.isState(rounds.state.job.chainKind, refusal.failure.code),
  )
  rounds.count = nodes.reduce((most, { refusal }) => Math.max(most, refusal.rounds), 0)
  const latest = nodes.reduce((last, { refusal }) => Math.max(last, refusal.at), 0)
  rounds.next = Math.max(now(rounds), latest + delay(rounds))
}

/** Makes the next round query all waiting validators at once, because a validator that had refused has signed. */
export function hurry(rounds: Rounds): void {
  if (rounds.waiting.length === 0) return
  rounds.next = now(rounds)
  rounds.isForAll = true
}

/**
 * Starts a round if it is due: makes the nodes of the chosen validators idle, and returns the canonical indices of these
 * validators. A round waits until the nodes of the previous round have responded or are overdue.
 */
export function start(rounds: Rounds): number[] {
  const { state } = rounds
  const time = now(rounds)
  if (time < rounds.next) return []
  if (!rounds.isForAll && rounds.asked.some((node) => isAwaited(rounds, node))) {
    rounds.next = time + state.tools.options.minRetryDelayMs
    return []
  }
  // A late signature may have arrived, or the connection may be lost.
  const waiting = rounds.waiting.filter(({ index, place }) => {
    const isProved = entryAt(state, index).proved !== undefined
    return !isProved && nodeAt(state, index, place).state.kind === 'not-yet'
  })
  rounds.count = rounds.isForAll ? 0 : rounds.count + 1
  const next = after(rounds, time)
  const isForAll = rounds.isForAll || next >= rounds.until()
  const chosen = new Set(choose(rounds, waiting, isForAll ? 1 : PARTS))
  rounds.isForAll = false
  rounds.asked = waiting.filter(({ index }) => chosen.has(index))
  rounds.waiting = waiting.filter(({ index }) => !chosen.has(index))
  rounds.next = rounds.waiting.length === 0 ? Number.POSITIVE_INFINITY : next
  for (const { index, place } of rounds.asked) {
    state.counters.retries += 1
    Collection.update(state.collection, Entry.withNode(entryAt(state, index), place, { kind: 'idle' }))
  }
  return [...chosen]
}

/** Returns one of `parts` of the validators: those with the fewest requests, and of these the heaviest ones. */
function choose({ state }: Rounds, waiting: readonly NodePlace[], parts: number): number[] {
  const entries = [...new Set(waiting.map(({ index }) => index))].map((index) => entryAt(state, index))
  return entries
    .sort((a, b) => a.requests - b.requests || (a.weight > b.weight ? -1 : a.weight < b.weight ? 1 : 0))
    .slice(0, Math.ceil(entries.length / parts))
    .map(({ index }) => index)
}

function isAwaited({ state }: Rounds, { index, place }: NodePlace): boolean {
  const { state: node } = nodeAt(state, index, place)
  return node.kind === 'queued' || (node.kind === 'asked' && !node.overdue)
}

function now({ state }: Rounds): number {
  return state.tools.clock.now()
}

/**
 * Returns the time of the round after `time`. The last round is shortly before the end of the time for rounds, so that
 * no validator is missed that changes its answer before.
 */
function after(rounds: Rounds, time: number): number {
  const { minRetryDelayMs } = rounds.state.tools.options
  const [next, until] = [time + delay(rounds), rounds.until()]
  const last = Math.max(time, until - minRetryDelayMs)
  return next < until || last - time < minRetryDelayMs ? next : last
}

function delay({ count, state }: Rounds): number {
  const { clock, random, options } = state.tools
  const { minRetryDelayMs, maxRetryDelayMs } = options
  const longest = Math.max(maxRetryDelayMs, (clock.now() - state.startedAt) / SLOWDOWN)
  // Half of a delay is random, so the first delay is at least the minimum.
  return backoff(count + 1, { random, first: 2 * minRetryDelayMs, longest })
}
