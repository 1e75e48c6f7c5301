import { Bytes } from '@firn/codec'
import type { Counters } from './Counters.ts'
import * as Frame from './Frame.ts'
import type { Limits } from './Limits.ts'
import * as Message from './Message.ts'
import { P2pError } from './P2pError.ts'
import type { Timer, Timers } from './Timers.ts'

/** An application request to send to a peer. */
export interface AppRequestInit {
  /** Id of the chain, 32 bytes; the P-chain's is all zeros. */
  readonly chainId: Uint8Array
  /**
   * Handler prefix and body. An array that is sent to several peers is encoded only once, so do not modify it between
   * the calls.
   */
  readonly bytes: Uint8Array
  /**
   * Milliseconds to wait for the answer after the request has been written to the socket. The deadline sent to the
   * peer is at most 10,000, because nodes do not allow more.
   */
  readonly deadlineMs: number
  /** Called once, when the request has been written to the socket. Until then, the request is queued on this side. */
  readonly onSent?: () => void
  /** Called with an answer that arrives after the time-out, or after the signal aborted. */
  readonly onLateAnswer?: (answer: PeerAnswer) => void
}

/** A peer's answer to a request. */
export type PeerAnswer =
  | { readonly kind: 'response'; readonly bytes: Uint8Array }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }

/**
 * The outcome of a request. Every request that is not aborted has exactly one. `unsent` means that the request never
 * left this side, so the outcome says nothing about the peer.
 */
export type AppAnswer =
  | PeerAnswer
  | { readonly kind: 'timeout' }
  | { readonly kind: 'unsent'; readonly reason: string }
  | { readonly kind: 'disconnected'; readonly reason: string }

/** Error codes of the application layer that apply to every chain. */
export const ERROR = {
  undefined: 0,
  unexpected: -1,
  unregisteredHandler: -2,
  notValidator: -3,
  throttled: -4,
} as const

/** Longest deadline of a request, in milliseconds. Receivers reduce longer deadlines to this one. */
export const MAX_DEADLINE_MS = 10_000

/** Bytes of a frame's body around the `bytes` of a request: chain, id, deadline, and the lengths of all fields. */
const ENVELOPE_LENGTH = 55

/**
 * Maximum length of a request's `bytes` with the handler prefix, in bytes. A longer request does not fit into a frame.
 */
export const MAX_REQUEST_BYTES = Frame.MAX_LENGTH - ENVELOPE_LENGTH

const NANOSECONDS = 1_000_000n
const CHAIN_ID_LENGTH = 32
const MAX_ID = 0xffff_ffff
/**
 * Number of finished requests that are remembered, to distinguish late and repeated answers from unsolicited
 * ones.
 */
const REMEMBERED = 128

/**
 * An encoded request. It can be sent to any number of peers, because ids need to be unique only per
 * connection and chain.
 */
export interface Encoded {
  readonly requestId: number
  readonly chainId: Uint8Array
  readonly frame: Uint8Array
  /** Returns the same request with a new id. */
  readonly renew: () => Encoded
}

/** Options of {@link createEncoder}. */
export interface EncoderOptions {
  readonly compress: boolean
  /** A random 32-bit number. The first id is this number, plus 1 if it is even. */
  readonly firstId: number
}

/**
 * Encodes requests as frames. Repeated calls with the same `bytes` array, chain and deadline return the same frame.
 */
export type Encoder = (request: AppRequestInit) => Encoded

/**
 * Creates an encoder. Ids are odd and increase by 2, because EVM chains reserve even ids for an older
 * protocol and drop them silently.
 */
export function createEncoder(options: EncoderOptions): Encoder {
  let nextId = (options.firstId | 1) >>> 0
  const cache = new WeakMap<Uint8Array, { readonly request: AppRequestInit; readonly encoded: Encoded }>()
  const encode = (request: AppRequestInit): Encoded => {
    const requestId = nextId
    nextId = requestId + 2 > MAX_ID ? 1 : requestId + 2
    const deadline =
      BigInt(Math.max(1, Math.floor(Math.min(request.deadlineMs, MAX_DEADLINE_MS)))) * NANOSECONDS
    const value = { chainId: request.chainId, requestId, deadline, appBytes: request.bytes }
    const body = Message.encode({ case: 'appRequest', value }, options)
    return { requestId, chainId: request.chainId, frame: Frame.encode(body), renew: () => encode(request) }
  }
  return (request) => {
    const known = cache.get(request.bytes)
    if (
      known?.request.deadlineMs === request.deadlineMs &&
      Bytes.equals(known.request.chainId, request.chainId)
    )
      return known.encoded
    assertRequest(request)
    const own = { chainId: request.chainId.slice(), bytes: request.bytes, deadlineMs: request.deadlineMs }
    const encoded = encode(own)
    cache.set(request.bytes, { request: own, encoded })
    return encoded
  }
}

