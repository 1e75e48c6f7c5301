import { Bytes } from '@firn/codec'
import type { Counters } from '../Counters.ts'
import type { Limits } from '../Limits.ts'
import type * as Message from '../Message.ts'
import { P2pError } from '../P2pError.ts'
import type { Timer, Timers } from '../Timers.ts'

const ANSWER_KINDS = [
  'appResponse',
  'appError',
  'acceptedFrontier',
  'accepted',
  'ancestors',
  'chits',
] as const

/** A message that answers a request. */
export type AnswerBody = Extract<Message.Body, { case: (typeof ANSWER_KINDS)[number] }>

const answerKinds: ReadonlySet<Message.Case> = new Set(ANSWER_KINDS)

/** Returns whether messages of this kind answer requests of this side. */
export function isAnswerKind(kind: Message.Case): kind is AnswerBody['case'] {
  return answerKinds.has(kind)
}

/** Returns whether a message answers a request. */
export function isAnswer(body: Message.Body): body is AnswerBody {
  return isAnswerKind(body.case)
}

/**
 * A request without an answer. `unsent` means that the request never left this side, so the outcome says nothing about
 * the peer.
 */
export type Failure =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'unsent'; readonly reason: string }
  | { readonly kind: 'disconnected'; readonly reason: string }

/**
 * Functions that read an answer, by the kind of the message; other kinds do not answer the request. They must copy all
 * bytes, which are views of a whole chunk of the stream.
 */
export type Readers<A> = {
  readonly [Kind in AnswerBody['case']]?: (value: Extract<AnswerBody, { case: Kind }>['value']) => A
}

/**
 * An encoded request, whose answer is an `A`. It can be sent to any number of peers, because ids need to be unique only
 * per connection and chain.
 */
export interface Outgoing<A> {
  readonly requestId: number
  readonly chainId: Uint8Array
  readonly frame: Uint8Array
  readonly readers: Readers<A>
  /** Returns the same request with a new id. */
  readonly renew: () => Outgoing<A>
}

/**
 * Number of finished requests that are remembered, to distinguish late and repeated answers from unsolicited
 * ones.
 */
const REMEMBERED = 128

/** Options of {@link OutboundRequests}. */
export interface OutboundRequestsOptions {
  readonly limits: Limits
  readonly timers: Timers
  readonly counters: Counters
  /**
   * Queues a frame for the socket and calls `onWritten` when it has been written. Returns false if the frame
   * was dropped.
   */
  readonly send: (frame: Uint8Array, onWritten: () => void) => boolean
}

/** The time-out and the callbacks of a request. */
export interface RequestTiming<A> {
  /** Milliseconds to wait for the answer after the request has been written to the socket. */
  readonly deadlineMs: number
  /** Called once, when the request has been written to the socket. */
  readonly onSent?: () => void
  /** Called with an answer that arrives after the time-out, or after the signal aborted. */
  readonly onLateAnswer?: (answer: A) => void
}

interface Pending {
  outgoing: Outgoing<unknown>
  /** Whether the request has been written to the socket, so that the time for the answer runs. */
  isSent: boolean
  timer: Timer | undefined
  readonly timing: Pick<RequestTiming<unknown>, 'deadlineMs' | 'onSent'>
  /** Settles the request with an answer of a kind that its readers know. */
  readonly answer: (body: AnswerBody) => void
  readonly fail: (failure: Failure) => void
  readonly onLate: ((body: AnswerBody) => void) | undefined
}

interface Finished {
  readonly chainId: Uint8Array
  outcome: 'answered' | 'given up'
  onLate: Pending['onLate']
}

/**
 * This side's requests to one peer. At most `limits.requestsInFlight` of them are in flight; further ones are queued.
 */
export class OutboundRequests {
  readonly #options: OutboundRequestsOptions
  readonly #inFlight = new Map<number, Pending>()
  readonly #waiting = new Set<Pending>()
  readonly #finished = new Map<number, Finished>()
  #closed: string | undefined

  constructor(options: OutboundRequestsOptions) {
    this.#options = options
  }

  /** Number of requests in flight. */
  get inFlight(): number {
    return this.#inFlight.size
  }

