import { type RawData, WebSocket } from 'ws'
import { GatewayError, REFUSALS } from '../GatewayError.ts'
import { type Call, type Calls, readCalls } from '../json-rpc/RequestReader.ts'
import type { GatewayContext } from '../request/Context.ts'
import { asGatewayError, errorBody, isHungUpOn } from '../request/Refused.ts'
import { bodyCredits } from '../request/RequestBody.ts'
import type { Route } from '../request/Route.ts'
import type { Counting } from '../usage/Counting.ts'
import { responseCode } from '../usage/ResponseCode.ts'
import { heardIn } from './SocketMessage.ts'

/** WebSocket close codes of RFC 6455 and the IANA registry. */
const CLOSE = { unsupported: 1003, policy: 1008, tooMuch: 1013, nodeGone: 1014 } as const
/**
 * Maximum length of a close reason in bytes. A control frame contains at most 125 bytes, and the close code
 * takes 2 of them.
 */
const MOST_REASON = 123
/** Number of queued bytes above which the gateway stops reading from the sender of a message. */
const MOST_QUEUED = 1_048_576
/** Number of consecutive refusals after which the connection is closed. */
const MOST_REFUSALS = 100
/** A notification of a subscription is counted as this call. */
const NOTIFICATION: Call = {
  method: 'eth_subscription',
  id: undefined,
  key: undefined,
  subscription: undefined,
}

interface Pending {
  readonly call: Call
  /** Time at which the call arrived, in milliseconds since 1970. */
  readonly startedAt: number
}

/**
 * Forwards and counts the messages between a caller's WebSocket and a node's WebSocket, until one of them
 * closes.
 */
export class SocketPair {
  readonly #near: WebSocket
  readonly #far: WebSocket
  readonly #route: Route
  readonly #context: GatewayContext
  readonly #counting: Counting
  readonly #pending = new Map<string, Pending>()
  readonly #looks: NodeJS.Timeout
  readonly #isHeard = { near: true, far: true }
  #refusals = 0

