import { Hex, NodeId } from '@firn/codec'
import { backoff, type Span } from '@firn/runtime'
import { Acp118 } from '@firn/warp'
import type { KnownRefusal } from '../AggregationRequest.ts'
import * as Collection from '../Collection.ts'
import * as Entry from '../Entry.ts'
import type { Lane, Slot, Ticket } from '../Lanes.ts'
import { type Reading, read, readResponse } from '../Reading.ts'
import type { Refusal } from '../Refusals.ts'
import type { Answer } from '../Transport.ts'
import type { LateHandler } from './LateSignatures.ts'
import * as RequestSpan from './RequestSpan.ts'
import * as Rounds from './Rounds.ts'
import { entryAt, nodeAt, type State } from './State.ts'

/** Functions of a run that its inquiry calls, and the signal that aborts the requests. */
export interface RunHooks {
  readonly signal: AbortSignal
  /** The run as a part of a trace. */
  readonly span: Span
  /** The queue of the run's requests. */
  readonly lane: Lane
  /** Called when a response has arrived or the alarm of the run must be set. */
  readonly wake: () => void
  /** Returns the time until which the run may continue, as returned by `clock.now()`. */
  readonly deadline: () => number
  /** Returns the time until which validators that answered "not yet" may be queried again. */
  readonly retryUntil: () => number
  /** Handles responses that arrive after their time-out or after the end of the run. */
  readonly late: LateHandler
  /** Called once for each request that leaves this machine. */
  readonly onRequestSent: () => void
}

/** A node of a validator, and a time, such as the time at which the node was queried. */
export interface NodeTime {
  readonly index: number
  readonly place: number
  readonly at: number
}

/** Requests of one run: the outstanding requests, the received responses, and the scheduled retries. */
export interface Inquiry {
  readonly state: State
  readonly hooks: RunHooks
  /** The encoded request, which is the same for all nodes. */
  readonly bytes: Uint8Array
  /** Responses that are not yet processed. */
  readonly arrived: { readonly asked: NodeTime; readonly at: number; readonly answer: Answer }[]
  /** Late signatures that are not yet processed. */
  readonly late: { readonly index: number; readonly place: number; readonly bytes: Uint8Array }[]
  /** Requests that wait in queues of this side. */
  readonly queued: Set<QueuedRequest>
  /** Every request sent, in chronological order. All requests before the index `oldest` are settled. */
  readonly sent: NodeTime[]
  oldest: number
  /** Number of requests so far, sent or still queued. */
  requested: number
  /** Silent nodes, and the times at which they are queried again. */
  retries: NodeTime[]
  /** The retries of the nodes that answered "not yet". */
  readonly rounds: Rounds.Rounds
  answered: number
  halfAnsweredMs: number | undefined
  /** Time of the next check of unconnected nodes; Infinity if there are none. */
  nextPoll: number
  /** Time of the last check of queued requests. */
  queueCheckedAt: number
}

/** A queued request, and the time when it was queued. */
export interface QueuedRequest extends NodeTime {
  ticket?: Ticket
}

/** After a node breaks the connection, it is tried only once more. */
const MAX_FAILURES_TO_RECONNECT = 1

/** Returns the inquiry of a run. It checks the connections, but sends no request yet. */
export function create(state: State, hooks: RunHooks): Inquiry {
  const inquiry: Inquiry = {
    state,
    hooks,
    bytes: Acp118.encodeRequest(state.job.request),
    arrived: [],
    late: [],
    queued: new Set(),
    sent: [],
    oldest: 0,
    requested: 0,
    retries: [],
    rounds: Rounds.create(state, hooks.retryUntil),
    answered: 0,
    halfAnsweredMs: undefined,
    nextPoll: Number.POSITIVE_INFINITY,
    queueCheckedAt: state.startedAt,
  }
  const remembered: Rounds.RememberedNode[] = []
  for (const { index, inactive, proved, nodes } of state.collection.entries) {
    if (inactive || proved !== undefined) continue
    for (const place of nodes.keys()) {
      if (state.job.refusal !== undefined) {
        refuse(inquiry, index, place, state.job.refusal)
        continue
      }
      const refusal = recall(inquiry, index, place)
      if (refusal !== undefined) remembered.push({ index, place, refusal })
    }
  }
  Rounds.addRemembered(inquiry.rounds, remembered)
  return inquiry
}

/** Marks a node as refusing without a request. */
function refuse({ state }: Inquiry, index: number, place: number, refusal: KnownRefusal): void {
  const failure = { outcome: 'refused', ...refusal } as const
  Collection.update(
    state.collection,
    Entry.withNode(entryAt(state, index), place, { kind: 'failed' }, failure),
  )
}

/**
 * Checks a node's connection, and whether the node has refused in an earlier run. A final refusal stands. Returns the
 * refusal of a connected node that may change its answer, which must wait for a round.
 */