  /**
   * Sends a request, or queues it while too many are in flight. Time in the queue does not count towards the
   * deadline; only `signal` limits it.
   * @throws (rejects) P2pError `P2P_ABORTED`
   */
  request<A>(
    outgoing: Outgoing<A>,
    timing: RequestTiming<A>,
    signal: AbortSignal | undefined,
  ): Promise<A | Failure> {
    const { limits } = this.#options
    const { onLateAnswer } = timing
    if (this.#closed !== undefined) return Promise.resolve({ kind: 'disconnected', reason: this.#closed })
    if (this.#waiting.size >= limits.requestsWaiting) {
      return Promise.resolve({
        kind: 'unsent',
        reason: `too many requests: ${limits.requestsWaiting} are already queued for this peer`,
      })
    }
    if (signal?.aborted === true) return Promise.reject(abortError(signal))
    return new Promise((resolve, reject) => {
      const unwatch = watch(signal, (error) => {
        this.#giveUp(pending)
        reject(error)
      })
      const settle = (outcome: A | Failure): void => {
        unwatch()
        resolve(outcome)
      }
      const pending: Pending = {
        outgoing,
        isSent: false,
        timer: undefined,
        timing,
        answer: (body) => read(outgoing.readers, body, settle),
        fail: settle,
        onLate: onLateAnswer && ((body) => read(outgoing.readers, body, onLateAnswer)),
      }
      this.#waiting.add(pending)
      this.#advance()
    })
  }

  /** Returns whether a message answers a request in flight. */
  isAwaited(body: AnswerBody): boolean {
    return this.#awaiting(body) !== undefined
  }

  /** Handles an answer. */
  answer(body: AnswerBody): void {
    const pending = this.#awaiting(body)
    if (pending === undefined) {
      this.#takeStray(body)
      return
    }
    // The answer can be read before the socket reports that the request was written.
    this.#markSent(pending)
    this.#finish(pending, 'answered')
    pending.answer(body)
    this.#advance()
  }

  /** Settles every request as disconnected, because the connection is closed. */
  close(reason: string): void {
    this.#closed = reason
    const all = [...this.#inFlight.values(), ...this.#waiting]
    this.#inFlight.clear()
    this.#waiting.clear()
    this.#finished.clear()
    for (const pending of all) {
      pending.timer?.cancel()
      pending.fail({ kind: 'disconnected', reason })
    }
  }

  /** Sends queued requests while fewer than the maximum are in flight. */
  #advance(): void {
    for (const pending of this.#waiting) {
      if (this.#inFlight.size >= this.#options.limits.requestsInFlight) return
      this.#waiting.delete(pending)
      this.#send(pending)
    }
  }

  #send(pending: Pending): void {
    while (this.#isUsed(pending.outgoing.requestId)) pending.outgoing = pending.outgoing.renew()
    this.#inFlight.set(pending.outgoing.requestId, pending)
    const isQueued = this.#options.send(pending.outgoing.frame, () => {
      if (this.#isInFlight(pending)) this.#markSent(pending)
    })
    if (isQueued) return
    this.#finish(pending, 'given up')
    pending.fail({ kind: 'unsent', reason: 'the outbound queue is full, because the peer does not read' })
  }

  /** Records that the request was written to the socket, and starts its time-out. */
  #markSent(pending: Pending): void {
    if (pending.isSent) return
    const { timers } = this.#options
    const { deadlineMs, onSent } = pending.timing
    pending.isSent = true
    // If this process was busy when the time ran out, the answer may already be waiting in the socket.
    pending.timer = timers.setTimer(() => timers.afterInput(() => this.#timeOut(pending)), deadlineMs)
    onSent?.()
  }

  #timeOut(pending: Pending): void {
    if (!this.#isInFlight(pending)) return
    this.#giveUp(pending)
    pending.fail({ kind: 'timeout' })
  }

  #awaiting({ case: kind, value }: AnswerBody): Pending | undefined {
    const pending = this.#inFlight.get(value.requestId)
    if (pending?.outgoing.readers[kind] === undefined) return undefined
    return Bytes.equals(pending.outgoing.chainId, value.chainId) ? pending : undefined
  }

  #isInFlight(pending: Pending): boolean {
    return this.#inFlight.get(pending.outgoing.requestId) === pending
  }

  #isUsed(requestId: number): boolean {
    return this.#inFlight.has(requestId) || this.#finished.has(requestId)
  }

  #giveUp(pending: Pending): void {
    this.#waiting.delete(pending)
    if (!this.#isInFlight(pending)) return
    this.#finish(pending, 'given up')
    this.#advance()
  }

  #finish(pending: Pending, outcome: Finished['outcome']): void {
    const { requestId, chainId } = pending.outgoing
    pending.timer?.cancel()
    this.#inFlight.delete(requestId)
    const onLate = outcome === 'given up' ? pending.onLate : undefined
    this.#finished.set(requestId, { chainId, outcome, onLate })
    if (this.#finished.size <= REMEMBERED) return
    const oldest = this.#finished.keys().next()
    if (oldest.done !== true) this.#finished.delete(oldest.value)
  }

  /** Handles an answer that belongs to no request in flight. */
  #takeStray(body: AnswerBody): void {
    const { counters } = this.#options
    const { chainId, requestId } = body.value
    const finished = this.#finished.get(requestId)
    if (finished === undefined || !Bytes.equals(finished.chainId, chainId)) counters.unsolicitedAnswers++
    else if (finished.outcome === 'answered') counters.repeatedAnswers++
    else {
      const { onLate } = finished
      counters.lateAnswers++
      finished.outcome = 'answered'
      finished.onLate = undefined
      onLate?.(body)
    }
  }
}

/** Passes the answer in a message to `use`, if it is of a kind that the readers know. */
function read<A>(readers: Readers<A>, { case: kind, value }: AnswerBody, use: (answer: A) => void): void {
  const reader = readers[kind] as ((value: AnswerBody['value']) => A) | undefined
  if (reader !== undefined) use(reader(value))
}

/**
 * All requests with the same signal share one listener, because removing a listener takes time proportional
 * to the number of listeners.
 */
const watchers = new WeakMap<AbortSignal, Set<(error: P2pError) => void>>()

function watch(signal: AbortSignal | undefined, onAbort: (error: P2pError) => void): () => void {
  if (signal === undefined) return () => undefined
  let callbacks = watchers.get(signal)
  if (callbacks === undefined) {
    const all = new Set<(error: P2pError) => void>()
    signal.addEventListener(
      'abort',
      () => {
        const error = abortError(signal)
        // The callbacks run in reverse order, so that queued requests are aborted first. Otherwise, aborting
        // a request in flight would send the next queued request.
        for (const callback of [...all].reverse()) callback(error)
        all.clear()
      },
      { once: true },
    )
    watchers.set(signal, all)
    callbacks = all
  }
  const own = callbacks
  own.add(onAbort)
  return () => void own.delete(onAbort)
}

function abortError(signal: AbortSignal): P2pError {
  return new P2pError('P2P_ABORTED', 'the caller aborted the request', { cause: signal.reason })
}