  constructor(near: WebSocket, far: WebSocket, route: Route, context: GatewayContext, counting: Counting) {
    this.#near = near
    this.#far = far
    this.#route = route
    this.#context = context
    this.#counting = counting
    this.#looks = setInterval(() => this.#look(), context.limits.idleMs)
    this.#looks.unref()
    this.#listen('near', near, (body) => this.#take(body))
    this.#listen('far', far, (body) => this.#tell(body))
    near.on('ping', (data) => this.#ping(data))
    far.on('ping', (data) => far.pong(data))
    near.once('close', () => {
      this.#end(REFUSALS.GATEWAY_GONE.counted)
      far.terminate()
    })
    far.once('close', () => {
      this.#end(REFUSALS.GATEWAY_UPSTREAM.counted)
      if (isOpen(near)) close(near, CLOSE.nodeGone, `a node of ${route.chain.id} disconnected`)
    })
    far.resume()
  }

  /** Closes the caller's WebSocket because a part of a message is too much for the gateway. */
  refuseUnfinished(reason: string): void {
    if (isOpen(this.#near)) close(this.#near, CLOSE.tooMuch, reason)
  }

  #listen(side: 'near' | 'far', socket: WebSocket, take: (body: Buffer) => void): void {
    socket.on('error', () => socket.terminate())
    socket.on('pong', () => {
      this.#isHeard[side] = true
    })
    socket.on('message', (data: RawData, isBinary: boolean) => {
      this.#isHeard[side] = true
      // A message that arrived earlier can be delivered after the socket was closed.
      if (!isOpen(socket)) return
      if (isBinary) close(socket, CLOSE.unsupported, 'expected a text message, got a binary message')
      else take(data as Buffer)
    })
  }

  /** Handles a message from the caller. */
  #take(body: Buffer): void {
    const { admission, limits, now } = this.#context
    const { caller } = this.#route
    let calls: Calls | undefined
    const startedAt = now()
    try {
      admission.spend(caller, 1 + bodyCredits(body.length, limits))
      calls = readCalls(body, limits.batchCalls)
      assertTaken(calls, this.#route, this.#pending, limits.callsPerSocket)
      admission.spend(caller, this.#counting.costOf(calls.calls) - 1)
      pass(this.#near, this.#far, body, admission.hold(body.length))
      this.#refusals = 0
      for (const call of calls.calls) {
        if (call.key !== undefined) this.#pending.set(call.key, { call, startedAt })
        else this.#count(call, 200, startedAt)
      }
    } catch (error) {
      this.#refuse(asGatewayError(error), calls, startedAt)
    }
  }

  #refuse(error: GatewayError, calls: Calls | undefined, startedAt: number): void {
    const { counted } = REFUSALS[error.code]
    if (calls === undefined) this.#counting.refusal(this.#route, counted, startedAt)
    for (const { method } of calls?.calls ?? []) {
      this.#counting.call(this.#route, method, counted, startedAt, 0)
    }
    this.#refusals++
    const { keys } = this.#route.caller
    const sendsError = !isHungUpOn(error, keys, this.#context) && this.#refusals <= MOST_REFUSALS
    if (sendsError && this.#near.bufferedAmount <= MOST_QUEUED) this.#near.send(errorBody(error, calls))
    else close(this.#near, CLOSE.policy, error.message)
  }

  /** Handles a message from the node. */
  #tell(body: Buffer): void {
    const { admission, now } = this.#context
    for (const { id, code, isNotification } of heardIn(body)) {
      if (id !== undefined) this.#settle(id, responseCode(200, code))
      else if (isNotification) {
        admission.charge(this.#route.caller, this.#counting.costOf([NOTIFICATION]))
        this.#count(NOTIFICATION, 200, now())
      }
    }
    try {
      pass(this.#far, this.#near, body, admission.hold(body.length))
    } catch (error) {
      close(this.#near, CLOSE.tooMuch, asGatewayError(error).message)
    }
  }

  #count(call: Call, status: number, startedAt: number): void {
    this.#counting.call(this.#route, call.method, status, startedAt, this.#counting.costOf([call]))
  }

  #settle(key: string, status: number): void {
    const known = this.#pending.get(key)
    if (known === undefined) return
    this.#pending.delete(key)
    this.#count(known.call, status, known.startedAt)
  }

  #ping(data: Buffer): void {
    const { admission } = this.#context
    const { caller } = this.#route
    this.#isHeard.near = true
    try {
      admission.spend(caller, 1)
      if (this.#near.bufferedAmount > MOST_QUEUED) this.#near.terminate()
      else this.#near.pong(data)
    } catch {
      admission.refuse(caller.keys)
      close(this.#near, CLOSE.policy, 'too many pings')
    }
  }

  /** Closes idle connections, and answers calls that the node did not answer in time. */
  #look(): void {
    const [near, far] = [this.#near, this.#far]
    if (!this.#isHeard.near || !this.#isHeard.far) {
      near.terminate()
      far.terminate()
      return
    }
    Object.assign(this.#isHeard, { near: false, far: false })
    near.ping()
    far.ping()
    const { limits, now } = this.#context
    for (const [key, { call, startedAt }] of this.#pending) {
      if (now() - startedAt < limits.totalMs) continue
      const error = new GatewayError('GATEWAY_TIMEOUT', 'the node did not respond in time')
      if (near.bufferedAmount <= MOST_QUEUED) near.send(errorBody(error, { isBatch: false, calls: [call] }))
      this.#settle(key, REFUSALS[error.code].counted)
    }
  }

  #end(status: number): void {
    clearInterval(this.#looks)
    for (const key of [...this.#pending.keys()]) this.#settle(key, status)
  }
}

/**
 * Closes a socket with a reason. A long reason is shortened between characters, because ws throws if the
 * reason does not fit into the frame.
 */
function close(socket: WebSocket, code: number, reason: string): void {
  const bytes = Buffer.alloc(MOST_REASON)
  socket.close(code, bytes.subarray(0, new TextEncoder().encodeInto(reason, bytes).written))
}

function isOpen({ readyState }: WebSocket): boolean {
  return readyState === WebSocket.OPEN
}

/** Throws if calls cannot be forwarded to the node. The rate limit is not checked here. */
function assertTaken(
  { calls }: Calls,
  { chain }: Route,
  pending: ReadonlyMap<string, Pending>,
  most: number,
): void {
  calls.forEach(chain.assertAllowed)
  if (calls.some(({ key }) => key !== undefined && pending.has(key))) {
    throw new GatewayError(
      'GATEWAY_REQUEST',
      'the id belongs to a call that is not answered yet; use a different id',
    )
  }
  if (pending.size + calls.length > most) {
    throw new GatewayError('GATEWAY_RATE', `more than ${most} calls are not answered yet; wait for answers`)
  }
}

/** Forwards a message. Stops reading from the sender while the receiver's queue is too long. */
function pass(from: WebSocket, to: WebSocket, body: Buffer, release: () => void): void {
  to.send(body, { binary: false }, () => {
    release()
    if (to.bufferedAmount <= MOST_QUEUED / 2 && from.isPaused) from.resume()
  })
  if (to.bufferedAmount > MOST_QUEUED && !from.isPaused) from.pause()
}