function recall(inquiry: Inquiry, index: number, place: number): Refusal | undefined {
  const { collection, job, tools } = inquiry.state
  const { nodeId } = nodeAt(inquiry.state, index, place)
  const refusal = tools.refusals.recall(job.requestKey, nodeId, tools.clock.now())
  if (refusal?.isFinal !== true && !look(inquiry, index, place)) return undefined
  if (refusal === undefined) return undefined
  const failure = { ...refusal.failure, rememberedAt: refusal.at }
  const state = { kind: refusal.isFinal ? 'failed' : 'not-yet' } as const
  Collection.update(collection, Entry.withNode(entryAt(inquiry.state, index), place, state, failure))
  return refusal.isFinal ? undefined : refusal
}

/**
 * Sends a request to every idle node of a validator. A node that has disconnected is marked as
 * unconnected.
 */
export function ask(inquiry: Inquiry, index: number): void {
  const { nodes } = entryAt(inquiry.state, index)
  for (const [place, { state }] of nodes.entries()) {
    if (state.kind === 'idle' && look(inquiry, index, place)) send(inquiry, index, place)
  }
}

/**
 * Processes received responses until `enough` returns true. The remaining responses wait for the next call.
 */
export function takeAnswers(inquiry: Inquiry, enough: () => boolean): void {
  const { arrived, state } = inquiry
  let taken = 0
  while (taken < arrived.length && !enough()) {
    const { asked, at, answer } = arrived[taken++] as Inquiry['arrived'][number]
    measure(inquiry, at - asked.at, answer)
    if (entryAt(state, asked.index).proved === undefined) enter(inquiry, asked, at - asked.at, answer)
    else state.counters.redundant += 1
  }
  arrived.splice(0, taken)
  for (const { index, place, bytes } of inquiry.late.splice(0)) takeLate(inquiry, index, place, bytes)
}

/** Late refusals are ignored, because the node has been queried again or soon will be. */
function takeLate(inquiry: Inquiry, index: number, place: number, bytes: Uint8Array): void {
  const { state } = inquiry
  const entry = entryAt(state, index)
  state.counters.lateResponses += 1
  if (entry.proved !== undefined) return
  const reading = readResponse(bytes)
  if (reading.kind === 'failure') return
  addCandidate(inquiry, entry, place, reading)
}

/** Adds an unverified signature. If its node had refused, the other nodes that refused are retried at once. */
function addCandidate(
  { rounds, state }: Inquiry,
  entry: Entry.Entry,
  place: number,
  { signature, reportedBy }: Entry.Candidate,
): void {
  const changed = Entry.withNode(entry, place, { kind: 'candidate', signature, reportedBy })
  Collection.update(state.collection, changed)
  if (Entry.isRefusal(changed.nodes[place]?.failure)) Rounds.hurry(rounds)
}

/** Checks a node's connection and returns whether a request can be sent. */
export function look(inquiry: Inquiry, index: number, place: number): boolean {
  const { collection, startedAt, tools } = inquiry.state
  const now = tools.clock.now()
  const { nodeId, state } = nodeAt(inquiry.state, index, place)
  const connection = tools.transport.connection(nodeId)
  if (connection.connected && state.kind === 'idle') return true
  const mayWait = now - startedAt < tools.options.connectGraceMs
  const entry = entryAt(inquiry.state, index)
  Collection.update(collection, Entry.connection(entry, place, connection, mayWait))
  if (!connection.connected) inquiry.nextPoll = Math.min(inquiry.nextPoll, now + tools.options.connectPollMs)
  return connection.connected
}

/**
 * Checks again whether an unconnected node is now connected. If so, and if its validator has already been queried
 * through another node, queries this node too.
 */
export function lookAgain(inquiry: Inquiry, index: number, place: number): void {
  const isConnected = look(inquiry, index, place)
  if (isConnected && Entry.isAsked(entryAt(inquiry.state, index))) ask(inquiry, index)
}

function send(inquiry: Inquiry, index: number, place: number): void {
  const { bytes, hooks, queued, state } = inquiry
  const queuedRequest: QueuedRequest = { index, place, at: state.tools.clock.now() }
  inquiry.requested += 1
  Collection.update(state.collection, Entry.queue(entryAt(state, index), place, queuedRequest.at))
  queued.add(queuedRequest)
  queuedRequest.ticket = hooks.lane.enter({
    node: Hex.encodeBare(nodeAt(state, index, place).nodeId),
    bytes: bytes.length,
    start: (slot) => void exchange(inquiry, queuedRequest, slot),
  })
}

async function exchange(inquiry: Inquiry, queuedRequest: QueuedRequest, slot: Slot): Promise<void> {
  const { clock } = inquiry.state.tools
  const { index, place } = queuedRequest
  let sentAt: number | undefined
  const onSent = () => {
    sentAt = clock.now()
    inquiry.queued.delete(queuedRequest)
    slot.markSent()
    markSent(inquiry, { index, place, at: sentAt })
  }
  const answer = await request(inquiry, index, place, onSent)
  const at = clock.now()
  slot.leave()
  inquiry.queued.delete(queuedRequest)
  inquiry.arrived.push({ asked: { index, place, at: sentAt ?? at }, at, answer })
  inquiry.hooks.wake()
}

