import type { ChainAnswers, ChainRequestKind, InboundChainRequest } from '../ChainRequests.ts'
import type { Counters } from '../Counters.ts'
import type { AppRequest } from '../gen/p2p_pb.ts'
import type { Limits } from '../Limits.ts'
import type { BodyInit } from '../Message.ts'
import { P2pError } from '../P2pError.ts'
import type { InboundRequest, Reply } from '../Peer.ts'
import type { Timer, Timers } from '../Timers.ts'
import { answerBody, type RequestBody, readRequest, requestKind } from './chainMessages.ts'
import { JobQueue } from './JobQueue.ts'
import { ID_LENGTH, MAX_DEADLINE_MS } from './request.ts'

type MaybePromise<T> = T | Promise<T>

/** Options of {@link InboundRequests}. */
export interface InboundRequestsOptions {
  readonly limits: Limits
  readonly timers: Timers
  readonly counters: Counters
  readonly send: (body: BodyInit) => boolean
  /** Called with 1 when a request stays in progress, and with −1 when it no longer is. */
  readonly work: (change: 1 | -1) => void
  readonly handle: (request: InboundRequest, reply: Reply) => void
  readonly handleChain: <Kind extends ChainRequestKind>(
    kind: Kind,
    request: InboundChainRequest<Kind>,
  ) => MaybePromise<ChainAnswers[Kind] | undefined>
}

const NANOSECONDS_PER_MS = 1_000_000n
/** Nodes read the deadline as a signed 64-bit number, so values of 2^63 or more are negative. */
const NEGATIVE = 1n << 63n

/** Handles the application and chain requests of one peer. */
export class InboundRequests {
  readonly #options: InboundRequestsOptions
  readonly #timers = new Set<Timer>()
  readonly #chainJobs: JobQueue
  #isStopped = false

  constructor(options: InboundRequestsOptions) {
    this.#options = options
    this.#chainJobs = new JobQueue(options.limits.chainRequestsInWork)
  }

  /** Forwards an application request to the handler unless its deadline has passed. */
  receiveApp(message: AppRequest): void {
    const ms = this.#timeLeft(message)
    if (ms === undefined) return
    const { requestId, appBytes } = message
    const { timers, handle } = this.#options
    const job = new Job(this.#options, message.chainId.slice(), requestId)
    handle(
      { chainId: job.chainId, requestId, bytes: appBytes.slice(), expiresAt: timers.monotonic() + ms },
      job,
    )
    if (job.isAnswered) return
    this.#keepInWork(job, ms)
  }

  /**
   * Queues a chain request for its handler. The request is in progress until the handler has finished, even if its
   * deadline passes before, so that the number of running handlers is limited.
   */
  receiveChain(body: RequestBody): void {
    const deadlineMs = this.#timeLeft(body.value)
    const kind = requestKind(body.case)
    if (deadlineMs === undefined || kind === undefined) return
    const { timers, counters } = this.#options
    const { chainId, requestId } = body.value
    const expiresAt = timers.monotonic() + deadlineMs
    try {
      const common = { chainId: chainId.slice(), requestId, deadlineMs, expiresAt }
      this.#queueChain(kind, { ...common, ...readRequest(kind, body) })
    } catch (error) {
      if (!(error instanceof P2pError)) throw error
      counters.malformedMessages++
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#chainJobs.clear()
    for (const timer of this.#timers) timer.cancel()
    this.#timers.clear()
  }

  /** Returns the milliseconds until the deadline of a request, or undefined if the request must be dropped. */
  #timeLeft(request: { readonly chainId: Uint8Array; readonly deadline: bigint }): number | undefined {
    const { counters } = this.#options
    if (request.chainId.length !== ID_LENGTH) counters.malformedMessages++
    else if (request.deadline === 0n || request.deadline >= NEGATIVE) counters.expiredRequests++
    else {
      const limit = BigInt(MAX_DEADLINE_MS) * NANOSECONDS_PER_MS
      return request.deadline > limit
        ? MAX_DEADLINE_MS
        : Number(request.deadline) / Number(NANOSECONDS_PER_MS)
    }
    return undefined
  }

  #queueChain<Kind extends ChainRequestKind>(kind: Kind, request: InboundChainRequest<Kind>): void {
    const { work } = this.#options
    work(1)
    this.#chainJobs.add(() => {
      const done = this.#runChain(kind, request)
      if (done !== undefined) return done.then(() => work(-1))
      work(-1)
      return undefined
    })
  }

  /** Runs the handler of a chain request and sends its answer. Returns undefined if the handler is synchronous. */
  #runChain<Kind extends ChainRequestKind>(
    kind: Kind,
    request: InboundChainRequest<Kind>,
  ): Promise<void> | undefined {
    const { counters, handleChain } = this.#options
    const reply = (answer: ChainAnswers[Kind] | undefined): void => {
      if (answer !== undefined && !this.#isExpired(request))
        this.#options.send(answerBody(kind, request, answer))
    }
    const fail = (): void => {
      counters.failedRequests++
    }
    if (this.#isExpired(request)) return undefined
    try {
      const answer = handleChain(kind, request)
      if (answer instanceof Promise) return answer.then(reply).catch(fail)
      reply(answer)
    } catch {
      fail()
    }
    return undefined
  }

  /** Returns whether a request can no longer be answered. */
  #isExpired({ expiresAt }: { readonly expiresAt: number }): boolean {
    const { timers, counters } = this.#options
    if (this.#isStopped) return true
    if (timers.monotonic() < expiresAt) return false
    counters.expiredRequests++
    return true
  }

  /**
   * Counts a request without an immediate answer as in progress, until it is answered or its deadline passes.
   */
  #keepInWork(job: Job, ms: number): void {
    const { timers, work } = this.#options
    work(1)
    const done = (): void => {
      timer.cancel()
      if (this.#timers.delete(timer)) work(-1)
    }
    const timer = timers.setTimer(done, ms)
    this.#timers.add(timer)
    job.onAnswered = done
  }
}

class Job implements Reply {
  readonly chainId: Uint8Array
  isAnswered = false
  onAnswered: (() => void) | undefined
  readonly #options: InboundRequestsOptions
  readonly #requestId: number

  constructor(options: InboundRequestsOptions, chainId: Uint8Array, requestId: number) {
    this.#options = options
    this.chainId = chainId
    this.#requestId = requestId
  }

  response(bytes: Uint8Array): void {
    const value = { chainId: this.chainId, requestId: this.#requestId, appBytes: bytes }
    this.#answer({ case: 'appResponse', value })
  }

  error(code: number, message: string): void {
    const value = {
      chainId: this.chainId,
      requestId: this.#requestId,
      errorCode: code,
      errorMessage: message,
    }
    this.#answer({ case: 'appError', value })
  }

  #answer(body: BodyInit): void {
    if (this.isAnswered) {
      this.#options.counters.repeatedReplies++
      return
    }
    this.isAnswered = true
    this.#options.send(body)
    this.onAnswered?.()
  }
}
