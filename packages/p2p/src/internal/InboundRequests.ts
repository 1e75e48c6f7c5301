import type { Counters } from '../Counters.ts'
import type { AppRequest } from '../gen/p2p_pb.ts'
import type { BodyInit } from '../Message.ts'
import type { InboundRequest, Reply } from '../Peer.ts'
import type { Timer, Timers } from '../Timers.ts'
import { ID_LENGTH, MAX_DEADLINE_MS } from './request.ts'

/** Options of {@link InboundRequests}. */
export interface InboundRequestsOptions {
  readonly timers: Timers
  readonly counters: Counters
  readonly send: (body: BodyInit) => boolean
  /** Called with 1 if the handler returns without an answer, and with −1 when the request is answered or expires. */
  readonly work: (change: 1 | -1) => void
  readonly handle: (request: InboundRequest, reply: Reply) => void
}

const NANOSECONDS_PER_MS = 1_000_000n
/** Nodes read the deadline as a signed 64-bit number, so values of 2^63 or more are negative. */
const NEGATIVE = 1n << 63n

/** Handles the application requests of one peer. */
export class InboundRequests {
  readonly #options: InboundRequestsOptions
  readonly #timers = new Set<Timer>()

  constructor(options: InboundRequestsOptions) {
    this.#options = options
  }

  /** Forwards a request to the handler unless its deadline has passed. */
  receive({ chainId, requestId, deadline, appBytes }: AppRequest): void {
    const { counters, timers, handle } = this.#options
    if (chainId.length !== ID_LENGTH) {
      counters.malformedMessages++
      return
    }
    if (deadline === 0n || deadline >= NEGATIVE) {
      counters.expiredRequests++
      return
    }
    const limit = BigInt(MAX_DEADLINE_MS) * NANOSECONDS_PER_MS
    const ms = deadline > limit ? MAX_DEADLINE_MS : Number(deadline) / Number(NANOSECONDS_PER_MS)
    const job = new Job(this.#options, chainId.slice(), requestId)
    handle(
      { chainId: job.chainId, requestId, bytes: appBytes.slice(), expiresAt: timers.monotonic() + ms },
      job,
    )
    if (job.isAnswered) return
    this.#keepInWork(job, ms)
  }

  stop(): void {
    for (const timer of this.#timers) timer.cancel()
    this.#timers.clear()
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
