import * as Collection from '../Collection.ts'
import * as Entry from '../Entry.ts'
import * as Hedge from '../Hedge.ts'
import { ask, type Inquiry, lookAgain, type NodeTime } from './Inquiry.ts'
import * as Rounds from './Rounds.ts'
import { entryAt, nodeAt } from './State.ts'

/**
 * Runs due timers: marks silent nodes as overdue, retries after failures, and checks unconnected nodes again.
 * A node is silent only if its response had not arrived by `inputReadAt`, the latest time up to which all
 * responses have been read.
 */
export function tick(inquiry: Inquiry, inputReadAt: number): void {
  const now = inquiry.state.tools.clock.now()
  markOverdue(inquiry, inputReadAt)
  markStuck(inquiry, now)
  retry(inquiry, now)
  for (const index of Rounds.start(inquiry.rounds)) ask(inquiry, index)
  if (inquiry.nextPoll <= now) poll(inquiry)
}

/**
 * Returns the time at which {@link tick} has something to do next, as returned by `clock.now()`; Infinity for never.
 */
export function nextDue(inquiry: Inquiry): number {
  const first = firstOnTime(inquiry)
  const overdue = first === undefined ? Number.POSITIVE_INFINITY : first.at + delay(inquiry)
  return Math.min(overdue, nextQueueCheck(inquiry), inquiry.nextPoll, nextRetry(inquiry), inquiry.rounds.next)
}

/** Returns the time of the next retry of a silent node, as returned by `clock.now()`; Infinity if none is scheduled. */
export function nextRetry({ retries }: Inquiry): number {
  return retries.reduce((due, { at }) => Math.min(due, at), Number.POSITIVE_INFINITY)
}

function delay({ halfAnsweredMs, state }: Inquiry): number {
  return Hedge.delay(halfAnsweredMs, state.tools.history, state.tools.options)
}

/**
 * Returns the oldest request that is outstanding and not overdue. Requests sent after it are not overdue either.
 */
function firstOnTime(inquiry: Inquiry): NodeTime | undefined {
  const { sent } = inquiry
  for (; inquiry.oldest < sent.length; inquiry.oldest += 1) {
    const request = sent[inquiry.oldest] as NodeTime
    const { state } = nodeAt(inquiry.state, request.index, request.place)
    if (state.kind === 'asked' && state.at === request.at && !state.overdue) return request
  }
  return undefined
}

function markOverdue(inquiry: Inquiry, inputReadAt: number): void {
  const { collection } = inquiry.state
  const patience = delay(inquiry)
  for (let first = firstOnTime(inquiry); first !== undefined; first = firstOnTime(inquiry)) {
    if (first.at + patience > inputReadAt) return
    const overdue = { kind: 'asked', at: first.at, overdue: true } as const
    Collection.update(collection, Entry.withNode(entryAt(inquiry.state, first.index), first.place, overdue))
  }
}

/**
 * Marks queued requests as overdue if their nodes had the maximum number of requests in flight for longer than the
 * hedge delay, so that other validators are queried. Requests that wait only for other requests of this process stay
 * on time, because further requests would have to wait as well.
 */
function markStuck(inquiry: Inquiry, now: number): void {
  if (nextQueueCheck(inquiry) > now) return
  inquiry.queueCheckedAt = now
  const patience = delay(inquiry)
  const { collection } = inquiry.state
  for (const { index, place, at, ticket } of inquiry.queued) {
    const { state } = nodeAt(inquiry.state, index, place)
    if (state.kind !== 'queued' || state.overdue || at + patience > now || !ticket?.isBehindNode) continue
    const overdue = { kind: 'queued', at, overdue: true } as const
    Collection.update(collection, Entry.withNode(entryAt(inquiry.state, index), place, overdue))
  }
}

function nextQueueCheck(inquiry: Inquiry): number {
  return inquiry.queued.size === 0 ? Number.POSITIVE_INFINITY : inquiry.queueCheckedAt + delay(inquiry)
}

function retry(inquiry: Inquiry, now: number): void {
  const due = inquiry.retries.filter(({ at }) => at <= now)
  if (due.length === 0) return
  inquiry.retries = inquiry.retries.filter(({ at }) => at > now)
  for (const { index, place } of due) {
    const entry = entryAt(inquiry.state, index)
    // A late signature may have replaced the retry.
    if (entry.proved !== undefined || nodeAt(inquiry.state, index, place).state.kind !== 'silent') continue
    inquiry.state.counters.retries += 1
    Collection.update(inquiry.state.collection, Entry.withNode(entry, place, { kind: 'idle' }))
    ask(inquiry, index)
  }
}

function poll(inquiry: Inquiry): void {
  inquiry.nextPoll = Number.POSITIVE_INFINITY
  for (const { index, proved, nodes } of inquiry.state.collection.entries) {
    if (proved !== undefined) continue
    for (const [place, { state }] of nodes.entries()) {
      if (state.kind === 'unconnected') lookAgain(inquiry, index, place)
    }
  }
}
