import { type RawData, WebSocket } from 'ws'
import type { GatewayContext } from './Context.ts'
import type { Counting } from './Counting.ts'
import { GatewayError, REFUSALS } from './GatewayError.ts'
import { asGatewayError, errorBody } from './Refused.ts'
import { type Call, type Calls, readCalls } from './RequestReader.ts'
import { responseCode } from './ResponseCode.ts'
import type { Route } from './Route.ts'
import { heardIn } from './SocketMessage.ts'

/** Why a websocket is closed, as RFC 6455 and its registry have it. */
const CLOSE = { unsupported: 1003, policy: 1008, tooMuch: 1013, nodeGone: 1014 } as const
/** Bytes that wait for a reader before whoever writes to it has to wait. */
const MOST_QUEUED = 1_048_576
/** Refusals one after the other, after which nobody is listened to any more. */
const MOST_REFUSALS = 100
const SUBSCRIPTION = 'eth_subscription'

interface Pending {
  readonly call: Call
  /** Milliseconds. */
  readonly startedAt: number
}

/** Passes messages between the websockets of a caller and of a node, and counts them. */
export function joinSockets(
  near: WebSocket,
  far: WebSocket,
  route: Route,
  context: GatewayContext,
  counting: Counting,
): void {
  const { admission, limits, now } = context
  const { caller, chain } = route
  const pending = new Map<string, Pending>()
  const heard = { near: true, far: true }
  let refusals = 0

  const take = (body: Buffer): void => {
    let calls: Calls | undefined
    const startedAt = now()
    try {
      admission.spend(caller, 1)
      calls = readCalls(body, limits.batchCalls)
      assertTaken(calls, route, pending, limits.callsPerSocket)
      admission.spend(caller, counting.costOf(calls.calls) - 1)
      pass(near, far, body, admission.hold(body.length))
      refusals = 0
      for (const call of calls.calls) {
        if (call.id !== undefined) pending.set(keyOf(call.id), { call, startedAt })
        else counting.call(route, call.method, 200, startedAt, counting.costOf([call]))
      }
    } catch (error) {
      refuse(asGatewayError(error), calls, startedAt)
    }
  }
  const refuse = (error: GatewayError, calls: Calls | undefined, startedAt: number): void => {
    const { counted } = REFUSALS[error.code]
    if (calls === undefined) counting.refusal(route, counted, startedAt)
    for (const { method } of calls?.calls ?? []) counting.call(route, method, counted, startedAt, 0)
    refusals++
    const isTold = admission.refuse(caller.address) && refusals <= MOST_REFUSALS
    if (isTold && near.bufferedAmount <= MOST_QUEUED) near.send(errorBody(error, calls))
    else near.close(CLOSE.policy, error.message)
  }
  const settle = (key: string, status: number): void => {
    const known = pending.get(key)
    if (known === undefined) return
    pending.delete(key)
    counting.call(route, known.call.method, status, known.startedAt, counting.costOf([known.call]))
  }
  const tell = (body: Buffer): void => {
    for (const one of heardIn(body)) {
      if (one.id !== undefined) settle(one.id, responseCode(200, one.code))
      else if (one.isNotification) {
        const credits = counting.costOf([{ method: SUBSCRIPTION, id: undefined }])
        admission.charge(caller, credits)
        counting.call(route, SUBSCRIPTION, 200, now(), credits)
      }
    }
    try {
      pass(far, near, body, admission.hold(body.length))
    } catch (error) {
      near.close(CLOSE.tooMuch, asGatewayError(error).message)
    }
  }
  const ping = (data: Buffer): void => {
    heard.near = true
    try {
      admission.spend(caller, 1)
      if (near.bufferedAmount > MOST_QUEUED) near.terminate()
      else near.pong(data)
    } catch {
      admission.refuse(caller.address)
      near.close(CLOSE.policy, 'too many pings')
    }
  }
  const look = (): void => {
    if (!heard.near || !heard.far) {
      near.terminate()
      far.terminate()
      return
    }
    Object.assign(heard, { near: false, far: false })
    near.ping()
    far.ping()
    for (const [key, { call, startedAt }] of pending) {
      if (now() - startedAt < limits.totalMs) continue
      const error = new GatewayError('GATEWAY_TIMEOUT', 'the node did not answer in time')
      if (near.bufferedAmount <= MOST_QUEUED) near.send(errorBody(error, { isBatch: false, calls: [call] }))
      settle(key, REFUSALS[error.code].counted)
    }
  }
  const looks = setInterval(look, limits.idleMs)
  looks.unref()
  const close = (status: number) => {
    clearInterval(looks)
    for (const key of [...pending.keys()]) settle(key, status)
  }

  listen(near, take, () => {
    heard.near = true
  })
  listen(far, tell, () => {
    heard.far = true
  })
  near.on('ping', ping)
  far.on('ping', (data) => far.pong(data))
  near.once('close', () => {
    close(REFUSALS.GATEWAY_GONE.counted)
    far.terminate()
  })
  far.once('close', () => {
    close(REFUSALS.GATEWAY_UPSTREAM.counted)
    if (near.readyState === WebSocket.OPEN) near.close(CLOSE.nodeGone, `a node of ${chain.id} went away`)
  })
  far.resume()
}

/** What can go on to the node, beside what the allowance says. */
function assertTaken(
  { calls }: Calls,
  { chain }: Route,
  pending: ReadonlyMap<string, Pending>,
  most: number,
): void {
  const denied = calls.find(({ method }) => !chain.isAllowed(method))
  if (denied !== undefined) {
    throw new GatewayError('GATEWAY_METHOD', `the method ${denied.method} is not available`)
  }
  if (calls.some(({ id }) => id !== undefined && pending.has(keyOf(id)))) {
    throw new GatewayError('GATEWAY_REQUEST', 'expected an id that no call without an answer has')
  }
  if (pending.size + calls.length > most) {
    throw new GatewayError('GATEWAY_RATE', `more than ${most} calls have no answer yet`)
  }
}

/** An id as it is compared: nodes may write it in another way. */
function keyOf(id: string): string {
  return JSON.stringify(JSON.parse(id))
}

function listen(socket: WebSocket, take: (body: Buffer) => void, onLife: () => void): void {
  socket.on('error', () => socket.terminate())
  socket.on('pong', onLife)
  socket.on('message', (data: RawData, isBinary: boolean) => {
    onLife()
    // What came before the other end heard of the close.
    if (socket.readyState !== WebSocket.OPEN) return
    if (isBinary) socket.close(CLOSE.unsupported, 'expected text')
    else take(data as Buffer)
  })
}

/** Passes a message on; whoever wrote it waits while too much does so. */
function pass(from: WebSocket, to: WebSocket, body: Buffer, release: () => void): void {
  to.send(body, { binary: false }, () => {
    release()
    if (to.bufferedAmount <= MOST_QUEUED / 2 && from.isPaused) from.resume()
  })
  if (to.bufferedAmount > MOST_QUEUED && !from.isPaused) from.pause()
}
