import { openSocket } from '#socket'
import type { Answers, Asker, Subscriber } from '../Asker.ts'
import type { Target } from '../Endpoint.ts'
import { aborted, DEFAULTS, type Limits, oversize, timedOut, unreachable } from '../HttpExchange.ts'
import { RpcError } from '../RpcError.ts'
import { type Format, facts, malformed, type Parsed, parse, type Request, read, write } from './answers.ts'
import { isObject } from './composites.ts'
import type { Socket } from './socket.ts'
import { withResolvers } from './withResolvers.ts'

interface Pending {
  readonly request: Request
  settle(answers: Answers): void
  fail(error: unknown): void
}

interface Session {
  readonly socket: Socket
  readonly pending: Set<Pending>
  readonly subscribers: Map<string, Subscriber>
  /** Events received before the subscribe response that contains their subscription id, keyed by that id. */
  readonly early: Map<string, unknown[]>
  end(error: RpcError): void
}

interface Settings {
  readonly target: Target
  readonly format: Format
  readonly timeoutMs: number
  readonly maxResponseBytes: number
}

const MAX_EARLY_EVENTS = 64
const OPEN = 1

/**
 * Creates a connection over one WebSocket, which is opened on first use and reopened after it breaks. A
 * request that times out closes the socket, because the socket probably no longer works for other requests
 * either.
 */
export function createSocketConnection(target: Target, format: Format, limits: Limits): Asker {
  const { timeoutMs = DEFAULTS.timeoutMs, maxResponseBytes = DEFAULTS.maxResponseBytes } = limits
  const settings: Settings = { target, format, timeoutMs, maxResponseBytes }
  let lastId = 0
  let current: Promise<Session> | undefined
  const session = (): Promise<Session> => {
    if (current !== undefined) return current
    const forget = () => {
      if (current === opening) current = undefined
    }
    const opening: Promise<Session> = open(settings, forget)
    opening.catch(forget)
    current = opening
    return opening
  }
  const ask: Asker['ask'] = async (calls, options = {}) => {
    const { signal } = options
    const { socket, pending, end } = await unlessAborted(session(), target, signal)
    const request: Request = { target, format, calls, firstId: lastId + 1 }
    lastId += calls.length
    const { promise, resolve, reject } = withResolvers<Answers>()
    const one: Pending = { request, settle: resolve, fail: reject }
    const abort = () => reject(aborted(target, signal?.reason))
    const limitMs = options.timeoutMs ?? timeoutMs
    const timer = setTimeout(() => end(timedOut(target, limitMs)), limitMs)
    signal?.addEventListener('abort', abort, { once: true })
    pending.add(one)
    try {
      socket.send(write(request))
      return await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      pending.delete(one)
    }
  }
  return {
    name: target.name,
    ask,
    async subscribe(params, subscriber, signal) {
      const { socket, subscribers, early } = await unlessAborted(session(), target, signal)
      const call = { method: 'eth_subscribe', params }
      const { answers } = await ask([call], { signal })
      const [answer] = answers
      if (answer?.error !== undefined) throw answer.error
      const id = answer?.result
      const request: Request = { target, format, calls: [call], firstId: lastId }
      if (typeof id !== 'string') throw malformed('a subscription id', typeof id, request)
      // If the socket broke while the request was pending, the subscription has already ended.
      if (socket.readyState !== OPEN) throw unreachable(target, 'the connection was closed')
      subscribers.set(id, subscriber)
      for (const payload of early.get(id) ?? []) subscriber.event(payload)
      early.clear()
    },
    close() {
      current?.then(
        ({ end }) => end(unreachable(target, 'the connection was closed')),
        () => undefined,
      )
      current = undefined
    },
  }
}

async function open(settings: Settings, onEnd: () => void): Promise<Session> {
  const { target, timeoutMs, maxResponseBytes } = settings
  const { promise, resolve, reject } = withResolvers<Session>()
  const socket = openSocket(target.url, { headers: target.headers, maxMessageBytes: maxResponseBytes })
  let [isOpen, isEnded] = [false, false]
  const session: Session = {
    socket,
    pending: new Set(),
    subscribers: new Map(),
    early: new Map(),
    end(error) {
      if (isEnded) return
      isEnded = true
      clearTimeout(timer)
      onEnd()
      socket.close()
      reject(error)
      for (const { request, fail } of [...session.pending]) fail(withFacts(error, request))
      for (const { end } of session.subscribers.values()) end()
    },
  }
  const timer = setTimeout(() => session.end(timedOut(target, timeoutMs)), timeoutMs)
  socket.addEventListener('open', () => {
    clearTimeout(timer)
    isOpen = true
    resolve(session)
  })
  socket.addEventListener('message', ({ data }) => receive(session, String(data), settings))
  socket.addEventListener('error', ({ error }) => {
    const { code } = (error ?? {}) as { readonly code?: unknown }
    const isOversize = code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'
    session.end(
      isOversize
        ? oversize(target, maxResponseBytes)
        : unreachable(target, error ?? 'the connection broke', !isOpen),
    )
  })
  socket.addEventListener('close', ({ code }) => {
    session.end(unreachable(target, `the connection was closed (${code})`, !isOpen))
  })
  return promise
}

function withFacts({ code, message, details, cause }: RpcError, request: Request): RpcError {
  return new RpcError(code, message, { details: { ...facts(request), ...details }, cause })
}

function receive(session: Session, text: string, settings: Settings): void {
  const { target, format, maxResponseBytes } = settings
  const isOversize = text.length > maxResponseBytes
  const parsed = isOversize ? { text, body: undefined } : parse(text, format)
  const { body } = parsed
  // WebSockets of browsers have no size limit, so the length is checked here.
  if (isOversize) session.end(oversize(target, maxResponseBytes))
  else if (body === undefined) session.end(malformed('JSON', text, { target, format, calls: [], firstId: 0 }))
  else if (isObject(body) && body['method'] === 'eth_subscription') notify(session, body['params'])
  else answer(session, parsed)
}

function answer({ pending: all }: Session, parsed: Parsed): void {
  const pending = find(all, parsed.body)
  if (pending === undefined) return
  try {
    pending.settle({ answers: read(parsed, pending.request), bytes: parsed.text.length })
  } catch (error) {
    pending.fail(error)
  }
}

function notify({ subscribers, early }: Session, params: unknown): void {
  if (!isObject(params) || typeof params['subscription'] !== 'string') return
  const id = params['subscription']
  const subscriber = subscribers.get(id)
  if (subscriber !== undefined) subscriber.event(params['result'])
  else if (early.size < MAX_EARLY_EVENTS)
    early.set(id, [...(early.get(id) ?? []), params['result']].slice(-MAX_EARLY_EVENTS))
}

/**
 * Returns the pending request to which a response belongs: the one whose ids include any id of the response. If the
 * response has no ids, returns the oldest request.
 */
function find(all: ReadonlySet<Pending>, body: unknown): Pending | undefined {
  const ids = (Array.isArray(body) ? body : [body]).map((one) => (isObject(one) ? one['id'] : undefined))
  if (ids.every((id) => id === null || id === undefined)) return all.values().next().value
  for (const one of all) {
    const { firstId, calls } = one.request
    if (ids.some((id) => Number(id) >= firstId && Number(id) < firstId + calls.length)) return one
  }
  return undefined
}

/** Returns the result of work that is shared with other callers, or rejects if this caller aborts. */
async function unlessAborted<T>(
  work: Promise<T>,
  target: Target,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return work
  const { promise, reject } = withResolvers<never>()
  const abort = () => reject(aborted(target, signal.reason))
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