function markSent(inquiry: Inquiry, asked: NodeTime): void {
  const { collection, counters } = inquiry.state
  Collection.update(collection, Entry.markSent(entryAt(inquiry.state, asked.index), asked.place, asked.at))
  inquiry.sent.push(asked)
  counters.requests += 1
  inquiry.hooks.onRequestSent()
  // The run's alarm must be set for this request unless it is set for an earlier one.
  if (inquiry.sent.length === inquiry.oldest + 1) inquiry.hooks.wake()
}

async function request(inquiry: Inquiry, index: number, place: number, onSent: () => void): Promise<Answer> {
  const { state, hooks, bytes } = inquiry
  const { clock, options, tracer, transport } = state.tools
  const { nodeId } = nodeAt(state, index, place)
  const attributes = () => ({ 'avalanche.node_id': NodeId.format(nodeId), 'firn.validator': index })
  const span = hooks.span.run(() => tracer.start('request signature', attributes, 'client'))
  const request = {
    chainId: state.job.unsigned.sourceChainID,
    bytes,
    deadlineMs: Math.max(1, Math.min(options.requestTimeoutMs, hooks.deadline() - clock.now())),
    onSent,
    onLateResponse: lateHandlerOf(hooks.late, index, place),
  }
  let answer: Answer
  try {
    answer = await span.run(() => transport.request(nodeId, request, hooks.signal))
  } catch (error) {
    answer = { kind: 'disconnected', reason: error instanceof Error ? error.message : String(error) }
  }
  RequestSpan.end(span, answer, hooks.signal.aborted)
  return answer
}

/**
 * Returns a function that keeps only `late` in memory, because transports may keep the function long after the run.
 */
function lateHandlerOf(late: LateHandler, index: number, place: number): (bytes: Uint8Array) => void {
  return (bytes) => late.take(index, place, bytes)
}

function measure(inquiry: Inquiry, latencyMs: number, answer: Answer): void {
  if (answer.kind === 'response') inquiry.state.counters.responses += 1
  if (answer.kind !== 'response' && answer.kind !== 'error') return
  inquiry.answered += 1
  inquiry.state.tools.history.add(latencyMs)
  if (inquiry.answered * 2 >= inquiry.requested) inquiry.halfAnsweredMs ??= latencyMs
}

function enter(inquiry: Inquiry, { index, place }: NodeTime, latencyMs: number, answer: Answer): void {
  const { collection, job } = inquiry.state
  const reading = read(answer, job.chainKind)
  const entry = { ...entryAt(inquiry.state, index), latencyMs }
  if (reading.kind === 'signature') {
    addCandidate(inquiry, entry, place, reading)
  } else {
    Collection.update(collection, entry)
    fail(inquiry, index, place, reading)
  }
}

function fail(
  inquiry: Inquiry,
  index: number,
  place: number,
  { failure, lag, malformed }: Extract<Reading, { kind: 'failure' }>,
): void {
  const { collection, counters } = inquiry.state
  const { failures } = nodeAt(inquiry.state, index, place)
  if (malformed && failure.reportedBy === undefined) counters.malformed += 1
  const isRefusal = Entry.isRefusal(failure)
  const state = { kind: !lag ? 'failed' : isRefusal ? 'not-yet' : 'silent' } as const
  Collection.update(collection, Entry.withNode(entryAt(inquiry.state, index), place, state, failure))
  if (isRefusal) noteRefusal(inquiry, index, place, failure, !lag)
  else if (lag) retryLater(inquiry, index, place, failures + 1)
  if (failure.outcome === 'disconnected' && failures < MAX_FAILURES_TO_RECONNECT)
    lookAgain(inquiry, index, place)
}

/** Remembers a refusal for later runs. If the node may change its answer, it waits for the next round. */
function noteRefusal(
  inquiry: Inquiry,
  index: number,
  place: number,
  failure: Entry.Failure,
  isFinal: boolean,
): void {
  const { job, tools } = inquiry.state
  const { nodeId } = nodeAt(inquiry.state, index, place)
  const rounds = inquiry.rounds.count
  tools.refusals.remember(job.requestKey, nodeId, { failure, isFinal, at: tools.clock.now(), rounds })
  if (!isFinal) Rounds.add(inquiry.rounds, { index, place }, failure.code)
}

function retryLater(inquiry: Inquiry, index: number, place: number, failures: number): void {
  const { clock, options, random } = inquiry.state.tools
  const { minRetryDelayMs, maxRetryDelayMs: longest } = options
  // Half of a delay is random, so the first delay is at least the minimum.
  const delay = backoff(failures, { random, first: 2 * minRetryDelayMs, longest })
  inquiry.retries.push({ index, place, at: clock.now() + delay })
}