function assertRequest(request: AppRequestInit): void {
  if (request.chainId.length !== CHAIN_ID_LENGTH) {
    throw new P2pError(
      'P2P_ARGUMENT',
      `request: expected a chain id of ${CHAIN_ID_LENGTH} bytes, got ${request.chainId.length}`,
    )
  }
  if (!(request.deadlineMs > 0)) {
    throw new P2pError('P2P_ARGUMENT', `request: expected a deadline above 0 ms, got ${request.deadlineMs}`)
  }
}

/** Options of {@link AppRequests}. */
export interface AppRequestsOptions {
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
export type RequestTiming = Pick<AppRequestInit, 'deadlineMs' | 'onSent' | 'onLateAnswer'>

interface Pending {
  encoded: Encoded
  /** `queued`: waits for a free slot; `writing`: waits in the socket's buffer; `sent`: waits for the answer. */
  stage: 'queued' | 'writing' | 'sent'
  timer: Timer | undefined
  readonly timing: RequestTiming
  readonly settle: (answer: AppAnswer) => void
}

interface Finished {
  readonly chainId: Uint8Array
  outcome: 'answered' | 'given up'
  onLateAnswer: AppRequestInit['onLateAnswer']
}

/**
 * This side's requests to one peer. At most `limits.requestsInFlight` of them are in flight; further ones are queued.
 */
export class AppRequests {
  readonly #options: AppRequestsOptions
  readonly #inFlight = new Map<number, Pending>()
  readonly #waiting = new Set<Pending>()
  readonly #finished = new Map<number, Finished>()
  #closed: string | undefined

  constructor(options: AppRequestsOptions) {
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
  request(encoded: Encoded, timing: RequestTiming, signal: AbortSignal | undefined): Promise<AppAnswer> {
    const { limits } = this.#options
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
      const settle = (answer: AppAnswer): void => {
        unwatch()
        resolve(answer)
      }
      const pending: Pending = { encoded, stage: 'queued', timer: undefined, timing, settle }
      this.#waiting.add(pending)
      this.#advance()
    })
  }

  /** Handles an answer. `toAnswer` must copy its bytes, which are a view of a whole chunk of the stream. */
  answer(chainId: Uint8Array, requestId: number, toAnswer: () => PeerAnswer): void {
    const pending = this.#inFlight.get(requestId)
    if (pending === undefined || !Bytes.equals(pending.encoded.chainId, chainId)) {
      this.#takeStray(chainId, requestId, toAnswer)
      return
    }
    // The answer can be read before the socket reports that the request was written.
    this.#markSent(pending)
    this.#finish(pending, 'answered')
    pending.settle(toAnswer())
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
      pending.settle({ kind: 'disconnected', reason })
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
    while (this.#isUsed(pending.encoded.requestId)) pending.encoded = pending.encoded.renew()
    pending.stage = 'writing'
    this.#inFlight.set(pending.encoded.requestId, pending)
    const isQueued = this.#options.send(pending.encoded.frame, () => {
      if (this.#isInFlight(pending)) this.#markSent(pending)
    })
    if (isQueued) return
    this.#finish(pending, 'given up')
    pending.settle({ kind: 'unsent', reason: 'the outbound queue is full, because the peer does not read' })
  }

  /** Records that the request was written to the socket, and starts its time-out. */
  #markSent(pending: Pending): void {
    if (pending.stage === 'sent') return
    const { timers } = this.#options
    const { deadlineMs, onSent } = pending.timing
    pending.stage = 'sent'
    // If this process was busy when the time ran out, the answer may already be waiting in the socket.
    pending.timer = timers.setTimer(() => timers.afterInput(() => this.#timeOut(pending)), deadlineMs)
    onSent?.()
  }

  #timeOut(pending: Pending): void {
    if (!this.#isInFlight(pending)) return
    this.#giveUp(pending)
    pending.settle({ kind: 'timeout' })
  }

  #isInFlight(pending: Pending): boolean {
    return this.#inFlight.get(pending.encoded.requestId) === pending
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
    const { requestId, chainId } = pending.encoded
    pending.timer?.cancel()
    this.#inFlight.delete(requestId)
    const { onLateAnswer } = pending.timing
    this.#finished.set(requestId, {
      chainId,
      outcome,
      onLateAnswer: outcome === 'given up' ? onLateAnswer : undefined,
    })
    if (this.#finished.size <= REMEMBERED) return
    const oldest = this.#finished.keys().next()
    if (oldest.done !== true) this.#finished.delete(oldest.value)
  }

  /** Handles an answer that belongs to no request in flight. */
  #takeStray(chainId: Uint8Array, requestId: number, toAnswer: () => PeerAnswer): void {
    const { counters } = this.#options
    const finished = this.#finished.get(requestId)
    if (finished === undefined || !Bytes.equals(finished.chainId, chainId)) counters.unsolicitedAnswers++
    else if (finished.outcome === 'answered') counters.repeatedAnswers++
    else {
      const { onLateAnswer } = finished
      counters.lateAnswers++
      finished.outcome = 'answered'
      finished.onLateAnswer = undefined
      onLateAnswer?.(toAnswer())
    }
  }
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
